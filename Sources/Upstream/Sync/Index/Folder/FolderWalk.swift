import Glibc
import MusicModel

struct FoundFile: Hashable, Sendable {
    /// The path below the music folder.
    var path: String
    /// Unix seconds, of a year that can be written down.
    var modified: Int64
    /// Tells the file from what it was before or will be: its time to the nanosecond, which means nothing else.
    var exactTime: Int64
    /// Bytes.
    var size: Int64

    var suffix: String { path.pathSuffix }
}

extension FoundFile {
    init(_ path: String, _ status: stat) {
        let time = status.st_mtim
        self.init(
            path: path, modified: FileTime.seconds(time),
            exactTime: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec), size: Int64(status.st_size))
    }
}

/// How a walk treats links.
package struct LinkRules: Hashable, Sendable {
    /// True if links that lead out of the folder are followed.
    package var followsOutside: Bool
    /// True if links that lead elsewhere in the folder are followed.
    package var followsInside: Bool

    /// Makes rules; without arguments every link is followed.
    package init(followsOutside: Bool = true, followsInside: Bool = true) {
        self.followsOutside = followsOutside
        self.followsInside = followsInside
    }
}

/// Finds the music files below a folder; follows links, but never in circles, and no further than its limits. Blocks.
struct FolderWalk {
    /// Where a walk stops, so that no tree of links takes endless time and no disk takes all memory.
    struct Limits: Sendable {
        /// Folders in each other; a thread's stack takes no more than some hundreds.
        var depth = 100
        var entries = 2_000_000
        /// How often one folder is entered through links.
        var visitsByLinks = 8
    }

    static let musicSuffixes = MusicSuffixes.all

    static let playlistSuffixes: Set<String> = ["asx", "cue", "m3u", "m3u8", "pls", "rss", "xspf"]

    struct Findings: Sendable {
        var files: [FoundFile] = []
        /// Playlists, which clients may load by their paths.
        var playlists: [FoundFile] = []
        /// Names that are neither UTF-8 nor in the charset of names, and so can't be said in the protocol.
        var unnamable = 0
        /// Paths that are there twice, in UTF-8, which alone is walked, and in the charset of names.
        var shadowed: [String] = []
        var unreadable: [String] = []
        /// Folders that were passed over on purpose, with the reason.
        var passedOver: [(path: String, reason: String)] = []
        var unreadRules: [(path: String, reason: String)] = []
    }

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private let root: String
    private let names: FileNames
    private let realRoot: DiskPath?
    private let links: LinkRules
    private let limits: Limits
    private let isCancelled: () -> Bool
    private let entering: (String) -> Void
    private let pseudo = PseudoFileSystem()
    private(set) var findings = Findings()
    /// Folders between the root and the present one: a link to one of them would never end.
    private var ancestors: Set<Identity> = []
    /// How often folders were entered through links. Links to folders with links would multiply without a limit.
    private var visits: [Identity: Int] = [:]
    private var entries = 0
    private var isFull = false
    /// The rules of the folders between the root and the present one.
    private var ignoring: [IgnoreRules] = []

    private init(
        root: String, names: FileNames, links: LinkRules, limits: Limits, isCancelled: @escaping () -> Bool,
        entering: @escaping (String) -> Void
    ) {
        (self.entering, self.root, self.names, self.links, self.limits) = (entering, root, names, links, limits)
        self.isCancelled = isCancelled
        realRoot = DiskPath(root, names: names).resolved()
    }

    /// Walks `start`, a path below `root` or the empty string for all of it.
    /// - Throws: `FolderError` if the root itself can't be read, `CancellationError` once `isCancelled` says so.
    static func files(
        root: String, below start: String, names: FileNames = .inUse, links: LinkRules = LinkRules(),
        limits: Limits = Limits(), isCancelled: @escaping () -> Bool = { false },
        entering: @escaping (String) -> Void = { _ in }
    ) throws -> Findings {
        guard DiskPath(root, names: names).isFolderToRead else { throw FolderError(root: root, code: errno) }
        var walk = FolderWalk(
            root: root, names: names, links: links, limits: limits, isCancelled: isCancelled, entering: entering)
        if !walk.isIgnored(start) { walk.visit(start, at: walk.diskPath(of: start), device: nil, depth: 0) }
        if isCancelled() { throw CancellationError() }
        // The files of a folder that went away meanwhile look as if they were gone.
        guard DiskPath(root, names: names).isFolderToRead else { throw FolderError(root: root, code: errno) }
        return walk.findings
    }

    private func diskPath(of path: String) -> DiskPath {
        DiskPath(path.isEmpty ? root : "\(root)/\(path)", names: names)
    }

    private mutating func rules(of folder: String, at location: DiskPath) -> IgnoreRules? {
        IgnoreRules(folder: folder, at: location, names: names) { name, reason in
            findings.unreadRules.append((folder.isEmpty ? name : "\(folder)/\(name)", "\(reason)"))
        }
    }

    /// True if the folders above `start` leave it out; what they say counts for all below.
    private mutating func isIgnored(_ start: String) -> Bool {
        guard !start.isEmpty else { return false }
        var path = ""
        for part in start.pathParts {
            if let rules = rules(of: path, at: diskPath(of: path)) { ignoring.append(rules) }
            path += path.isEmpty ? String(part) : "/\(part)"
            let isFolder = diskPath(of: path).status().map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
            if ignoring.contains(where: { $0.excludes(path, isFolder: isFolder) }) { return true }
        }
        return false
    }

    private mutating func visit(_ path: String, at location: DiskPath, device: UInt64?, depth: Int) {
        guard takesEntry(path) else { return }
        guard var status = location.linkStatus() else { return noteUnreadable(path) }
        let isLink = status.st_mode & S_IFMT == S_IFLNK && !path.isEmpty
        if isLink, !follows(location) { return }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard let target = location.status() else { return noteUnreadable(path) }
            status = target
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if depth > 0, ignoring.contains(where: { $0.excludes(path, isFolder: isFolder) }) { return }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            visitFolder(path, at: location, identity, isLink: isLink, device: device, depth: depth)
        case S_IFREG: visitFile(path, status)
        default: break
        }
    }

    /// Counts an entry; false beyond the limit, where nothing is known of the rest.
    private mutating func takesEntry(_ path: String) -> Bool {
        if isFull || isCancelled() { return false }
        entries += 1
        guard entries > limits.entries else { return true }
        isFull = true
        // Everything that was not checked counts as not readable, so that nothing of it leaves the index.
        findings.unreadable = [""]
        findings.passedOver.append((path, "there are more than \(limits.entries) files and folders"))
        return false
    }

    private mutating func noteUnreadable(_ path: String) {
        // A file that vanished is gone; anything else might come back.
        if errno != ENOENT && errno != ENOTDIR { findings.unreadable.append(path) }
    }

    /// True if a link may be followed by what it leads to.
    private func follows(_ link: DiskPath) -> Bool {
        if links.followsInside && links.followsOutside { return true }
        if !links.followsInside && !links.followsOutside { return false }
        guard let realRoot, let target = link.resolved() else { return false }
        return target.isInside(realRoot) ? links.followsInside : links.followsOutside
    }

    private mutating func visitFile(_ path: String, _ status: stat) {
        let suffix = path.pathSuffix
        let isPlaylist = Self.playlistSuffixes.contains(suffix)
        guard isPlaylist || Self.musicSuffixes.contains(suffix) else { return }
        let file = FoundFile(path, status)
        if isPlaylist { findings.playlists.append(file) } else { findings.files.append(file) }
    }

    private mutating func visitFolder(
        _ path: String, at location: DiskPath, _ identity: Identity, isLink: Bool, device: UInt64?, depth: Int
    ) {
        guard ancestors.insert(identity).inserted else { return }
        defer { ancestors.remove(identity) }
        if isLink {
            let visit = visits[identity, default: 0] + 1
            visits[identity] = visit
            guard visit <= limits.visitsByLinks else {
                return findings.passedOver.append((path, "\(limits.visitsByLinks) other links lead to it"))
            }
        }
        guard depth < limits.depth else {
            return findings.passedOver.append((path, "it is nested more than \(limits.depth) folders deep"))
        }
        if device != identity.device, pseudo.has(device: identity.device) {
            return findings.passedOver.append((path, "it is a virtual file system"))
        }
        entering(path)
        // One more than fits tells that there are more.
        guard let found = location.list(names: names, atMost: max(0, limits.entries - entries), Self.isVisible) else {
            findings.unreadable.append(path)
            return
        }
        findings.unnamable += found.unnamable
        findings.shadowed += found.shadowed.map { path.isEmpty ? $0 : "\(path)/\($0)" }
        let rules = rules(of: path, at: location)
        if let rules { ignoring.append(rules) }
        defer { if rules != nil { ignoring.removeLast() } }
        for (name, location) in found.entries.sorted(by: { $0.name < $1.name }) {
            visit(path.isEmpty ? name : "\(path)/\(name)", at: location, device: identity.device, depth: depth + 1)
        }
    }

    /// True if a name is neither hidden nor one that would end a line of an answer.
    static func isVisible(_ name: String) -> Bool {
        name.utf8.first != UInt8(ascii: ".") && !name.utf8.contains(UInt8(ascii: "\n"))
    }
}

extension DiskPath {
    /// True if this is a folder that can be read; else `errno` has the reason.
    fileprivate var isFolderToRead: Bool {
        let descriptor = open(O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}

/// The music folder can't be read.
struct FolderError: Error, Hashable, Sendable, CustomStringConvertible {
    let root: String
    /// The system's error number.
    let code: Int32

    var description: String {
        "the music folder \(root) can't be read (\(String(cString: strerror(code)))); check music_directory"
    }
}

import Glibc
import MusicModel

/// A file that a walk found.
struct FoundFile: Hashable, Sendable {
    /// The path below the music folder.
    var path: String
    /// Unix seconds, of a year that can be written down.
    var modified: Int64
    /// Tells the file from what it was before or will be: its time to the nanosecond, which means nothing else.
    var exactTime: Int64
    /// Bytes.
    var size: Int64

    /// The file name's ending, in lower case.
    var suffix: String { FolderWalk.suffix(of: path) }
}

extension FoundFile {
    /// A file with what the system says of it.
    init(_ path: String, _ status: stat) {
        let time = status.st_mtim
        self.init(
            path: path, modified: FileTime.seconds(time),
            exactTime: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec), size: Int64(status.st_size))
    }
}

/// How a walk treats links.
package struct LinkRules: Hashable, Sendable {
    /// Whether links that lead out of the folder are followed.
    package var followsOutside: Bool
    /// Whether links that lead to another place in the folder are followed.
    package var followsInside: Bool

    /// Makes rules; without arguments every link is followed.
    package init(followsOutside: Bool = true, followsInside: Bool = true) {
        self.followsOutside = followsOutside
        self.followsInside = followsInside
    }
}

/// Finds the music files below a folder; follows links, but never in circles, and no further than its limits.
///
/// - Isolation: blocks; run it on a background thread.
struct FolderWalk {
    /// Where a walk stops, so that no tree of links takes endless time and no disk takes all memory.
    struct Limits: Sendable {
        /// Folders in each other; a thread's stack takes no more than some hundreds.
        var depth = 100
        /// Files and folders.
        var entries = 2_000_000
        /// How often one folder is entered through links.
        var visitsByLinks = 8
    }

    /// File name endings of the formats that the program plays.
    static let musicSuffixes: Set<String> = [
        "aac", "aif", "aifc", "aiff", "ape", "dff", "dsf", "flac", "m4a", "m4b", "mka", "mp2", "mp3", "mp4", "mpc",
        "oga", "ogg", "opus", "spx", "tta", "wav", "wma", "wv",
    ]

    /// File name endings of the playlists that clients may load.
    static let playlistSuffixes: Set<String> = ["asx", "cue", "m3u", "m3u8", "pls", "rss", "xspf"]

    /// The findings of a walk.
    struct Findings: Sendable {
        var files: [FoundFile] = []
        /// Playlists, which clients may load by their paths.
        var playlists: [FoundFile] = []
        /// Names that are no UTF-8, and so can't be said in the protocol.
        var unnamable = 0
        /// Folders that could not be read; what the index knows below them stays.
        var unreadable: [String] = []
        /// Folders that were passed over on purpose, with the reason.
        var passedOver: [(path: String, reason: String)] = []
        /// Files of rules that could not be read, with the reason.
        var unreadRules: [(path: String, reason: String)] = []
    }

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private let root: String
    private let realRoot: String?
    private let links: LinkRules
    private let limits: Limits
    private let isCancelled: () -> Bool
    /// Is told of each folder before its names are read.
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
        root: String, links: LinkRules, limits: Limits, isCancelled: @escaping () -> Bool,
        entering: @escaping (String) -> Void
    ) {
        self.entering = entering
        self.root = root
        self.links = links
        self.limits = limits
        self.isCancelled = isCancelled
        realRoot = Self.realPath(root)
    }

    /// Walks `start`, a path below `root` or the empty string for all of it.
    ///
    /// - Throws: `FolderError` if the root itself can't be read, `CancellationError` once `isCancelled` says so.
    static func files(
        root: String, below start: String, links: LinkRules = LinkRules(), limits: Limits = Limits(),
        isCancelled: @escaping () -> Bool = { false }, entering: @escaping (String) -> Void = { _ in }
    ) throws -> Findings {
        guard let handle = opendir(root) else { throw FolderError(root: root, code: errno) }
        closedir(handle)
        var walk = FolderWalk(
            root: root, links: links, limits: limits, isCancelled: isCancelled, entering: entering)
        if !walk.isIgnored(start) { walk.visit(start, device: nil, depth: 0) }
        if isCancelled() { throw CancellationError() }
        // The files of a folder that went away meanwhile look as if they were gone.
        guard let handle = opendir(root) else { throw FolderError(root: root, code: errno) }
        closedir(handle)
        return walk.findings
    }

    static func suffix(of path: String) -> String {
        let name = path.pathName
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    private mutating func rules(of folder: String, at whole: String) -> IgnoreRules? {
        IgnoreRules(folder: folder, at: whole) { name, reason in
            findings.unreadRules.append((folder.isEmpty ? name : "\(folder)/\(name)", "\(reason)"))
        }
    }

    /// Whether the folders above `start` leave it out; what they say counts for all below.
    private mutating func isIgnored(_ start: String) -> Bool {
        guard !start.isEmpty else { return false }
        var path = ""
        for part in start.pathParts {
            if let rules = rules(of: path, at: path.isEmpty ? root : "\(root)/\(path)") { ignoring.append(rules) }
            path += path.isEmpty ? String(part) : "/\(part)"
            var status = stat()
            let isFolder = stat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            if ignoring.contains(where: { $0.excludes(path, isFolder: isFolder) }) { return true }
        }
        return false
    }

    private mutating func visit(_ path: String, device: UInt64?, depth: Int) {
        guard takesEntry(path) else { return }
        let whole = path.isEmpty ? root : "\(root)/\(path)"
        var status = stat()
        guard lstat(whole, &status) == 0 else { return noteUnreadable(path) }
        let isLink = status.st_mode & S_IFMT == S_IFLNK && !path.isEmpty
        if isLink, !follows(whole) { return }
        if status.st_mode & S_IFMT == S_IFLNK, stat(whole, &status) != 0 { return noteUnreadable(path) }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if depth > 0, ignoring.contains(where: { $0.excludes(path, isFolder: isFolder) }) { return }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            visitFolder(path, identity, isLink: isLink, device: device, depth: depth)
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

    /// Whether a link may be followed by what it leads to.
    private func follows(_ link: String) -> Bool {
        if links.followsInside && links.followsOutside { return true }
        if !links.followsInside && !links.followsOutside { return false }
        guard let realRoot, let target = Self.realPath(link) else { return false }
        return target.isPath(in: realRoot) ? links.followsInside : links.followsOutside
    }

    /// A path without links; nil for what isn't there.
    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private mutating func visitFile(_ path: String, _ status: stat) {
        let suffix = Self.suffix(of: path)
        let isPlaylist = Self.playlistSuffixes.contains(suffix)
        guard isPlaylist || Self.musicSuffixes.contains(suffix) else { return }
        let file = FoundFile(path, status)
        if isPlaylist { findings.playlists.append(file) } else { findings.files.append(file) }
    }

    private mutating func visitFolder(
        _ path: String, _ identity: Identity, isLink: Bool, device: UInt64?, depth: Int
    ) {
        guard ancestors.insert(identity).inserted else { return }
        defer { ancestors.remove(identity) }
        let whole = path.isEmpty ? root : "\(root)/\(path)"
        if isLink {
            let visit = visits[identity, default: 0] + 1
            visits[identity] = visit
            guard visit <= limits.visitsByLinks else {
                return findings.passedOver.append((path, "\(limits.visitsByLinks) other links lead to it"))
            }
        }
        guard depth < limits.depth else {
            return findings.passedOver.append((path, "it lies in more than \(limits.depth) folders"))
        }
        if device != identity.device, pseudo.has(device: identity.device) {
            return findings.passedOver.append((path, "the system makes its files up"))
        }
        entering(path)
        let found = LinkBoundary.withFolder(whole) { Self.names(in: $0, atMost: limits.entries - entries) }
        guard let (names, unnamable) = found else {
            findings.unreadable.append(path)
            return
        }
        findings.unnamable += unnamable
        let rules = rules(of: path, at: whole)
        if let rules { ignoring.append(rules) }
        defer { if rules != nil { ignoring.removeLast() } }
        for name in names {
            visit(path.isEmpty ? name : "\(path)/\(name)", device: identity.device, depth: depth + 1)
        }
    }

    /// The visible names in a folder, sorted, and how many are no UTF-8, which have no URI; nil if it can't be read.
    private static func names(in folder: String, atMost limit: Int) -> (names: [String], unnamable: Int)? {
        guard let handle = opendir(folder) else { return nil }
        defer { closedir(handle) }
        var names: [String] = []
        var unnamable = 0
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else {
                unnamable += 1
                continue
            }
            guard name.utf8.first != UInt8(ascii: "."), !name.utf8.contains(UInt8(ascii: "\n")) else { continue }
            names.append(name)
            // One more than fits tells the caller that there are more.
            if names.count > limit { break }
        }
        return (names.sorted(), unnamable)
    }
}

/// The music folder can't be read.
package struct FolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder.
    package let root: String
    /// The system's error number.
    package let code: Int32

    /// One sentence with the cure.
    package var description: String {
        "the music folder \(root) can't be read (\(String(cString: strerror(code)))); check music_directory"
    }
}

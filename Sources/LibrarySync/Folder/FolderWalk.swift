import Glibc

/// A file that a walk found.
struct FoundFile: Hashable, Sendable {
    /// The path below the music folder.
    var path: String
    /// Nanoseconds since 1970.
    var modified: Int64
    /// Bytes.
    var size: Int64

    /// The file name's ending, in lower case.
    var suffix: String { FolderWalk.suffix(of: path) }
}

/// Finds the music files below a folder; follows links, but never in circles.
///
/// - Isolation: blocks; run it on a background thread.
struct FolderWalk {
    /// File name endings of the formats that the program plays.
    static let musicSuffixes: Set<String> = [
        "aac", "aif", "aifc", "aiff", "ape", "dff", "dsf", "flac", "m4a", "m4b", "mka", "mp2", "mp3", "mp4", "mpc",
        "oga", "ogg", "opus", "spx", "tta", "wav", "wma", "wv",
    ]

    /// File name endings of the playlists that clients may load.
    static let playlistSuffixes: Set<String> = ["m3u", "m3u8", "pls", "xspf"]

    /// What a walk found.
    struct Findings: Sendable {
        var files: [FoundFile] = []
        /// Playlists, which clients may load by their paths.
        var playlists: [FoundFile] = []
        /// Folders that could not be read; what the index knows below them stays.
        var unreadable: [String] = []
    }

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private let root: String
    private(set) var findings = Findings()
    /// Folders between the root and the present one: a link to one of them would never end.
    private var ancestors: Set<Identity> = []

    private init(root: String) { self.root = root }

    /// Walks `start`, a path below `root` or the empty string for all of it.
    ///
    /// - Throws: `FolderError` if the root itself can't be read.
    static func files(root: String, below start: String) throws -> Findings {
        guard let handle = opendir(root) else { throw FolderError(root: root, code: errno) }
        closedir(handle)
        var walk = FolderWalk(root: root)
        walk.visit(start)
        return walk.findings
    }

    static func suffix(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    private mutating func visit(_ path: String) {
        var status = stat()
        guard stat(path.isEmpty ? root : "\(root)/\(path)", &status) == 0 else {
            // A file that vanished is gone; anything else might come back.
            if errno != ENOENT && errno != ENOTDIR { findings.unreadable.append(path) }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: visitFolder(path, Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
        case S_IFREG: visitFile(path, status)
        default: break
        }
    }

    private mutating func visitFile(_ path: String, _ status: stat) {
        let suffix = Self.suffix(of: path)
        let isPlaylist = Self.playlistSuffixes.contains(suffix)
        guard isPlaylist || Self.musicSuffixes.contains(suffix) else { return }
        let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        let file = FoundFile(path: path, modified: modified, size: Int64(status.st_size))
        if isPlaylist { findings.playlists.append(file) } else { findings.files.append(file) }
    }

    private mutating func visitFolder(_ path: String, _ identity: Identity) {
        guard ancestors.insert(identity).inserted else { return }
        defer { ancestors.remove(identity) }
        guard let names = Self.names(in: path.isEmpty ? root : "\(root)/\(path)") else {
            findings.unreadable.append(path)
            return
        }
        for name in names {
            visit(path.isEmpty ? name : "\(path)/\(name)")
        }
    }

    /// The visible names in a folder, sorted; nil if it can't be read.
    ///
    /// Names that aren't UTF-8 have no URI and are left out.
    private static func names(in folder: String) -> [String]? {
        guard let handle = opendir(folder) else { return nil }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name, !name.hasPrefix("."), !name.contains("\n") { names.append(name) }
        }
        return names.sorted()
    }
}

/// The music folder can't be read.
public struct FolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder.
    public let root: String
    /// The system's error number.
    public let code: Int32

    /// One sentence with the cure.
    public var description: String {
        "the music folder \(root) can't be read (\(String(cString: strerror(code)))); check music_directory"
    }
}

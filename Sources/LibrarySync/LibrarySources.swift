public import Subsonic

/// A Subsonic server as a source of songs.
public struct ServerSource: Sendable {
    /// The mount's name; empty at the root.
    public var mount: String
    /// The connection.
    public var client: SubsonicClient

    /// Makes a source.
    public init(mount: String, client: SubsonicClient) {
        self.mount = mount
        self.client = client
    }
}

/// A folder of music files as a source of songs.
public struct FolderSource: Sendable {
    /// The mount's name; empty at the root.
    public var mount: String
    /// The folder's absolute path.
    public var musicDirectory: String
    /// Reads the files' tags.
    public var reader: any TagReading

    /// Makes a source.
    public init(mount: String, musicDirectory: String, reader: any TagReading) {
        self.mount = mount
        self.musicDirectory =
            musicDirectory.count > 1 && musicDirectory.hasSuffix("/")
            ? String(musicDirectory.dropLast()) : musicDirectory
        self.reader = reader
    }
}

/// What an update of some URIs touches.
struct UpdateScope: Hashable {
    /// Whether the server is asked.
    var server = false
    /// Paths below the music folder; the empty path is all of it.
    var folders: Set<String> = []

    /// Finds the sources that the URIs belong to, by their mounts.
    init(uris: Set<String>, serverMount: String?, folderMount: String?) {
        for uri in uris {
            let path = uri.split(separator: "/").joined(separator: "/")
            guard !path.split(separator: "/").contains("..") else { continue }
            let inServer = serverMount.flatMap { Self.path(path, below: $0) }
            let inFolder = folderMount.flatMap { Self.path(path, below: $0) }
            // A named mount wins over one at the root.
            if inServer != nil, path.isEmpty || inFolder == nil || serverMount != "" { server = true }
            if let inFolder, path.isEmpty || inServer == nil || folderMount != "" { folders.insert(inFolder) }
        }
        if folders.contains("") { folders = [""] }
    }

    /// The part of `uri` inside a mount; nil if it lies elsewhere. The empty URI is the whole of every mount.
    private static func path(_ uri: String, below mount: String) -> String? {
        if uri.isEmpty || uri == mount { return "" }
        if mount.isEmpty { return uri }
        return uri.hasPrefix(mount + "/") ? String(uri.dropFirst(mount.count + 1)) : nil
    }
}

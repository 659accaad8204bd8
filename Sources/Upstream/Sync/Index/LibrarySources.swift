package import Subsonic
import MusicModel

/// A Subsonic server as a source of songs.
package struct ServerSource: Sendable {
    /// The mount's name; empty at the root.
    package var mount: String
    /// The connection.
    package var client: SubsonicClient
    /// The way to the server's events and to the cue sheets in its songs' tags; nil does without.
    package var session: NavidromeSession?
    /// Keeps stars, ratings and plays up to date; the server's events tell it what to check. nil does without.
    package var marks: MarkSync?
    /// Reads the credential that is stored now, after the server refused the one in use; nil where there is no other.
    package var storedCredential: @Sendable () -> SubsonicSettings.Credential?

    /// Makes a source.
    package init(
        mount: String, client: SubsonicClient, session: NavidromeSession? = nil, marks: MarkSync? = nil,
        storedCredential: @escaping @Sendable () -> SubsonicSettings.Credential? = { nil }
    ) {
        (self.mount, self.client, self.session, self.marks) = (mount, client, session, marks)
        self.storedCredential = storedCredential
    }
}

/// A folder of music files as a source of songs.
package struct FolderSource: Sendable {
    /// The mount's name; empty at the root.
    package var mount: String
    /// The folder's absolute path.
    package var musicDirectory: String
    /// Reads the files' tags.
    package var reader: any TagReading
    /// True if the files are another machine's, which may be away, and whose links lead nowhere on this one.
    package var isRemote: Bool

    /// Makes a source.
    package init(mount: String, musicDirectory: String, reader: any TagReading, isRemote: Bool = false) {
        self.isRemote = isRemote
        self.mount = mount
        self.musicDirectory = String(musicDirectory.withoutLastSlashes)
        self.reader = reader
    }
}

struct UpdateScope: Hashable {
    var server = false
    /// Paths below the music folders by their mounts; the empty path is all of a folder.
    var folders: [String: Set<String>] = [:]

    /// Finds the sources that the URIs belong to, by their mounts.
    init(uris: Set<String>, serverMount: String?, folderMounts: [String]) {
        for uri in uris {
            let parts = uri.pathParts
            guard !parts.contains("..") else { continue }
            let path = parts.joined(separator: "/")
            let inServer = serverMount.flatMap { Self.path(path, below: $0) }
            let inFolders = folderMounts.compactMap { mount in
                Self.path(path, below: mount).map { (mount: mount, path: $0) }
            }
            // A named mount wins over one at the root.
            let mounts = (inServer == nil ? [] : [serverMount ?? ""]) + inFolders.map(\.mount)
            let passesOverRoot = !path.isEmpty && mounts.contains { !$0.isEmpty }
            if inServer != nil, !(passesOverRoot && serverMount == "") { server = true }
            for folder in inFolders where !(passesOverRoot && folder.mount.isEmpty) {
                folders[folder.mount, default: []].insert(folder.path)
            }
        }
        for (mount, paths) in folders where paths.contains("") { folders[mount] = [""] }
    }

    /// The part of `uri` inside a mount; nil if it lies elsewhere. The empty URI is the whole of every mount.
    private static func path(_ uri: String, below mount: String) -> String? {
        uri.isEmpty ? "" : uri.path(below: mount).map { String($0) }
    }
}

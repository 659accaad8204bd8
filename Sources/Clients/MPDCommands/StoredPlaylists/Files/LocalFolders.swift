import MusicModel

extension ServerContext {
    var localFolders: LocalFolders {
        var folders = mounts.compactMap { mount in mount.folder.map { (mount: mount.path, folder: $0) } }
        if let musicDirectory = facts.musicDirectory, !folders.contains(where: { $0.folder == musicDirectory }) {
            folders.append(("", musicDirectory))
        }
        return LocalFolders(folders: folders)
    }
}

/// Folders of this machine with their places in the library; the empty place is the root.
struct LocalFolders: Sendable {
    let folders: [(mount: String, folder: String)]

    /// The absolute path of what stands at a path of the library, if that is in one of the folders.
    func file(at path: String) -> String? {
        // The longest mount that the path lies in has it.
        for (mount, folder) in folders.sorted(by: { $0.mount.utf8.count > $1.mount.utf8.count }) {
            if let inside = path.path(below: mount) { return inside.isEmpty ? folder : "\(folder)/\(inside)" }
        }
        return nil
    }

    /// The library's path of a file in one of the folders; nil for any other file.
    func path(ofFile file: String) -> String? {
        for (mount, folder) in folders {
            // The folder itself is no file in it, but with a slash behind it it is what lies there.
            guard let inside = file.path(below: folder), !inside.isEmpty || file.endsWithSlash else { continue }
            return mount.isEmpty ? String(inside) : "\(mount)/\(inside)"
        }
        return nil
    }
}

extension String {
    /// The path with its `.` and `..` segments carried out; those that lead out of it vanish, as in MPD.
    var withoutDotSegments: String {
        let all = utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
        let segments = all.filter { $0 != "." }
        guard segments.contains("..") || segments.count < all.count else { return self }
        var kept: [Substring] = []
        var skips = 0
        for segment in segments.reversed() {
            if segment == ".." {
                skips += 1
            } else if skips > 0 {
                skips -= 1
            } else {
                kept.append(segment)
            }
        }
        return kept.reversed().joined(separator: "/")
    }
}

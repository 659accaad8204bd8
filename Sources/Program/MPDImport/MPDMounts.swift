import Foundation
import MusicModel

/// The folders that an MPD has mounted, as Segue can mount them.
struct MPDMounts: Sendable {
    /// The mounts' names and their folders, which are there, or the addresses of network storages, which are secrets.
    private(set) var folders: [(name: String, folder: String)] = []
    /// Why others are left out, each as a sentence.
    private(set) var notes: [String] = []

    init(_ state: MPDState, isStorage: (_ address: String) -> Bool) {
        for mount in state.mounts where !folders.contains(where: { $0.name == mount.name }) {
            guard !mount.name.hasSlash, ![".", ".."].contains(mount.name) else {
                notes.append("The mount \(mount.name) was skipped: no mount can have this name.")
                continue
            }
            guard let folder = Self.folder(of: mount.url) else {
                if isStorage(mount.url) {
                    folders.append((mount.name, mount.url))
                    notes.append(
                        "The mount \(mount.name) is a network storage: Segue needs gvfs-backends and gvfs-fuse for it.")
                } else {
                    notes.append(
                        "The mount \(mount.name) is a network storage: mount it in the system, then its folder here.")
                }
                continue
            }
            if Self.isReadable(folder) {
                folders.append((mount.name, folder))
            } else {
                notes.append(
                    "The mount \(mount.name) was skipped: \(folder) is not a readable folder. Run the import "
                        + "again once it is.")
            }
        }
        notes = notes.map { LosslessText.shown($0) }
    }

    private static func folder(of url: String) -> String? {
        let path = url.hasPrefix("file://") ? FileNames.inUse.path(escaped: url.dropFirst(7)) ?? "" : url
        return path.isAbsolutePath ? path : nil
    }

    private static func isReadable(_ folder: String) -> Bool {
        let path = DiskPath(folder)
        return path.status().map { $0.st_mode & S_IFMT == S_IFDIR } ?? false && path.allows(R_OK | X_OK)
    }
}

import Glibc
import MusicModel

extension Configuration {
    /// Folders of `mount_roots` below which clients find what isn't music, each a sentence with the cure.
    func mountRootWarnings() -> [String] {
        server.mountRoots.compactMap { root in
            guard let reason = Self.width(of: root, state: server.stateDirectory, configuration: file) else {
                return nil
            }
            return "mount_roots names \(root), \(reason): clients on the network may mount it and read there. Name the "
                + "folders that hold music instead"
        }
    }

    /// Folders of the system and of its users; what is below them is not for clients.
    private static let wide: Set = [
        "/", "/boot", "/dev", "/etc", "/home", "/proc", "/root", "/run", "/sys", "/tmp", "/usr", "/var", "/var/lib",
    ]

    /// Why a folder is too wide; nil when it is not.
    private static func width(of root: String, state: String, configuration: String?) -> String? {
        let real = resolved(root)
        if wide.contains(real) || wide.contains(root) { return "a folder of the system" }
        if resolved(state).isPath(in: real) { return "which contains the state directory" }
        guard let configuration, configuration.isAbsolutePath else { return nil }
        return resolved(configuration).isPath(in: real) ? "which contains the configuration" : nil
    }

    /// The path without links, of what there is of it.
    private static func resolved(_ path: String) -> String {
        guard let found = realpath(path, nil) else {
            let folder = path.pathFolder
            return folder.isEmpty ? path : "\(resolved(String(folder)))/\(path.pathName)"
        }
        defer { free(found) }
        return String(cString: found)
    }
}

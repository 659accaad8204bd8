import Glibc

extension SystemChecks {
    /// Whether a folder of music can be read; else the system's reason, and the cure.
    package static func musicFolder(_ path: String) -> Finding {
        guard let folder = opendir(path) else {
            let reason = String(cString: strerror(errno))
            return Finding(
                "music folder", .failure,
                "\(path) can't be read: \(reason). Correct local.music_directory, or its access rights.")
        }
        closedir(folder)
        return Finding("music folder", .ok, path)
    }
}

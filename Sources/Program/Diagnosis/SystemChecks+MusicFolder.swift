import Glibc
import MusicModel

extension SystemChecks {
    /// Whether a folder of music can be read; else the system's reason, and the cure.
    package static func musicFolder(_ path: String) -> Finding {
        guard DiskPath(path).list(atMost: 0) != nil else {
            let reason = String(cString: strerror(errno))
            return Finding(
                "music folder", .failure,
                "\(path) can't be read: \(reason). Correct local.music_directory, or its access rights.")
        }
        return Finding("music folder", .ok, path)
    }
}

import Glibc

/// A file with something in it that other users must not know.
struct SecretFile {
    private let path: String
    private let mode: mode_t?

    /// Checks the file's access mode; a file that isn't there is safe.
    init(_ path: String) {
        var status = stat()
        self.path = path
        mode = stat(path, &status) == 0 ? status.st_mode : nil
    }

    /// The warning and the cure when other users can read it; nil when they can't.
    var warning: String? {
        guard let mode, mode & 0o004 != 0 else { return nil }
        return "\(path) contains secrets that every user of this machine can read; run: chmod o-rwx \(path)"
    }

    /// True if other users can change it.
    var isWritableForOthers: Bool { mode.map { $0 & 0o002 != 0 } ?? false }
}

import Glibc

/// Checks if a descriptor leads to systemd's journal, which keeps the time of each line itself and reads its priority
/// from `<3>` to `<7>` at the beginning (sd-daemon(3)).
package enum JournalStream {
    /// Compares `JOURNAL_STREAM`, the journal's device and inode, with those of the descriptor: a program that was
    /// started with its errors sent elsewhere still inherits the variable.
    package static func isConnected(to descriptor: Int32, environment: [String: String]) -> Bool {
        let parts = (environment["JOURNAL_STREAM"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }

    /// True if a descriptor is a socket, as the journal's streams are.
    package static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

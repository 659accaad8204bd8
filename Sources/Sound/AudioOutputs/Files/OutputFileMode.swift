import Glibc
package import Synchronization

/// The access mode of what outputs write for others: recordings and named pipes.
///
/// The program's own files are its user's alone; these get what the user's umask gives, as other programs' files do.
package enum OutputFileMode {
    /// The umask that the user started the program with.
    package static let userMask = Atomic<UInt32>(0o022)

    /// Gives a file that was just made its mode. A path may lead to another file by now, which would be opened to all.
    static func apply(to descriptor: Int32) { fchmod(descriptor, 0o666 & ~userMask.load(ordering: .relaxed)) }

    /// The same of a folder, unless it is no folder of this user's any more.
    static func apply(toFolder path: String) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        fchmod(folder, 0o777 & ~userMask.load(ordering: .relaxed))
        close(folder)
    }
}

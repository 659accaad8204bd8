import Glibc
package import Synchronization

/// The access mode of what outputs write for others: recordings and named pipes.
///
/// The program's own files are its user's alone; these get what the user's umask gives, as other programs' files do.
package enum OutputFileMode {
    /// The umask that the user started the program with.
    package static let userMask = Atomic<UInt32>(0o022)

    /// Gives a file its mode.
    static func apply(to path: String) { chmod(path, 0o666 & ~userMask.load(ordering: .relaxed)) }
}

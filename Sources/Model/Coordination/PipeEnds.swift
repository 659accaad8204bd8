import Glibc

/// The two ends of a new pipe, which no program gets that another thread starts meanwhile.
package struct PipeEnds: Sendable {
    /// The end that is read.
    package let reading: Int32
    /// The end that is written.
    package let writing: Int32

    /// Makes a pipe, whose ends are the caller's to close; throws the system's error.
    package init() throws(ChildProgram.Failure) {
        var ends: [Int32] = [-1, -1]
        guard let make = Self.make else { throw ChildProgram.Failure(code: ENOSYS) }
        guard make(&ends, O_CLOEXEC) == 0 else { throw ChildProgram.Failure(code: errno) }
        (reading, writing) = (ends[0], ends[1])
    }

    private typealias Make = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    /// `pipe2`, which Swift's Glibc module hides: a program that is started between `pipe` and `fcntl` has both ends.
    private static let make = dlsym(nil, "pipe2").map { unsafeBitCast($0, to: Make.self) }
}

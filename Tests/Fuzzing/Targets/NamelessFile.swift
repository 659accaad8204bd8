import Glibc

/// A file that is gone with the process, and is written anew for every input.
struct NamelessFile {
    private let descriptor: Int32

    /// Makes it where temporary files lie.
    init() {
        var name = Array("\(Self.folder)/segue-fuzz-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        unlink(name)
    }

    /// The folder of temporary files.
    static let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

    /// A path that leads to it, for this process.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Replaces what is in it.
    ///
    /// - Throws: `FuzzFinding` with the reason when that can't be done.
    func write(_ bytes: [UInt8]) throws {
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw FuzzFinding("\(path) can't be written: \(String(cString: strerror(errno)))")
        }
    }
}

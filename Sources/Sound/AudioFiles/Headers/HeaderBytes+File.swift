import Glibc
import MusicModel

extension HeaderBytes {
    /// Opens a file for as long as `body` asks for its bytes; nil where there is no such file.
    /// - Isolation: blocks for the reading.
    static func reading<Result>(_ path: String, _ body: (HeaderBytes) -> Result?) -> Result? {
        guard let opened = try? RegularFile.open(path) else { return nil }
        defer { close(opened.descriptor) }
        return body(HeaderBytes(opened.descriptor, size: opened.size))
    }

    /// Reads what lies in an open file from a position on.
    init(_ descriptor: Int32, from base: Int64 = 0, size: Int64) {
        self.init(size: size) { offset, count in
            let count = Int(min(Int64(count), max(0, size.subtractingClamped(offset))))
            return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(base + offset)))
            }
        }
    }
}

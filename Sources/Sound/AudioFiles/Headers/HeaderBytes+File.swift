import Glibc
import MusicModel

extension HeaderBytes {
    /// Opens a file for as long as `body` asks for its bytes; nil where there is no such file.
    /// - Isolation: blocks for the reading.
    static func reading<Result>(_ path: String, _ body: (HeaderBytes) -> Result?) -> Result? {
        guard let opened = try? RegularFile.open(path) else { return nil }
        defer { close(opened.descriptor) }
        return body(
            HeaderBytes(size: opened.size) { offset, count in
                let count = Int(min(Int64(count), max(0, opened.size.subtractingClamped(offset))))
                return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                    filled = max(0, pread(opened.descriptor, buffer.baseAddress, count, off_t(offset)))
                }
            })
    }
}

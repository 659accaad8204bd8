package import NIOCore

/// Keeps an answer in memory, up to a limit, for a caller that reads it as lines.
package final class CollectedAnswer: ResponseSink {
    private var bytes: [UInt8] = []
    private let limit: Int

    /// Keeps up to `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// Keeps more bytes.
    ///
    /// - Throws: `AckError` when the answer is longer than the limit.
    package func send(_ more: ByteBuffer) async throws {
        guard more.readableBytes <= limit - bytes.count else { throw AckError(.system, "The answer is too long") }
        bytes.append(contentsOf: more.readableBytesView)
    }

    /// The answer's lines of the form `key: value`, in their order.
    package var lines: [(key: String, value: String)] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
    }
}

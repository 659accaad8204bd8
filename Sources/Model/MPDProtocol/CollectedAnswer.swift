package import NIOCore

/// Keeps answers of commands in memory, up to a limit, for a caller that reads them as keys and values.
package final class CollectedAnswer: ResponseSink {
    /// The answer to one command.
    package struct Contents: Sendable {
        /// Keys and values in their order.
        package var pairs: [(key: String, value: String)] = []
        /// Bytes of an answer, such as a picture.
        package var binary: ByteBuffer?
    }

    /// Sets memory aside for this many bytes of answers, for as long as what it returns is kept.
    package typealias Reserving = @Sendable (_ bytes: Int) async throws -> any Sendable

    private var collected = ByteBuffer()
    private var left: Int
    private let refusal: any Error
    private let reserving: Reserving?
    /// How many bytes more are taken before memory is set aside.
    private var free = CollectedAnswer.step
    private var reserved: [any Sendable] = []

    /// Short answers take memory without a word, longer ones ask for it in steps of this many bytes.
    private static let step = 256 << 10

    /// Keeps up to `limit` bytes, and throws `refusal` for more; `reserving` sets memory aside for long answers.
    package init(
        limit: Int, refusal: any Error = AckError(.system, "The answer is too long"), reserving: Reserving? = nil
    ) {
        left = limit
        self.refusal = refusal
        self.reserving = reserving
    }

    /// Keeps more bytes; throws the refusal beyond the limit, or what `reserving` throws.
    package func send(_ more: ByteBuffer) async throws {
        guard more.readableBytes <= left else { throw refusal }
        left -= more.readableBytes
        if let reserving, more.readableBytes > free {
            let bytes = (more.readableBytes / Self.step + 1) * Self.step
            reserved.append(try await reserving(bytes))
            free += bytes
        }
        free -= more.readableBytes
        collected.writeImmutableBuffer(more)
    }

    /// The answer that was collected since the last time.
    package func take() -> Contents { Contents(takeBytes()) }

    /// The same as bytes, for callers that take long answers apart off the event loop.
    package func takeBytes() -> ByteBuffer {
        defer { collected = ByteBuffer() }
        return collected
    }
}

extension CollectedAnswer.Contents {
    /// Takes an answer's lines apart.
    package init(_ answer: ByteBuffer) {
        var rest = answer.readableBytesView
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A }
            rest = rest.dropFirst(line.count + 1)
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let key = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[line.index(after: colon)...].dropFirst(), as: UTF8.self)
            guard key == "binary", let size = Int(value), (0...rest.count).contains(size) else {
                pairs.append((key, value))
                continue
            }
            binary = ByteBuffer(bytes: rest.prefix(size))
            rest = rest.dropFirst(size + 1)
        }
    }
}

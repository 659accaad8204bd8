package import MusicModel
package import NIOCore

/// Where a writer's full buffers go: a socket, or an array in a test.
package protocol ResponseSink: AnyObject {
    /// Hands over bytes and suspends until more may be written; throws when the client is gone.
    func send(_ bytes: ByteBuffer) async throws
}

/// Collects an answer in one buffer and hands it on in chunks of about 64 KiB.
package struct ResponseWriter {
    /// The bytes that were not handed on yet.
    package var buffer: ByteBuffer
    /// Where they go; nil for a writer that is never flushed.
    package let sink: (any ResponseSink)?
    /// How many bytes are collected before they are handed on.
    package static let chunkSize = 64 * 1024
    /// The longest line that clients of libmpdclient accept, with its key and its line feed.
    package static let lineLimit = 4095

    /// Makes an empty writer in front of `sink`.
    package init(sink: (any ResponseSink)? = nil, buffer: ByteBuffer = ByteBuffer()) {
        self.sink = sink
        self.buffer = buffer
    }

    // MARK: Lines

    /// Appends `key` (with its colon and space) and a text, cut between two characters beyond `lineLimit`.
    package mutating func line(_ key: StaticString, _ value: String) { line(key, "", value) }

    /// Appends `key` (with its colon and space) and a number, and ends the line.
    package mutating func line(_ key: StaticString, _ value: Int) {
        let prefix = key.utf8CodeUnitCount
        // One step for the whole line: `status` and `plchangesposid` are made of these.
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: prefix + Self.maxNumberLength + 1) { target in
            target.copyMemory(from: UnsafeRawBufferPointer(start: key.utf8Start, count: prefix))
            let end = target.writeNumber(value, at: prefix)
            target[end] = UInt8(ascii: "\n")
            return end + 1
        }
    }

    /// Appends `key` (with its colon and space) and a number, and ends the line.
    package mutating func line(_ key: StaticString, _ value: UInt32) { line(key, Int(value)) }

    /// Appends `key` (with its colon and space) and a number, and ends the line.
    package mutating func line(_ key: StaticString, _ value: some BinaryInteger) { line(key, Int(clamping: value)) }

    /// Appends `key` (with its colon and space) and `0` or `1`, and ends the line.
    package mutating func line(_ key: StaticString, _ value: Bool) { line(key, value ? 1 : 0) }

    /// Appends `key` (with its colon and space) and seconds with three decimals, and ends the line.
    package mutating func line(_ key: StaticString, _ value: Duration) {
        buffer.writeStaticString(key)
        seconds(value)
        endLine()
    }

    /// Appends `key` (with its colon and space) and a decimal number without needless zeros: `-17`, `1.5`.
    package mutating func line(_ key: StaticString, decimal value: Double) {
        let isWhole = value == value.rounded() && abs(value) < 1e15
        line(key, isWhole ? "\(Int(value))" : "\(value)")
    }

    /// Appends `key` (with its colon and space) and a time in UTC such as `2024-05-17T20:03:59Z`, and ends the line.
    package mutating func line(_ key: StaticString, unixTime: Int64) { line(key, TimeStamp.text(unixTime)) }

    /// Appends a tag's line, such as `Artist: Björk`.
    package mutating func line(_ tag: Tag, _ value: String) { line(tag.wireName, ": ", value) }

    /// Writes the line break.
    package mutating func endLine() { buffer.writeInteger(UInt8(ascii: "\n")) }

    // MARK: Parts of lines

    /// Appends a text without line feeds, replacing those it has by spaces.
    package mutating func text(_ value: String) { text(value, limit: .max) }

    /// Appends a text that was written into the program.
    package mutating func text(_ value: StaticString) { buffer.writeStaticString(value) }

    private mutating func text(_ value: String, limit: Int) {
        var value = value
        value.withUTF8 { utf8 in
            let count = utf8.lengthOfText(limit: limit)
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
                target.copyText(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(utf8)[..<count]))
                return count
            }
        }
    }

    /// Appends a whole line in one step, which is what most bytes of most answers come from.
    private mutating func line(_ key: StaticString, _ separator: StaticString, _ value: String) {
        let prefix = key.utf8CodeUnitCount + separator.utf8CodeUnitCount
        var value = value
        value.withUTF8 { utf8 in
            let count = utf8.lengthOfText(limit: Self.lineLimit - prefix - 1)
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: prefix + count + 1) { target in
                target.copyMemory(from: UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
                UnsafeMutableRawBufferPointer(rebasing: target[key.utf8CodeUnitCount...]).copyMemory(
                    from: UnsafeRawBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount))
                UnsafeMutableRawBufferPointer(rebasing: target[prefix...]).copyText(
                    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(utf8)[..<count]))
                target[prefix + count] = UInt8(ascii: "\n")
                return prefix + count + 1
            }
        }
    }

    /// Appends the digits of a number.
    package mutating func number(_ value: Int) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.maxNumberLength) { $0.writeNumber(value, at: 0) }
    }

    private static let maxNumberLength = 20

    /// Appends seconds with three decimals, rounded to the nearest millisecond.
    private mutating func seconds(_ value: Duration) {
        let milliseconds = value.roundedMilliseconds
        if milliseconds < 0 { buffer.writeStaticString("-") }
        let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        number(Int(whole))
        buffer.writeStaticString(rest < 10 ? ".00" : rest < 100 ? ".0" : ".")
        number(Int(rest))
    }

    /// Appends bytes as they are.
    package mutating func bytes(_ value: some Sequence<UInt8>) { buffer.writeBytes(value) }

    /// Appends `binary: N`, the bytes and a line feed; suspends, so that a client that reads slowly holds no copy.
    package mutating func binary(_ chunk: ArraySlice<UInt8>) async throws {
        line("binary: ", chunk.count)
        var rest = chunk
        while !rest.isEmpty {
            buffer.writeBytes(rest.prefix(Self.chunkSize))
            rest = rest.dropFirst(Self.chunkSize)
            try await flushIfFull()
        }
        endLine()
    }

    // MARK: Ends of answers

    /// Appends the end of an answer without an error.
    package mutating func ok() { buffer.writeStaticString("OK\n") }

    /// Appends what stands between the answers of a list begun with `command_list_ok_begin`.
    package mutating func listOK() { buffer.writeStaticString("list_OK\n") }

    /// Appends the end of an answer with an error, cut to `lineLimit`; `command` is empty where MPD names none.
    package mutating func ack(_ error: AckError, index: Int, command: String) {
        let start = buffer.writerIndex
        buffer.writeStaticString("ACK [")
        number(error.code.rawValue)
        buffer.writeStaticString("@")
        number(index)
        buffer.writeStaticString("] {")
        text(command, limit: 256)
        buffer.writeStaticString("} ")
        text(error.message, limit: Self.lineLimit - 1 - (buffer.writerIndex - start))
        endLine()
    }

    // MARK: Handing on

    /// A copy of the bytes that were not handed on yet.
    package var collected: [UInt8] { Array(buffer.readableBytesView) }

    /// True if there are enough bytes for a chunk.
    package var isFull: Bool { buffer.readableBytes >= Self.chunkSize }

    /// Hands the collected bytes on if there are enough of them for a chunk.
    package mutating func flushIfFull() async throws { if isFull { try await flush() } }

    /// Hands all collected bytes on and waits until the client has taken enough.
    package mutating func flush() async throws {
        guard buffer.readableBytes > 0 else { return }
        // A sink that wrote them at once has let go of the storage, which is then used again.
        defer { buffer.clear() }
        try await sink?.send(buffer)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// How much of a text fits into `limit` bytes without cutting a character.
    fileprivate func lengthOfText(limit: Int) -> Int {
        guard count > limit else { return count }
        var end = Swift.max(0, limit)
        while end > 0, UTF8.isContinuation(self[end]) { end -= 1 }
        return end
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Writes sign and digits of a number at `start` and returns where they end.
    fileprivate func writeNumber(_ value: Int, at start: Int) -> Int {
        var start = start
        if value < 0 {
            self[start] = UInt8(ascii: "-")
            start += 1
        }
        var rest = value.magnitude
        var end = start + 1
        var limit: UInt = 10
        while rest >= limit, end < start + 19 {
            end += 1
            limit *= 10
        }
        var index = end
        // Two digits for each division.
        while rest >= 10 {
            let pair = Self.pairs + Int(truncatingIfNeeded: rest % 100) &* 2
            rest /= 100
            index -= 2
            (self[index], self[index + 1]) = (pair[0], pair[1])
        }
        if index > start { self[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
        return end
    }

    /// The digits of 0 to 99, two for each.
    private static var pairs: UnsafePointer<UInt8> {
        let digits: StaticString = """
            0001020304050607080910111213141516171819\
            2021222324252627282930313233343536373839\
            4041424344454647484950515253545556575859\
            6061626364656667686970717273747576777879\
            8081828384858687888990919293949596979899
            """
        return digits.utf8Start
    }

    /// Copies a text to the front and replaces line feeds and NUL, of which there are next to none, by spaces.
    fileprivate func copyText(_ text: UnsafeRawBufferPointer) {
        copyMemory(from: text)
        // Without an early exit this compiles to vector instructions.
        var found: UInt8 = 0
        for byte in text { found |= (byte == 10 ? 1 : 0) | (byte == 0 ? 1 : 0) }
        guard found != 0 else { return }
        for index in text.indices where text[index] == 10 || text[index] == 0 { self[index] = 32 }
    }
}

extension Duration {
    var roundedMilliseconds: Int64 {
        let parts = components
        let (product, overflow) = parts.seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return parts.seconds < 0 ? .min / 2 : .max / 2 }
        let half: Int64 = parts.attoseconds < 0 ? -500_000_000_000_000 : 500_000_000_000_000
        return product &+ (parts.attoseconds + half) / 1_000_000_000_000_000
    }

    /// Whole seconds as MPD rounds them: from milliseconds, half upwards.
    package var roundedSeconds: Int { Int(roundedMilliseconds.addingClamped(500) / 1000) }

    /// The duration in whole seconds, a half to the even one, as C++'s `std::chrono::round` does.
    package var evenlyRoundedSeconds: Int { Int((Double(roundedMilliseconds) / 1000).rounded(.toNearestOrEven)) }
}

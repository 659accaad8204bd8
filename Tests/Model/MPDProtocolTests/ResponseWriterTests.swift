import MPDProtocol
import MusicModel
import NIOCore
import Testing

/// Keeps what is sent.
private final class CollectingSink: ResponseSink {
    var chunks: [ByteBuffer] = []

    func send(_ bytes: ByteBuffer) async throws { chunks.append(bytes) }
}

private func written(_ body: (inout ResponseWriter) -> Void) -> String {
    var writer = ResponseWriter(sink: CollectingSink())
    body(&writer)
    return String(buffer: writer.buffer)
}

@Suite("Answers")
struct ResponseWriterTests {
    @Test("numbers", arguments: [0, 7, -7, 10, 99, 1_234_567_890, Int.max, .min])
    func numbers(value: Int) {
        #expect(written { $0.line("n: ", value) } == "n: \(value)\n")
    }

    @Test("numbers of every length")
    func everyLength() {
        var power = 1
        for _ in 0..<19 {
            for value in [power - 1, power, power + 1, power * 5, power / 9 * 8, -power] {
                #expect(written { $0.number(value) } == "\(value)")
            }
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        for value in 0...1000 { #expect(written { $0.number(value) } == "\(value)") }
    }

    @Test("numbers of other types")
    func otherNumbers() {
        #expect(written { $0.line("n: ", UInt32.max) } == "n: 4294967295\n")
        #expect(written { $0.line("n: ", true) } == "n: 1\n")
        #expect(written { $0.line("n: ", decimal: -17.0) } == "n: -17\n")
        #expect(written { $0.line("n: ", decimal: 0.5) } == "n: 0.5\n")
    }

    @Test(
        "durations have three decimals",
        arguments: [
            (Duration.zero, "0.000"), (.milliseconds(1), "0.001"), (.milliseconds(12_345), "12.345"),
            (.microseconds(1_999_600), "2.000"), (.seconds(3600), "3600.000"), (.milliseconds(-1500), "-1.500"),
        ])
    func durations(value: Duration, text: String) {
        #expect(written { $0.line("elapsed: ", value) } == "elapsed: \(text)\n")
    }

    @Test(
        "formats, of which DSD's counts in multiples of a CD's rate",
        arguments: [
            (AudioFormat(sampleRate: 96_000, sample: .integer(bits: 24), channels: 2), "96000:24:2"),
            (AudioFormat(sampleRate: 48_000, sample: .float, channels: 6), "48000:f:6"),
            (AudioFormat(sampleRate: 44_100, sample: .unknown, channels: 0), "44100:*:*"),
            (AudioFormat(sampleRate: 705_600, sample: .dsd, channels: 2), "dsd128:2"),
        ])
    func formats(format: AudioFormat, text: String) {
        #expect(format.wireText == text)
    }

    @Test("a track of a cue sheet names the song that it is a part of, before its place there")
    func tracks() {
        let range = SongRange(start: .seconds(20), end: .milliseconds(40_493))
        let track = Song(
            uri: "a/disc.cue/track0002", tags: [TagValue(.title, "Two")], lastModified: 0, range: range,
            wholeURI: "a/disc.flac")
        let lines = written { $0.song(track, mask: .standard) }.split(separator: "\n")
        #expect(
            lines == [
                "file: a/disc.cue/track0002", "RealUri: a/disc.flac", "Range: 20.000-40.493",
                "Last-Modified: 1970-01-01T00:00:00Z", "Title: Two",
            ])
    }

    @Test("a value never brings a line of its own")
    func lineFeeds() {
        #expect(written { $0.line("Title: ", "a\nb\0c\r\nd") } == "Title: a b c\r d\n")
        #expect(written { $0.line(.comment, "a\nOK\n") } == "Comment: a OK \n")
    }

    @Test("a line stays below 4,096 bytes and ends between two characters", arguments: ["x", "é", "🎵"])
    func longLines(character: Character) {
        let long = String(repeating: character, count: 10_000)
        let line = written { $0.line(.comment, long) }
        #expect(line.utf8.count <= 4095)
        #expect(line.utf8.count > 4095 - 4)
        #expect(line.hasPrefix("Comment: \(character)"))
        #expect(line.dropFirst(9).dropLast().allSatisfy { $0 == character })
        #expect(written { $0.line("Comment: ", long) } == line)
    }

    @Test("errors as MPD writes them")
    func errors() {
        let error = AckError(.unknown, "unknown command \"x\"")
        #expect(written { $0.ack(error, index: 3, command: "") } == "ACK [5@3] {} unknown command \"x\"\n")
        #expect(
            written { $0.ack(AckError(.noExist, "No such\nsong"), index: 0, command: "playid") }
                == "ACK [50@0] {playid} No such song\n")
        let long = AckError(.argument, String(repeating: "é", count: 9000))
        #expect(written { $0.ack(long, index: 0, command: "add") }.utf8.count <= 4095)
    }

    @Test("binary chunks, also the empty one at the end")
    func binary() async throws {
        var writer = ResponseWriter(sink: CollectingSink())
        try await writer.binary([65, 10, 66])
        try await writer.binary([])
        #expect(String(buffer: writer.buffer) == "binary: 3\nA\nB\nbinary: 0\n\n")
    }

    @Test("a large binary chunk is handed on in pieces, whole and in order")
    func largeBinary() async throws {
        let sink = CollectingSink()
        var writer = ResponseWriter(sink: sink)
        let bytes = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try await writer.binary(bytes[3...])
        #expect(writer.buffer.readableBytes < 2 * ResponseWriter.chunkSize)
        #expect(sink.chunks.allSatisfy { $0.readableBytes < 2 * ResponseWriter.chunkSize })
        try await writer.flush()
        let sent = sink.chunks.flatMap { Array($0.readableBytesView) }
        #expect(sent == Array("binary: 1000000\n".utf8) + bytes[3...] + [10])
    }

    @Test("chunks are handed on in order and nothing twice")
    func flushing() async throws {
        let sink = CollectingSink()
        var writer = ResponseWriter(sink: sink)
        for number in 0..<20_000 {
            writer.line("number: ", number)
            try await writer.flushIfFull()
        }
        try await writer.flush()
        try await writer.flush()
        let text = sink.chunks.map { String(buffer: $0) }.joined()
        #expect(text == (0..<20_000).map { "number: \($0)\n" }.joined())
        #expect(sink.chunks.count == text.utf8.count / ResponseWriter.chunkSize + 1)
    }
}

@Suite("Songs")
struct SongWriterTests {
    @Test("a song with everything is written in MPD's order")
    func everything() {
        let song = Song(
            uri: "Ö/a.flac",
            tags: [TagValue(.artist, "A"), TagValue(.artist, "B"), TagValue(.comment, "c"), TagValue(.title, "T")],
            duration: .milliseconds(1500), lastModified: 1_715_976_239, added: 0,
            format: AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2))
        let block = String(decoding: SongBlock.text(of: song, mask: .standard), as: UTF8.self)
        #expect(
            block == """
                file: Ö/a.flac
                Last-Modified: 2024-05-17T20:03:59Z
                Added: 1970-01-01T00:00:00Z
                Format: 44100:16:2
                Artist: A
                Artist: B
                Title: T
                Time: 2
                duration: 1.500

                """)
    }

    @Test("a song of which nothing is known has one line")
    func nothing() {
        let block = SongBlock.text(of: Song(uri: "x"), mask: .everything)
        #expect(String(decoding: block, as: UTF8.self) == "file: x\n")
    }

    @Test("no tag can break the block", arguments: 0..<10)
    func hostileTags(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let tags = Tag.allCases.map { tag in
            TagValue(
                tag, String(decoding: random.bytes(upTo: 9000, from: [0, 10, 13, 58, 65, 0xC3, 0xA9]), as: UTF8.self))
        }
        let block = SongBlock.text(of: Song(uri: "a\nb", tags: tags, duration: .seconds(1)), mask: .everything)
        let lines = block.split(separator: 10, omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == 1 + tags.count + 2)
        #expect(lines.allSatisfy { $0.count < 4095 && !$0.contains(0) })
    }
}

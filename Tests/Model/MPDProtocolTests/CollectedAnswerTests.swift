import MPDProtocol
import NIOCore
import Synchronization
import Testing

@Suite("Answers that are collected")
struct CollectedAnswerTests {
    private struct Refused: Error {}

    @Test("are keys, values and bytes, or just bytes to be taken apart elsewhere")
    func contents() async throws {
        let answer = CollectedAnswer(limit: 1000)
        let text = "file: a: b\nsize: 4\nbinary: 3\n\0\n:\nodd\nTitle: x\n"
        try await answer.send(ByteBuffer(string: text))
        let taken = answer.take()
        #expect(taken.pairs.map(\.key) == ["file", "size", "Title"])
        #expect(taken.pairs.map(\.value) == ["a: b", "4", "x"])
        #expect(taken.binary == ByteBuffer(string: "\0\n:"))
        try await answer.send(ByteBuffer(string: text))
        #expect(answer.takeBytes() == ByteBuffer(string: text))
        #expect(answer.take().pairs.isEmpty)
    }

    @Test("have a limit for all of them together")
    func limit() async throws {
        let answer = CollectedAnswer(limit: 10, refusal: Refused())
        try await answer.send(ByteBuffer(string: "12345"))
        _ = answer.take()
        try await answer.send(ByteBuffer(string: "12345"))
        await #expect(throws: Refused.self) { try await answer.send(ByteBuffer(string: "6")) }
    }

    @Test("have memory set aside for what is long, as long as they are kept, and end where there is none")
    func memory() async throws {
        let (asked, kept) = (Counter(), Counter())
        var answer: CollectedAnswer? = CollectedAnswer(limit: 8 << 20) { bytes in
            guard asked.value.add(bytes, ordering: .relaxed).newValue < 2 << 20 else { throw Refused() }
            return Token(kept)
        }
        let piece = ByteBuffer(repeating: 0x41, count: 64 << 10)
        for _ in 0..<4 { try await answer?.send(piece) }
        #expect(asked.value.load(ordering: .relaxed) == 0)
        for _ in 0..<8 { try await answer?.send(piece) }
        #expect((512 << 10...1 << 20).contains(asked.value.load(ordering: .relaxed)))
        #expect(kept.value.load(ordering: .relaxed) > 0)
        await #expect(throws: Refused.self) {
            for _ in 0..<100 { try await answer?.send(piece) }
        }
        answer = nil
        #expect(kept.value.load(ordering: .relaxed) == 0)
    }
}

private final class Counter: Sendable {
    let value = Atomic(0)
}

/// Memory that is set aside.
private final class Token: Sendable {
    private let counter: Counter

    init(_ counter: Counter) {
        self.counter = counter
        counter.value.add(1, ordering: .relaxed)
    }

    deinit { counter.value.subtract(1, ordering: .relaxed) }
}

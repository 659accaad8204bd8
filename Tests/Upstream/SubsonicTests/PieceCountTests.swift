import Testing

@testable import Subsonic

@Suite("Pieces of answers")
struct PieceCountTests {
    @Test("tens of thousands of pieces of a byte end an answer")
    func tiny() {
        var count = PieceCount()
        #expect(throws: TinyPieces.self) { for _ in 0..<20_001 { try count.add(1) } }
    }

    @Test("pieces of an ordinary size, and some small ones among them, don't", arguments: [64, 1_400, 65_536, Int.max])
    func ordinary(size: Int) throws {
        var count = PieceCount()
        for _ in 0..<20_000 { try count.add(0) }
        var large = PieceCount()
        for _ in 0..<100_000 { try large.add(size) }
    }

    @Test("a byte now and then ends an answer after a minute")
    func dripping() throws {
        var count = PieceCount()
        let start = ContinuousClock.now
        for second in 0..<60 { try count.add(1, at: start + .seconds(second)) }
        #expect(throws: TinyPieces.self) { try count.add(1, at: start + .seconds(62)) }
        #expect(throws: TinyPieces.self) { try count.add(1, at: start + .seconds(Int64.max / 4)) }
    }

    @Test("an answer over a slow line has the time that it needs")
    func slow() throws {
        var count = PieceCount()
        let start = ContinuousClock.now
        for second in 0..<3600 { try count.add(1_100, at: start + .seconds(second)) }
    }
}

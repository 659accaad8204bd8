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
}

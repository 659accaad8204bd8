import Foundation
import Testing

@testable import ProcessControl

@Suite("The C library's heap")
struct HeapArenasTests {
    /// The bytes of pieces that were freed and wait to be joined, in all arenas; nil where the C library
    /// doesn't say.
    private func unjoined() throws -> Int? {
        guard let symbol = dlsym(nil, "malloc_info") else { return nil }
        typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        let file = try #require(tmpfile())
        defer { fclose(file) }
        #expect(unsafeBitCast(symbol, to: MallocInfo.self)(0, file) == 0)
        rewind(file)
        var text = [UInt8](repeating: 0, count: 1 << 20)
        let length = fread(&text, 1, text.count, file)
        // The arenas' own lines come before the one of all.
        let totals = String(decoding: text[..<length], as: UTF8.self).matches(of: /<total type="fast" .*size="(\d+)"/)
        return totals.last.flatMap { Int($0.1) }
    }

    @Test("what is freed joins at once, so that no million pieces have to be joined later")
    func joins() throws {
        HeapArenas.share()
        guard let before = try unjoined() else { return }
        let pieces = (0..<20_000).map { _ in malloc(64) }
        for piece in pieces { free(piece) }
        #expect(try #require(try unjoined()) - before < 500_000)
    }
}

import Foundation
import Testing

@testable import Supervision

@Suite("The C library's heap")
struct HeapArenasTests {
    @Test("what is freed joins at once, so that no million pieces have to be joined later")
    func joins() async {
        // In a process of its own, whose heap no other test uses.
        await #expect(processExitsWith: .success) { try freeMany() }
    }
}

private func freeMany() throws {
    HeapArenas.share()
    let report = try HeapReport()
    let pieces = (0..<20_000).map { _ in malloc(64) }
    // The list of them is a large piece itself, with which all would be joined.
    try withExtendedLifetime(pieces) {
        for piece in pieces { free(piece) }
        guard let unjoined = try report.unjoined() else { return }
        #expect(unjoined < 500_000)
    }
}

/// What the C library says of its heap, into a file whose buffer is there before: a request for one would join all
/// pieces.
private final class HeapReport {
    private let file: UnsafeMutablePointer<FILE>
    private let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: 1 << 16)

    init() throws {
        file = try #require(tmpfile())
        setvbuf(file, buffer, _IOFBF, 1 << 16)
    }

    deinit {
        fclose(file)
        buffer.deallocate()
    }

    /// The bytes of pieces that were freed and wait to be joined, in all arenas; nil where the C library doesn't
    /// say.
    func unjoined() throws -> Int? {
        guard let symbol = dlsym(nil, "malloc_info") else { return nil }
        typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        #expect(unsafeBitCast(symbol, to: MallocInfo.self)(0, file) == 0)
        rewind(file)
        var text = [UInt8](repeating: 0, count: 1 << 20)
        let length = fread(&text, 1, text.count, file)
        // The arenas' own lines come before the one of all.
        let totals = String(decoding: text[..<length], as: UTF8.self)
            .matches(of: /<total type="fast" .*size="(\d+)"/)
        return totals.last.flatMap { Int($0.1) }
    }
}

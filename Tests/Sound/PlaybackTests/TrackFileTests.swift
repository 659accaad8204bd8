import Coordination
import MusicModel
import Testing

@testable import Playback

@Suite("A song's bytes that are still arriving")
struct TrackFileTests {
    private func file() -> TrackFile { TrackFile(path: "/nowhere", suffix: "flac") }

    /// What a wait on another thread comes to, once something is done about the file after it has begun.
    private func outcome(of file: TrackFile, waitingFor offset: Int64, _ body: () -> Void) -> TrackFile.Wait? {
        let found = Monitor((isAtIt: false, outcome: TrackFile.Wait?.none))
        let isStarted = BlockingThread.start("reader") {
            found.update { $0.isAtIt = true }
            let outcome = file.wait(for: offset, milliseconds: 60_000)
            found.update { $0.outcome = outcome }
        }
        guard isStarted, found.wait(milliseconds: 30_000, { $0.isAtIt ? true : nil }) == true else { return nil }
        // Done again and again, as the reader may only be about to wait.
        for _ in 1...1_000 {
            body()
            if let outcome = found.wait(milliseconds: 10, { $0.outcome }) { return outcome }
        }
        return nil
    }

    @Test("a reader goes on when its byte has arrived")
    func arrived() {
        let file = file()
        #expect(outcome(of: file, waitingFor: 9) { file.advance(to: 10, total: 20) } == .available)
        #expect(file.current == TrackFile.Extent(available: 10, total: 20, isComplete: false, failure: nil))
    }

    @Test("a reader beyond the end learns of it when the file is whole")
    func whole() {
        let file = file()
        file.advance(to: 10, total: nil)
        #expect(outcome(of: file, waitingFor: 10) { file.complete() } == .end)
        #expect(file.current.total == 10)
    }

    @Test("a reader learns that its bytes will not come, and others still get those that are there")
    func failed() {
        let file = file()
        file.advance(to: 10, total: nil)
        #expect(outcome(of: file, waitingFor: 10) { file.fail("gone") } == .failed("gone"))
        #expect(file.wait(for: 3, milliseconds: 0) == .available)
    }

    @Test("a reader that is called off stops waiting at once")
    func calledOff() {
        let file = file()
        #expect(outcome(of: file, waitingFor: 0) { file.wake() } == .timedOut)
    }

    @Test("parts of a file wait for the same bytes")
    func parts() throws {
        let file = file()
        let part = file.limited(to: try #require(SongRange(start: .seconds(1), end: .seconds(2))))
        #expect(outcome(of: part, waitingFor: 9) { file.advance(to: 10, total: nil) } == .available)
    }
}

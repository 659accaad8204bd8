import MusicModel
import Testing
import UserLibrary

@testable import Players

@Suite("The parts of an auto-DJ's memory")
struct SessionPartsTests {
    private func song(_ number: Int64) -> SongID { SongID(rawValue: number) }
    private func saved(_ mode: String) -> SavedDJ { SavedDJ(mode: mode, adventure: 0) }

    @Test("actions are taken back newest first, and of more than twenty the oldest are forgotten")
    func history() {
        var history = ActionHistory()
        for number in 1...21 { history.note(.changed(before: saved("\(number)"))) }
        var modes: [String] = []
        while case .changed(let before)? = history.takeLast() { modes.append(before.mode) }
        #expect(modes == (2...21).reversed().map { "\($0)" })
        let isEmpty = history.takeLast() == nil
        #expect(isEmpty)
    }

    @Test("a wish is taken back with the entries that were added since, and what came before it stays")
    func wishes() {
        var history = ActionHistory()
        let entries = (1...3).map { QueueEntryID(rawValue: $0) }
        history.note(.added([entries[0]]))
        let none = history.takeLastWish()?.added
        #expect(none == nil)
        history.note(.wished(before: saved("similar"), nil))
        history.note(.added([entries[1]]))
        history.note(.changed(before: saved("genre")))
        history.note(.added([entries[2]]))
        let last = history.takeLastWish()
        #expect(last?.before.mode == "similar" && last?.wish == nil && last?.added == [entries[1], entries[2]])
        guard case .added([entries[0]])? = history.takeLast() else {
            Issue.record("the entry that was added before the wish is gone")
            return
        }
    }

    @Test("sixty songs that were heard are remembered, a failed one is none of them")
    func lineup() {
        var heard = HeardSongs()
        for number in 1...61 { heard.hear(song(Int64(number))) }
        #expect(heard.lineup.count == 60 && heard.lineup.first == song(2))
        heard.fail(song(61), .now)
        #expect(heard.lineup.last == song(60))
    }

    @Test("a song that failed is left out for an hour")
    func failures() {
        var heard = HeardSongs()
        let now = ContinuousClock.now
        heard.fail(song(1), now)
        #expect(heard.failed(now) == [song(1)])
        #expect(heard.failed(now + .seconds(3599)) == [song(1)])
        #expect(heard.failed(now + .seconds(3600)).isEmpty)
    }

    @Test("the five songs that were liked last count, each once; one that is turned down no longer does")
    func taste() {
        var taste = ListenerTaste()
        for number: Int64 in [1, 2, 3, 4, 5, 2, 6] { taste.like(song(number)) }
        #expect(taste.liked == [3, 4, 5, 2, 6].map { song($0) })
        taste.refuse(song(2))
        #expect(taste.liked == [3, 4, 5, 6].map { song($0) } && taste.refused == [song(2)])
        taste.unlike(song(3))
        #expect(taste.liked == [4, 5, 6].map { song($0) } && taste.refused == [song(2)])
    }
}

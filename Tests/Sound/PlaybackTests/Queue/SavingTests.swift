import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Saving and restoring")
@ServerActor
struct SavingTests {
    private func saved() throws -> (SavedQueue, SavedPlayer) {
        let harness = try PlayerHarness(songs: 1...4)
        let player = harness.player
        try player.delete(0..<1)
        let stream = QueueItem.stream(url: "http://radio.example/", tags: [TagValue(.name, "R")])
        try player.insert([QueueCandidate(stream)], at: nil)
        try player.setPriority(5, range: 2..<3)
        player.setRepeat(true)
        player.setConsume(.oneshot)
        player.setVolume(40)
        player.setCrossfade(3)
        player.setMixRampDelay(1.5)
        player.setMixRampThreshold(-17)
        player.setReplayGainMode(.album)
        player.setLastLoadedPlaylist("Quiet")
        #expect(player.setOutput(1, enabled: false))
        try player.setOutput(0, attribute: "volume", to: "30")
        try player.play(position: 1)
        harness.started()
        harness.progress(.seconds(77))
        return (player.savedQueue, player.savedPlayer)
    }

    private func restored(
        _ queue: SavedQueue, _ player: SavedPlayer, resume: ResumePolicy = .pause, gone: Set<Int64> = []
    ) throws -> PlayerHarness {
        let harness = try PlayerHarness()
        harness.player.restore(queue, player, resume: resume) { gone.contains($0.rawValue) ? nil : song($0.rawValue) }
        return harness
    }

    @Test("all of it comes back, in pause at its place, and nothing is loaded")
    func restoring() throws {
        let (queue, player) = try saved()
        let harness = try restored(queue, player)
        #expect(harness.player.savedQueue == queue)
        var paused = player
        paused.state = .pause
        #expect(harness.player.savedPlayer == paused)
        let status = harness.player.status
        #expect(status.state == .pause && status.songPosition == 1 && status.elapsed == .seconds(77))
        #expect(status.duration == .seconds(600) && status.nextPosition == 2 && status.volume == 40)
        #expect(status.queueVersion == queue.version && status.lastLoadedPlaylist == "Quiet")
        #expect(harness.player.replayGainMode == .album)
        #expect(harness.engine.outputs.map(\.isEnabled) == [true, false])
        #expect(harness.engine.outputs.map(\.attributes) == [["volume": "30"], [:]])
        #expect(harness.engine.takeCalls().suffix(3) == [.volume(40), .crossfade(3), .replayGain(.album)])
        #expect(harness.engine.playing == nil && harness.provider.prefetched == [])
        #expect(harness.player.changes(since: queue.version) == [])
        #expect(try harness.player.insert([song(9)], at: nil) == [id(6)])
    }

    @Test("play, pause 0, seek and stop work from there")
    func goingOn() throws {
        let (queue, player) = try saved()
        var harness = try restored(queue, player)
        harness.forget()
        try harness.player.play(position: nil)
        #expect(
            harness.engine.takeCalls() == [.start(source(3), at: .seconds(77), paused: false), .prepare(source(4))])
        harness = try restored(queue, player)
        harness.forget()
        try harness.player.seekCurrent(to: .seconds(3), isRelative: true)
        #expect(harness.engine.takeCalls() == [] && harness.player.status.elapsed == .seconds(80))
        harness.player.pause(true)
        harness.player.pause(nil)
        #expect(harness.engine.playing != nil && harness.state == .play)
        harness = try restored(queue, player)
        harness.forget()
        harness.player.stop()
        #expect(harness.state == .stop && harness.position == 1 && harness.engine.takeCalls() == [])
        #expect(harness.takeChanges() == .player)
        harness = try restored(queue, player)
        try harness.player.next()
        #expect(harness.engine.playing?.source == source(4))
    }

    @Test("resume says what becomes of a song that played")
    func resume() throws {
        var (queue, player) = try saved()
        #expect(try restored(queue, player, resume: .play).engine.playing?.source == source(3))
        #expect(try restored(queue, player, resume: .stop).state == .stop)
        #expect(try restored(queue, player, resume: .stop).position == 1)
        player.state = .pause
        #expect(try restored(queue, player, resume: .play).state == .pause)
        player.state = .stop
        #expect(try restored(queue, player, resume: .play).state == .stop)
        player.position = 99
        #expect(try restored(queue, player).position == nil)
        player.position = -1
        #expect(try restored(queue, player).position == nil)
        queue.entries = []
        player.position = 0
        #expect(try restored(queue, player, resume: .play).player.status.queueLength == 0)
    }

    @Test("songs that are gone are removed; without the current one playback stops")
    func gone() throws {
        let (queue, player) = try saved()
        var harness = try restored(queue, player, gone: [2])
        #expect(harness.songs == [3, 4] && harness.currentSong == 3 && harness.state == .pause)
        #expect(harness.player.status.queueVersion == queue.version + 1)
        #expect(harness.player.changes(since: queue.version) == [0, 1, 2])
        harness = try restored(queue, player, gone: [3])
        #expect(harness.position == nil && harness.state == .stop)
    }

    @Test("songs that are gone come back to their places once they are there again")
    func goneAndBack() throws {
        let (queue, player) = try saved()
        let harness = try restored(queue, player, gone: [2, 3])
        #expect(Set(harness.player.departedSongs.map(\.rawValue)) == [2, 3])
        let found = harness.player.departedSongs.map { ($0, song($0.rawValue)) }
        harness.player.perform { $0.bringBack(Dictionary(uniqueKeysWithValues: found)) }
        #expect(harness.player.savedQueue.entries.map(\.item) == queue.entries.map(\.item))
        #expect(harness.player.savedQueue.entries.map(\.priority) == queue.entries.map(\.priority))
        #expect(harness.position == player.position && harness.player.departedSongs.isEmpty)
    }

    @Test("in random order the restored song comes first")
    func random() throws {
        var (queue, player) = try saved()
        player.isRandom = true
        player.isRepeating = false
        player.consume = .off
        queue.entries = queue.entries.filter { if case .song = $0.item { true } else { false } }
        let harness = try restored(queue, player, resume: .play)
        var heard: [Int64] = []
        while let current = harness.currentSong {
            heard.append(current)
            harness.songEnds()
        }
        #expect(heard.first == 3 && heard.sorted() == [2, 3, 4])
    }

    @Test("the counts move with what must be saved")
    func counts() throws {
        let harness = try PlayerHarness(songs: 1...3)
        let player = harness.player
        func moved(_ change: () throws -> Void) rethrows -> [Bool] {
            let before = (player.queueChangeCount, player.playerChangeCount)
            try change()
            return [player.queueChangeCount != before.0, player.playerChangeCount != before.1]
        }
        #expect(try moved { try player.insert([song(9)], at: nil) }[0])
        #expect(try moved { try player.play(position: 0) } == [false, true])
        #expect(moved { harness.progress(.seconds(3)) } == [false, false])
        #expect(moved { player.setVolume(3) } == [false, true])
        #expect(moved { player.setVolume(3) } == [false, false])
        #expect(moved { player.setLastLoadedPlaylist("A") } == [false, true])
        #expect(moved { _ = player.setOutput(0, enabled: false) } == [false, true])
        #expect(moved { _ = player.status } == [false, false])
    }

    @Test("what differs from the last save makes the saved queue the present one, after any edits", arguments: 0..<20)
    func changes(seed: UInt64) throws {
        var random = OrderGenerator(seed: seed)
        let player = try PlayerHarness(songs: 1...3000, limit: 10_000).player
        try player.insert([QueueCandidate(.stream(url: "http://x", tags: [TagValue(.title, "X")]))], at: nil)
        var stored = Dictionary(uniqueKeysWithValues: player.savedQueue.entries.map { ($0.id, $0) })
        for _ in 0..<10 {
            let saved = player.entries
            for _ in 0..<Int.random(in: 0...3, using: &random) { try edit(player, &random) }
            let changes = player.entries.changes(since: saved, version: player.status.queueVersion)
            for id in changes.gone { #expect(stored.removeValue(forKey: id) != nil) }
            for entry in changes.changed { #expect(stored.updateValue(entry, forKey: entry.id) != entry) }
            let queue = SavedQueue(entries: changes.order.compactMap { stored[$0] }, version: changes.version)
            #expect(queue == player.savedQueue && queue.entries.count == stored.count)
        }
    }

    private func edit(_ player: Player, _ random: inout OrderGenerator) throws {
        let count = player.count
        let position = Int.random(in: 0..<count, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: try player.insert([song(77), song(78)], at: .absolute(position))
        case 1: try player.delete(position..<min(count, position + 700))
        case 2: try player.move(position..<position + 1, to: .absolute(0))
        case 3: try player.swap(position, count - 1)
        case 4: try player.shuffle(position..<count)
        case 5: try player.setPriority(9, range: position..<min(count, position + 2))
        case 6: try player.setRange(id: player.entries.id(at: position), start: .seconds(1), end: .seconds(9))
        case 7: player.setRandom(true)
        default:
            player.clear()
            try player.insert((1...1000).map { song($0) }, at: nil)
        }
    }

    @Test("a small edit of a long queue is found without looking at the rest")
    func smallChange() throws {
        let player = try PlayerHarness(songs: 1...9000, limit: 10_000).player
        let before = player.entries
        try player.swap(10, 8000)
        var looked = 0
        player.entries.forEachSlot(without: before.storages) { _ in looked += 1 }
        #expect(looked > 0 && looked <= 2 * QueueChunks.capacity)
        let moved = player.entries.changes(since: before, version: 7)
        #expect(moved.changed.isEmpty && moved.gone.isEmpty && moved.version == 7)
        #expect(moved.order == player.entries.map(\.id))
    }
}

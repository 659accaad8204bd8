import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Random order")
@ServerActor
struct RandomTests {
    @Test("every song plays once, status names each before it comes, then playback stops", arguments: 1...10)
    func onePass(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...12, seed: seed)
        harness.player.setRandom(true)
        try harness.player.play(position: nil)
        var heard: [Int64] = []
        while let current = harness.currentSong, heard.count < 50 {
            heard.append(current)
            harness.started()
            let next = harness.player.status.nextID
            harness.songEnds()
            #expect(harness.player.status.songID == next)
        }
        #expect(heard.sorted() == Array(1...12) && heard != Array(1...12))
        #expect(harness.state == .stop)
    }

    @Test("repeating, each pass is another order of all songs, and none comes twice running", arguments: 1...10)
    func passes(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...8, seed: seed)
        harness.player.setRandom(true)
        harness.player.setRepeat(true)
        try harness.player.play(position: nil)
        var heard: [Int64] = []
        for turn in 0..<40 {
            heard.append(try #require(harness.currentSong))
            let next = harness.player.status.nextID
            // Edits of other entries and of options don't change what comes next at the end of a pass.
            harness.player.setConsume(.off)
            if turn.isMultiple(of: 3) { try harness.player.next() } else { harness.songEnds() }
            #expect(harness.player.status.songID == next)
        }
        let passes = stride(from: 0, to: 40, by: 8).map { Array(heard[$0..<$0 + 8]) }
        for pass in passes { #expect(pass.sorted() == Array(1...8)) }
        #expect(Set(passes).count > 3)
        #expect(!zip(heard, heard.dropFirst()).contains { $0 == $1 })
    }

    @Test("switched on while playing, the current song comes first and all others after it")
    func switchingOn() throws {
        let harness = try PlayerHarness(songs: 1...10)
        try harness.player.play(position: 4)
        harness.forget()
        harness.player.setRandom(true)
        #expect(harness.takeChanges() == .options)
        #expect(harness.position == 4)
        var heard: [Int64] = []
        while let current = harness.currentSong {
            heard.append(current)
            harness.songEnds()
        }
        #expect(heard.first == 5 && heard.sorted() == Array(1...10))
    }

    @Test("switched off, playback goes on in the queue's order")
    func switchingOff() throws {
        let harness = try PlayerHarness(songs: 1...6)
        harness.player.setRandom(true)
        try harness.player.play(position: 2)
        harness.player.setRandom(false)
        #expect(harness.player.status.nextPosition == 3)
        harness.songEnds()
        #expect(harness.currentSong == 4)
    }

    @Test("switched on when stopped, no song stays current")
    func switchingOnStopped() throws {
        let harness = try PlayerHarness(songs: 1...6)
        try harness.player.play(position: 2)
        harness.player.stop()
        harness.player.setRandom(true)
        #expect(harness.position == nil)
        try harness.player.play(position: nil)
        #expect(harness.position != nil)
    }

    @Test("a song that a client chooses is inserted after the current one", arguments: 1...5)
    func choosing(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...10, seed: seed)
        harness.player.setRandom(true)
        try harness.player.play(position: nil)
        var heard = [try #require(harness.currentSong)]
        let other = harness.player.entries.firstIndex { $0.songID?.rawValue != heard[0] }
        try harness.player.play(position: other)
        while let current = harness.currentSong {
            heard.append(current)
            harness.songEnds()
        }
        #expect(heard.sorted() == Array(1...10))
    }

    @Test("chosen when stopped, a song comes directly before the current one, which follows", arguments: 1...10)
    func choosingStopped(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...10, seed: seed)
        harness.player.setRandom(true)
        try harness.player.play(position: 4)
        harness.player.stop()
        let before = harness.player.machine.current
        let turn = try #require(before)
        try harness.player.play(position: 7)
        #expect(harness.currentSong == 8)
        // One that was ahead moves up to the current one's turn; one behind moves it up by one place.
        #expect([turn, turn - 1].contains(harness.player.machine.current))
        #expect(harness.player.status.nextPosition == 4)
    }

    @Test("songs that are added are drawn in behind the next one", arguments: 1...10)
    func adding(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...6, seed: seed)
        harness.player.setRandom(true)
        try harness.player.play(position: nil)
        var heard: [Int64] = []
        while let current = harness.currentSong, heard.count < 50 {
            heard.append(current)
            if heard.count == 2 {
                let next = harness.player.status.nextID
                try harness.player.insert([song(7), song(8)], at: .absolute(1))
                #expect(harness.player.status.nextID == next)
            }
            harness.songEnds()
        }
        #expect(heard.sorted() == Array(1...8))
    }

    @Test("a prioritised song is next", arguments: 1...5)
    func priorities(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...10, seed: seed)
        harness.player.setRandom(true)
        try harness.player.play(position: 3)
        try harness.player.setPriority(10, range: 6..<8)
        try harness.player.setPriority(20, id: id(2))
        var heard: [Int64] = []
        for _ in 0..<3 {
            harness.songEnds()
            heard.append(try #require(harness.currentSong))
        }
        #expect(heard.first == 2 && heard.sorted() == [2, 7, 8])
        #expect(harness.player.entries.allSatisfy { $0.priority == 0 })
    }

    @Test("consume with repeat plays every song once and leaves nothing", arguments: 1...5)
    func consuming(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...7, seed: seed)
        harness.player.setRandom(true)
        harness.player.setRepeat(true)
        harness.player.setConsume(.on)
        try harness.player.play(position: 3)
        var heard: [Int64] = []
        while let current = harness.currentSong, heard.count < 50 {
            heard.append(current)
            let next = harness.player.status.nextID
            if heard.count.isMultiple(of: 2) { try harness.player.next() } else { harness.songEnds() }
            #expect(harness.player.status.songID == next)
        }
        #expect(heard.sorted() == Array(1...7) && harness.songs.isEmpty)
    }

    @Test("stop shuffles anew but keeps the song current")
    func stopping() throws {
        let harness = try PlayerHarness(songs: 1...10)
        harness.player.setRandom(true)
        try harness.player.play(position: 3)
        harness.player.stop()
        #expect(harness.position == 3)
        try harness.player.play(position: nil)
        #expect(harness.position == 3)
    }

    @Test("stop draws a new order")
    func newOrderAfterStop() throws {
        let harness = try PlayerHarness(songs: 1...30)
        harness.player.setRandom(true)
        try harness.player.play(position: 3)
        let before = turns(harness)
        harness.player.stop()
        #expect(turns(harness) != before && turns(harness).sorted() == before.sorted())
    }

    @Test("deleting the last song of a pass begins the next with the one that was named", arguments: 1...10)
    func deletingTheLast(seed: UInt64) throws {
        let harness = try playingLastOfPass(seed)
        let named = try #require(harness.player.status.nextID)
        try harness.player.delete(id: try #require(harness.player.status.songID))
        var heard: [Int64] = []
        #expect(harness.player.status.songID == named)
        for _ in 0..<harness.player.count {
            heard.append(try #require(harness.currentSong))
            harness.songEnds()
        }
        #expect(heard.sorted() == harness.songs.sorted())
    }

    @Test("a priority that is set in the last song of a pass rules the next pass", arguments: 1...10)
    func prioritisingInTheLast(seed: UInt64) throws {
        let harness = try playingLastOfPass(seed)
        let current = try #require(harness.player.status.songID)
        let raised = try #require(harness.player.entries.first { $0.id != current }?.id)
        // Below the current song's priority, so that it isn't played again in this pass.
        try harness.player.setPriority(9, id: current)
        try harness.player.setPriority(5, id: raised)
        #expect(harness.player.status.nextID == raised)
        harness.songEnds()
        #expect(harness.player.status.songID == raised)
    }

    private func turns(_ harness: PlayerHarness) -> [Int] {
        harness.player.entries.indices.map { harness.player.machine.ordering.order.position(at: $0) }
    }

    private func playingLastOfPass(_ seed: UInt64) throws -> PlayerHarness {
        let harness = try PlayerHarness(songs: 1...6, seed: seed)
        harness.player.setRandom(true)
        harness.player.setRepeat(true)
        try harness.player.play(position: nil)
        for _ in 0..<5 { harness.songEnds() }
        return harness
    }

    @Test("whatever clients do, what is prepared is what status calls next", arguments: 1...30)
    func invariants(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...5, seed: seed)
        let player = harness.player
        var generator = OrderGenerator(seed: seed)
        func draw(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &generator) }
        for _ in 0..<400 {
            let count = player.count
            switch draw(20) {
            case 0, 1: try player.insert([song(Int64(draw(9)))], at: .absolute(draw(count + 1)))
            case 2: try? player.delete(draw(count + 1)..<count)
            case 3: try? player.delete(id: player.current?.entry.id ?? id(0))
            case 4: try? player.move(draw(count)..<count, to: .absolute(0))
            case 5: try? player.swap(draw(count), draw(count))
            case 6: try? player.shuffle(draw(count)..<count)
            case 7: try? player.setPriority(draw(3), range: draw(count)..<count)
            case 8, 9: try? player.play(position: draw(count))
            case 10: try? player.next()
            case 11: try? player.previous()
            case 12: player.pause(nil)
            case 13: player.setRandom(draw(3) > 0)
            case 14: player.setRepeat(draw(2) > 0)
            case 15: player.setSingle(OneshotOption.allValues[draw(3)])
            case 16: player.setConsume(OneshotOption.allValues[draw(3)])
            case 17: try? player.seekCurrent(to: .seconds(draw(900)), isRelative: false)
            case 18: draw(4) == 0 ? player.stop() : harness.songFails()
            default: harness.songEnds()
            }
            check(harness)
        }
    }

    private func check(_ harness: PlayerHarness) {
        let status = harness.player.status
        #expect(status.songPosition == status.songID.flatMap { harness.player.position(of: $0) })
        #expect(status.nextPosition == status.nextID.flatMap { harness.player.position(of: $0) })
        #expect((status.songID == nil) == (harness.player.current == nil))
        let pausesBetween = status.single != .off && !status.isRepeating
        if let playing = harness.engine.playing {
            #expect(status.state != .stop)
            #expect(playing.source == harness.currentSong.map(source))
            let next = status.nextPosition.flatMap { harness.player.entries[$0].songID }.map { source($0.rawValue) }
            #expect(harness.engine.prepared?.source == (pausesBetween ? nil : next))
        } else {
            #expect(
                status.state == .stop || harness.player.machine.place.isAtEnd || harness.player.machine.loaded == nil)
        }
        if status.state == .stop { #expect(harness.engine.playing == nil) }
    }
}

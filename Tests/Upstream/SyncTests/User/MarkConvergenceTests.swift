import Coordination
import Foundation
import LibraryIndex
import MusicModel
import SyncBench
import TestSupport
import Testing
import UserLibrary

@testable import Sync

@Suite("Random edits on both sides")
struct MarkConvergenceTests {
    /// Something that is starred and rated here and there.
    private enum Thing {
        case song(FakeSong)
        case album(FakeSong)
        case artist(FakeSong)

        var serverID: String {
            switch self {
            case .song(let song): song.id
            case .album(let song): song.albumID
            case .artist(let song): FakeSong.artistID(song.artists[0])
            }
        }

        func object(_ bench: MarkBench) async throws -> StickerObject {
            switch self {
            case .song(let song): try await bench.object(song.id)
            case .album(let song): .tag(.album, song.album)
            case .artist(let song): .tag(.artist, song.artists[0])
            }
        }

        /// Star and rating on the server.
        func there(_ server: FakeNavidrome) -> [Int] {
            if case .song(let song) = self, let now = server.song(song.id) {
                return [now.isStarred ? 1 : 0, now.rating]
            }
            let marks = server.marks(of: serverID)
            return [marks.starredAt == nil ? 0 : 1, marks.rating]
        }

        /// What the stickers mean for star and rating; nil means nothing to the server.
        func here(_ bench: MarkBench) async throws -> [Int] {
            let object = try await object(bench)
            let like = try await bench.library.sticker("like", of: object).flatMap { Int($0) } ?? 0
            let rating = try await bench.library.sticker("rating", of: object).flatMap { Int($0) } ?? 0
            return [like == 2 ? 1 : 0, (rating + 1) / 2]
        }
    }

    private func things(_ server: FakeNavidrome) -> [Thing] {
        let songs = server.songs
        return songs.prefix(6).map { .song($0) } + [.album(songs[0]), .album(songs[39]), .artist(songs[0])]
    }

    /// A client's edit, at random.
    private func edit(_ thing: Thing, _ bench: MarkBench, _ random: inout SplitMix64) async throws {
        let object = try await thing.object(bench)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try await bench.library.deleteSticker("rating", of: object)
        case 1: try await bench.library.deleteSticker("like", of: object)
        case 2, 3:
            let value = String(Int.random(in: 0...10, using: &random))
            try await bench.library.setSticker("rating", of: object, to: value)
        default:
            let value = String(Int.random(in: 0...2, using: &random))
            try await bench.library.setSticker("like", of: object, to: value)
        }
    }

    /// Another client's edit on the server, at random.
    private func edit(_ thing: Thing, on server: FakeNavidrome, _ random: inout SplitMix64) {
        if Bool.random(using: &random) {
            server.star(thing.serverID, Bool.random(using: &random))
        } else {
            server.rate(thing.serverID, Int.random(in: 0...5, using: &random))
        }
    }

    private func fault(_ random: inout SplitMix64) -> FakeFault {
        let count = Int.random(in: 1...6, using: &random)
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: FakeFault(.down, count: count)
        // The server does what it is asked, and the answer is lost.
        case 1: FakeFault(.cut(after: 0), match: "tar", count: count)
        case 2: FakeFault(.cut(after: 0), match: "Rating", count: count)
        case 3, 4: FakeFault(.delay(milliseconds: 20), count: count * 2)
        default: FakeFault(.http500, count: count)
        }
    }

    @Test(
        "Two Segues and the server agree in the end, whatever happens on the way",
        arguments: 1...(testsEverything ? 12 : 4) as ClosedRange<UInt64>)
    func agreement(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let server = try await FakeNavidrome.start(songs: 40)
        let benches = [try await MarkBench(server), try await MarkBench(server)]
        let things = things(server)
        var pulls: [Task<Void, Never>] = []
        var pushes: [Int: Task<Void, Never>] = [:]
        for _ in 0..<120 {
            let place = Int.random(in: 0...1, using: &random)
            let bench = benches[place]
            let thing = things[Int.random(in: 0..<things.count, using: &random)]
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<7: try await edit(thing, bench, &random)
            case 7..<10: edit(thing, on: server, &random)
            case 10..<13:
                // It goes on while other things happen, one at a time.
                let (marks, earlier) = (bench.marks, pushes[place])
                pushes[place] = Task {
                    await earlier?.value
                    _ = try? await marks.push()
                }
            case 13..<15: _ = try? await bench.marks.pull()
            case 15..<17:
                let marks = bench.marks
                pulls.append(Task { _ = try? await marks.pull() })
            case 17: try await server.setFaults(fault(&random))
            case 18: _ = try? await bench.walk()
            default:
                for task in pulls + pushes.values { await task.value }
                pulls = []
                try bench.restart()
            }
        }
        for task in pulls + pushes.values { await task.value }
        try await server.setFaults()
        // The first requests may still meet connections that a fault has ended.
        for bench in benches {
            _ = try? await bench.marks.push()
            _ = try? await bench.marks.pull()
        }
        for _ in 0..<3 {
            for bench in benches {
                _ = try await bench.marks.push()
                _ = try await bench.marks.pull()
            }
        }
        for thing in things {
            let there = thing.there(server)
            for bench in benches {
                #expect(try await thing.here(bench) == there, "\(thing.serverID), seed \(seed)")
            }
        }
        for bench in benches {
            #expect(try await bench.isDone())
            try await bench.stop()
        }
        await server.stop()
    }

    @Test(
        "While the server can be reached, the last edit wins, wherever it was made",
        arguments: 1...(testsEverything ? 4 : 2) as ClosedRange<UInt64>)
    func lastEdit(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let server = try await FakeNavidrome.start(songs: 40)
        let bench = try await MarkBench(server)
        let things = things(server)
        for _ in 0..<60 {
            let thing = things[Int.random(in: 0..<things.count, using: &random)]
            if Bool.random(using: &random) {
                try await edit(thing, bench, &random)
                let meant = try await thing.here(bench)
                _ = try await bench.marks.push()
                #expect(thing.there(server) == meant)
            } else {
                edit(thing, on: server, &random)
                let meant = thing.there(server)
                _ = try await bench.marks.pull()
                #expect(try await thing.here(bench) == meant)
            }
        }
        try await bench.stop()
        await server.stop()
    }
}

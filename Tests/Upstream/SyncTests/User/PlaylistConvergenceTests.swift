import Coordination
import Foundation
@testable import Sync
import MusicModel
import SyncBench
import TestSupport
import Testing
import UserLibrary

/// Random edits by two Segues and by an app, with outages, lost answers and restarts in between.
///
/// Each edit adds a song to a playlist whose songs say what was in it, so that at the end it can be checked that every
/// version that one party had made and none had seen was either carried on or kept as a copy.
@Suite("Playlists converge")
struct PlaylistConvergenceTests {
    /// Who takes part.
    private final class Party {
        var bench: PlaylistBench
        init(_ bench: PlaylistBench) { self.bench = bench }
    }

    /// `SEGUE_PLAYLIST_SEED` tries others, and `contrib/test --all` more.
    private static let seeds: [UInt64] = {
        let text = ProcessInfo.processInfo.environment["SEGUE_PLAYLIST_SEED"]
        let first = text.flatMap { UInt64($0) } ?? 1
        return Array(first..<first + (testsEverything ? 24 : 5))
    }()

    @Test("whatever happens, both ends are the same in the end, and nothing is lost", arguments: seeds)
    func converge(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let server = try await FakeNavidrome.start(songs: 60, seed: seed)
        let ids = server.songs.map(\.id)
        let parties = try (0..<(seed % 2 == 0 ? 2 : 1)).map { _ in Party(try PlaylistBench(server)) }
        for party in parties { try await party.bench.pull() }
        // Songs that were added somewhere, and may only vanish where a party took them out.
        var added: Set<String> = []
        var removed: Set<String> = []
        var unused = ids.shuffled(using: &random)
        for _ in 0..<30 {
            let party = parties[Int(random.next() % UInt64(parties.count))]
            switch random.next() % 10 {
            case 0...3:
                try await edit(party, &random, &unused, &added, &removed)
            case 4...5:
                appEdits(server, &random, &unused, &added, &removed)
            case 6:
                try await server.setFaults(Self.faults(&random))
            case 7:
                try await server.setFaults()
                let state = party.bench.state
                await party.bench.close()
                party.bench = try PlaylistBench(server, state: state)
            default:
                // What fails is tried again later.
                _ = try? await party.bench.push()
                _ = try? await party.bench.pull()
            }
        }
        try await server.setFaults()
        // Connections from before an outage may still have to break.
        for party in parties { _ = try? await party.bench.converge() }
        for _ in 0..<3 { for party in parties { try await party.bench.converge() } }
        let there = server.playlists.map { "\($0.name): \($0.songIDs)" }.sorted()
        for party in parties {
            let here = try await party.bench.library.storedPlaylists().map(\.name)
            var lists: [String] = []
            for name in here {
                let songs = try await party.bench.entries(name).filter { $0 != "http://radio" }
                lists.append("\(name): \(songs)")
            }
            // Names of which there are two on the server are numbered here. A list of streams alone stays here.
            func contents(_ lists: [String]) -> [String] {
                lists.map { String($0.drop { $0 != "[" }) }.filter { $0 != "[]" }.sorted()
            }
            #expect(contents(lists) == contents(there), "seed \(seed)")
            #expect(try await !party.bench.library.hasPlaylistWork(), "seed \(seed)")
        }
        let left = Set(server.playlists.flatMap(\.songIDs))
        #expect(added.subtracting(removed).isSubset(of: left), "seed \(seed): something was lost")
        for party in parties { await party.bench.close() }
        await server.stop()
    }

    private static func faults(_ random: inout SplitMix64) -> FakeFault {
        switch random.next() % 4 {
        case 0: FakeFault(.refuse)
        case 1: FakeFault(.cut(after: 0), match: "Playlist", count: 2)
        case 2: FakeFault(.http500, match: "createPlaylist", count: 2)
        default: FakeFault(.cut(after: 0), match: "updatePlaylist", count: 3)
        }
    }

    /// A client of Segue edits.
    private func edit(
        _ party: Party, _ random: inout SplitMix64, _ unused: inout [String], _ added: inout Set<String>,
        _ removed: inout Set<String>
    ) async throws {
        let library = party.bench.library
        let names = try await library.storedPlaylists().map(\.name)
        let name = names.randomElement(using: &random)
        switch random.next() % 8 {
        case 0:
            guard let song = unused.popLast() else { return }
            added.insert(song)
            try await library.saveStoredPlaylist(
                "List \(random.next() % 1000)", try await party.bench.items([song]), mode: .create)
        case 1:
            guard let name else { return }
            try await library.insertIntoStoredPlaylist(name, [.stream(url: "http://radio", tags: [])], at: nil)
        case 2:
            guard let name else { return }
            removed.formUnion(try await party.bench.entries(name))
            try await library.removeStoredPlaylist(name)
        case 3:
            guard let name else { return }
            try await library.renameStoredPlaylist(name, to: "Name ∕ \(random.next() % 100_000)")
        case 4:
            guard let name else { return }
            let entries = try await party.bench.entries(name)
            guard !entries.isEmpty else { return }
            let place = Int(random.next() % UInt64(entries.count))
            removed.insert(entries[place])
            try await library.deleteFromStoredPlaylist(name, place..<place + 1)
        case 5:
            guard let name else { return }
            let count = try await library.storedPlaylist(name).count
            guard count > 1 else { return }
            try await library.moveInStoredPlaylist(name, 0..<1, to: Int(random.next() % UInt64(count)))
        default:
            guard let name, let song = unused.popLast() else { return }
            added.insert(song)
            try await library.insertIntoStoredPlaylist(name, try await party.bench.items([song]), at: 0)
        }
    }

    /// Another app edits on the server.
    private func appEdits(
        _ server: FakeNavidrome, _ random: inout SplitMix64, _ unused: inout [String], _ added: inout Set<String>,
        _ removed: inout Set<String>
    ) {
        let playlist = server.playlists.randomElement(using: &random)
        switch random.next() % 6 {
        case 0:
            guard let song = unused.popLast() else { return }
            added.insert(song)
            server.playlists.append(
                FakePlaylist(id: "app-\(song)", name: "App \(random.next() % 1000)", songIDs: [song]))
        case 1:
            guard let playlist else { return }
            removed.formUnion(playlist.songIDs)
            server.playlists.removeAll { $0.id == playlist.id }
        case 2:
            guard let playlist, let last = playlist.songIDs.last else { return }
            removed.insert(last)
            server.editPlaylist(playlist.id) { $0.songIDs.removeAll { $0 == last } }
        case 3:
            guard let playlist else { return }
            server.editPlaylist(playlist.id) { $0.songIDs.reverse() }
        default:
            guard let playlist, let song = unused.popLast() else { return }
            added.insert(song)
            server.editPlaylist(playlist.id) { $0.songIDs.append(song) }
        }
    }
}

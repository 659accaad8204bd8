import Foundation
import LibraryIndex
import LibrarySamples
import Logging
import MusicModel
import TestSupport
import Testing
import UserLibrary

@testable import Discovery

@Suite("Playlists that follow the song that plays", .timeLimit(.minutes(2)))
struct MixServiceTests {
    private func withLibrary(
        songs count: Int, mood: Int? = nil, _ body: (Library, [SongID]) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mixes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Library(path: folder.appending(path: "segue.db").path)
        let paths = (0..<count).map { "\($0 / 10)/\($0)" }
        let songs = paths.enumerated().map { place, path in
            let (artist, title) = ((Tag.artist, "Artist of \(path)"), (Tag.title, path))
            var made = song(path, artist, title, (.genre, "Dub"))
            if place == mood { made.tags.append(TagValue(.mood, "Wistful")) }
            return made
        }
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: songs))
        let numbers = try await library.index.numbers()
        try await body(library, paths.compactMap { numbers[$0] })
        try library.close()
    }

    /// Runs a service for the time of `body`.
    private func run(
        _ library: Library, _ groups: Set<MixGroup>, except: SongFilter? = nil,
        _ body: (MixService) async throws -> Void
    ) async throws {
        let service = MixService(
            library, groups: groups, rules: PickRules(), except: except, likeness: nil,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, changed: {})
        let running = Task { await service.run() }
        try await body(service)
        running.cancel()
        await running.value
    }

    private func withService(
        songs count: Int, _ body: (Library, MixService, [SongID]) async throws -> Void
    ) async throws {
        try await withLibrary(songs: count) { library, ids in
            try await run(library, [.similar, .dj]) { try await body(library, $0, ids) }
        }
    }

    /// The songs of all playlists that a service shows, once there are some.
    private func shown(_ library: Library, _ service: MixService) async throws -> [String: [SongID]] {
        try await eventually("playlists") { await !service.names.isEmpty }
        var songs: [String: [SongID]] = [:]
        for name in await service.names { songs[name] = try await library.songsOfPlaylist(name) }
        try await eventually("saved playlists") { try await library.savedMixes()?.mixes.count == songs.count }
        return songs
    }

    @Test("one song with a mood in its tags leaves the measured moods there")
    func oneMood() async throws {
        try await withLibrary(songs: 60, mood: 5) { library, ids in
            for (place, song) in ids.enumerated() {
                var features = SongFeatures()
                (features.loudness, features.energy) = (-18, Double(place) / 60)
                try await library.keepAnalysis(features, of: song, version: 3)
            }
            try await run(library, [.mood]) { service in
                let names = try await shown(library, service).keys.sorted()
                #expect(names == ["[Mood: Calm]", "[Mood: Energetic]", "[Mood: Steady]"])
            }
        }
    }

    @Test("the day's playlists are the same behind a restart, whatever was heard meanwhile")
    func restart() async throws {
        try await withLibrary(songs: 200) { library, ids in
            var before: [String: [SongID]] = [:]
            try await run(library, [.new, .genre]) { before = try await shown(library, $0) }
            #expect(before.keys.contains("[Never played]") && before.keys.contains("[Mix: Dub]"))
            for song in try #require(before["[Never played]"]).prefix(30) {
                _ = try await library.addHistory(song: song, startedAt: UnixTime.milliseconds, heard: .seconds(60))
            }
            var again: [String: [SongID]] = [:]
            try await run(library, [.new, .genre]) { again = try await shown(library, $0) }
            #expect(again == before)
            // A song that came since does not change them either; other groups in the configuration do.
            let new = song("9/new", (.artist, "New"), (.title, "New"), (.genre, "Dub"))
            _ = try await library.index.apply(LibraryChanges(mount: "", upserts: [new]))
            try await run(library, [.new, .genre]) { again = try await shown(library, $0) }
            #expect(again == before)
            try await run(library, [.genre]) { again = try await shown(library, $0) }
            #expect(again.keys.sorted() == ["[Mix: Dub]"])
        }
    }

    /// The songs of a playlist; none where there is no such list.
    private func songs(of name: String, _ library: Library) async throws -> Set<SongID> {
        Set(try await library.songsOfPlaylist(name))
    }

    /// The songs of the auto-DJ's playlist once another song plays, which is in the playlist that is shown until then.
    private func picks(_ library: Library, _ service: MixService, behind song: SongID) async throws -> Set<SongID> {
        service.follow(song)
        try await eventually("the playlist behind \(song)") {
            let found = try await songs(of: MixMaker.autoDJName, library)
            return !found.isEmpty && !found.contains(song)
        }
        return try await songs(of: MixMaker.autoDJName, library)
    }

    @Test("leave out what was rated one star or heard a moment ago, although it was neither in the morning")
    func changesOfTheDay() async throws {
        try await withService(songs: 60) { library, service, ids in
            let before = try await picks(library, service, behind: ids[0])
            let heard = Set(ids[1...5])
            for song in heard {
                _ = try await library.addHistory(
                    song: song, startedAt: UnixTime.milliseconds, heard: .seconds(60))
            }
            try await library.setSticker("rating", of: .song(ids[10]), to: "2")
            try await library.setSticker("like", of: .song(ids[11]), to: "0")
            // It is in the playlist of before, so that only another one lacks it.
            let next = try #require(ids[12...].first { before.contains($0) })
            let found = try await picks(library, service, behind: next)
            #expect(found.count == 50 && found.isDisjoint(with: heard))
            #expect(!found.contains(ids[10]) && !found.contains(ids[11]))
            let similar = try await songs(of: MixMaker.similarNames[0], library)
            #expect(!similar.isEmpty && !similar.contains(ids[10]) && !similar.contains(ids[11]))
        }
    }

    @Test("know songs that came since the morning")
    func newSongs() async throws {
        try await withService(songs: 40) { library, service, ids in
            service.follow(ids[0])
            try await eventually("a playlist") { !(try await songs(of: MixMaker.autoDJName, library)).isEmpty }
            let new = song("9/new", (.artist, "Artist of the new one"), (.title, "New"), (.genre, "Dub"))
            _ = try await library.index.apply(LibraryChanges(mount: "", upserts: [new]))
            service.libraryChanged()
            let number = try #require(try await library.index.numbers()["9/new"])
            service.follow(ids[1])
            try await eventually("the new song") {
                try await songs(of: MixMaker.autoDJName, library).contains(number)
            }
        }
    }
}

extension Library {
    fileprivate func songsOfPlaylist(_ name: String) async throws -> [SongID] {
        do {
            return try await storedPlaylist(name).compactMap { item in
                if case .song(let song) = item { song } else { nil }
            }
        } catch is LibraryError {
            return []
        }
    }
}

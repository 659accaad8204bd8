import MusicModel
import Playback
import ServerLoop
import Synchronization
import TestSupport
import Testing

@testable import Players

@Suite("What follows players")
@ServerActor
struct FollowingTests {
    /// Notes what is fetched ahead.
    private final class Fetches: Sendable {
        private let lists = Mutex((pictures: [[SongID]](), lyrics: [SongID](), changes: 0))
        var pictures: [[SongID]] { lists.withLock(\.pictures) }
        var lyrics: [SongID] { lists.withLock(\.lyrics) }
        var changes: Int { lists.withLock(\.changes) }

        var fetching: UpcomingSongs.Fetching {
            .init(
                pictures: { songs in self.lists.withLock { $0.pictures.append(songs) } },
                lyrics: { song in self.lists.withLock { $0.lyrics.append(song) } },
                songsChanged: { self.lists.withLock { $0.changes += 1 } })
        }
    }

    @Test("a burst of edits is one look at what comes next, and lyrics are fetched for what plays")
    func upcoming() async throws {
        try await Room.with { room in
            let fetches = Fetches()
            let upcoming = UpcomingSongs(fetches.fetching, burst: .milliseconds(5))
            let (partition, _) = room.partition()
            for index in 0..<6 {
                try partition.player.editAtOnce { try $0.insert([room.candidate(index)], at: nil) }
                upcoming.changed(partition, .queue)
            }
            #expect(await eventually { !fetches.pictures.isEmpty })
            #expect(fetches.pictures == [Array(room.songs[0..<4])])
            #expect(fetches.changes == 1 && fetches.lyrics.isEmpty)
            try partition.player.play(position: 2)
            upcoming.changed(partition, .player)
            #expect(await eventually { !fetches.lyrics.isEmpty })
            #expect(fetches.pictures.last == Array(room.songs[2..<6]))
            #expect(fetches.lyrics == [room.songs[2]])
        }
    }

    @Test("the nearest songs of all partitions come first, and a closed one counts no more")
    func partitions() async throws {
        try await Room.with { room in
            let fetches = Fetches()
            let upcoming = UpcomingSongs(fetches.fetching, burst: .milliseconds(5))
            let (one, _) = room.partition("one")
            let (two, _) = room.partition("two")
            try one.player.editAtOnce { try $0.insert([0, 1].map(room.candidate), at: nil) }
            try two.player.editAtOnce { try $0.insert([10, 11].map(room.candidate), at: nil) }
            upcoming.changed(one, .queue)
            upcoming.changed(two, .queue)
            let nearest = Set([room.songs[0], room.songs[10]])
            #expect(await eventually { fetches.pictures.contains { $0.count == 4 && Set($0.prefix(2)) == nearest } })
            upcoming.closed(one)
            try two.player.editAtOnce { try $0.insert([room.candidate(12)], at: nil) }
            upcoming.changed(two, .queue)
            #expect(await eventually { fetches.pictures.contains([10, 11, 12].map { room.songs[$0] }) })
        }
    }

    @Test("what each partition plays next is fetched for all, the nearest first")
    func sharedTracks() async throws {
        try await Room.with { room in
            let shared = SharedTracks(room.tracks, library: room.library)
            let (one, two) = (shared.provider(1), shared.provider(2))
            one.prefetch([room.songs[0], room.songs[1]])
            two.prefetch([room.songs[5], room.songs[0], room.songs[6]])
            #expect(room.tracks.latest == [0, 5, 1, 6].map { room.songs[$0] })
            one.prefetch([])
            #expect(room.tracks.latest == [5, 0, 6].map { room.songs[$0] })
            #expect(await one.path(of: room.songs[0]) == "Artist 0/Album 0/1 Söng 0.flac")
            #expect(await two.tags(of: room.songs[0]).contains(TagValue(.artist, "Artist 0")))
        }
    }

    @Test("every service that listens hears all plays, and partitions' plays don't get mixed up")
    func plays() async throws {
        let plays = PlayBroadcast()
        let streams = [plays.subscribe(), plays.subscribe()]
        let song = SongID(rawValue: 1)
        plays.send(.started(play: 1, song: song, at: 5), of: 1)
        plays.send(.started(play: 1, song: song, at: 6), of: 2)
        for stream in streams {
            var heard: [PlaybackEvent] = []
            for await event in stream {
                heard.append(event)
                if heard.count == 2 { break }
            }
            #expect(heard[0] == .started(play: 1 << 48 + 1, song: song, at: 5))
            #expect(heard[1] == .started(play: 2 << 48 + 1, song: song, at: 6))
        }
    }
}

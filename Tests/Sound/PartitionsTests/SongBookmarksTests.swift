import MusicModel
import Playback
import ServerLoop
import TestSupport
import Testing
import UserLibrary

@testable import Partitions

@Suite("Places in long songs")
@ServerActor
struct SongBookmarksTests {
    private func bookmarks(_ room: Room) throws -> SongBookmarks {
        try SongBookmarks(library: room.library, shortestSong: .seconds(300), log: room.log)
    }

    @Test("a place is kept behind the first minute and once a minute, and forgotten near the end")
    func keeping() async throws {
        try await Room.with { room in
            let bookmarks = try bookmarks(room)
            let song = room.songs[0]
            let length = Duration.seconds(600)
            @ServerActor func kept() async throws -> Duration? {
                await bookmarks.finish()
                return try await room.library.bookmarks()[song]
            }
            bookmarks.song(song, isAt: .seconds(59), of: length, .paused)
            #expect(try await kept() == nil)
            bookmarks.song(song, isAt: .seconds(70), of: length, .playing)
            #expect(try await kept() == .seconds(70))
            bookmarks.song(song, isAt: .seconds(100), of: length, .playing)
            #expect(try await kept() == .seconds(70))
            bookmarks.song(song, isAt: .seconds(101), of: length, .paused)
            #expect(try await kept() == .seconds(101))
            bookmarks.song(song, isAt: .seconds(575), of: length, .playing)
            #expect(try await kept() == nil)
        }
    }

    @Test("short songs, and songs of unknown length, have no places")
    func short() async throws {
        try await Room.with { room in
            let bookmarks = try bookmarks(room)
            bookmarks.song(room.songs[0], isAt: .seconds(100), of: .seconds(299), .paused)
            bookmarks.song(room.songs[1], isAt: .seconds(100), of: nil, .paused)
            await bookmarks.finish()
            #expect(try await room.library.bookmarks().isEmpty)
        }
    }

    @Test("players know the places of the database, and those that came from the server")
    func points() async throws {
        try await Room.with { room in
            try await room.library.setBookmark(room.songs[0], .seconds(90), at: 1)
            let bookmarks = try bookmarks(room)
            let (partition, _) = room.partition()
            bookmarks.opened(partition)
            #expect(partition.player.resumePoints.places == [room.songs[0]: .seconds(90)])
            try await room.library.setBookmark(room.songs[1], .seconds(120), at: 2)
            await bookmarks.reload()
            #expect(
                partition.player.resumePoints.places == [room.songs[0]: .seconds(90), room.songs[1]: .seconds(120)])
            bookmarks.closed(partition)
            bookmarks.song(room.songs[0], isAt: .seconds(200), of: .seconds(600), .paused)
            await bookmarks.finish()
            #expect(partition.player.resumePoints.places[room.songs[0]] == .seconds(90))
        }
    }
}

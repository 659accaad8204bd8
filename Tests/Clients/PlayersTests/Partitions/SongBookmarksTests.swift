import MusicModel
import Playback
import ServerLoop
import TestSupport
import Testing
import UserLibrary

@testable import Players

@Suite("Places in long songs")
@ServerActor
struct SongBookmarksTests {
    private func bookmarks(_ room: Room) throws -> SongBookmarks {
        try SongBookmarks(library: room.library, minDuration: .seconds(300), log: room.log)
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
            bookmarks.song(.song(song), isAt: KeptPlace(.seconds(59)), of: length, .paused)
            #expect(try await kept() == nil)
            bookmarks.song(.song(song), isAt: KeptPlace(.seconds(70)), of: length, .playing)
            #expect(try await kept() == .seconds(70))
            bookmarks.song(.song(song), isAt: KeptPlace(.seconds(100)), of: length, .playing)
            #expect(try await kept() == .seconds(70))
            bookmarks.song(.song(song), isAt: KeptPlace(.seconds(101)), of: length, .paused)
            #expect(try await kept() == .seconds(101))
            bookmarks.song(.song(song), isAt: KeptPlace(.seconds(575)), of: length, .playing)
            #expect(try await kept() == nil)
        }
    }

    @Test("episodes have places by their addresses, and what is long its speed, also after a restart")
    func episodes() async throws {
        try await Room.with { room in
            let bookmarks = try bookmarks(room)
            let episode = PlaceKey.stream(url: "http://h/1.mp3")
            bookmarks.song(episode, isAt: KeptPlace(.seconds(70), speed: 1.5), of: .seconds(600), .paused)
            bookmarks.song(.song(room.songs[0]), isAt: KeptPlace(.seconds(80), speed: 2), of: .seconds(600), .left)
            await bookmarks.finish()
            let (partition, _) = room.partition()
            try self.bookmarks(room).opened(partition)
            #expect(
                partition.player.resumePoints.places == [
                    episode: KeptPlace(.seconds(70), speed: 1.5),
                    .song(room.songs[0]): KeptPlace(.seconds(80), speed: 2),
                ])
            bookmarks.song(episode, isAt: KeptPlace(.seconds(599)), of: .seconds(600), .ended)
            await bookmarks.finish()
            #expect(try await room.library.places()[episode] == nil)
        }
    }

    @Test("short songs, and songs of unknown length, have no places")
    func short() async throws {
        try await Room.with { room in
            let bookmarks = try bookmarks(room)
            bookmarks.song(.song(room.songs[0]), isAt: KeptPlace(.seconds(100)), of: .seconds(299), .paused)
            bookmarks.song(.song(room.songs[1]), isAt: KeptPlace(.seconds(100)), of: nil, .paused)
            bookmarks.song(.stream(url: "http://h/radio"), isAt: KeptPlace(.seconds(100)), of: nil, .paused)
            await bookmarks.finish()
            #expect(try await room.library.places().isEmpty)
        }
    }

    @Test("players know the places of the database, and those that came from the server")
    func points() async throws {
        try await Room.with { room in
            try await room.library.setBookmark(room.songs[0], .seconds(90), at: 1)
            let bookmarks = try bookmarks(room)
            let (partition, _) = room.partition()
            bookmarks.opened(partition)
            #expect(partition.player.resumePoints.places == [.song(room.songs[0]): KeptPlace(.seconds(90))])
            try await room.library.setBookmark(room.songs[1], .seconds(120), at: 2)
            await bookmarks.reload()
            #expect(
                partition.player.resumePoints.places == [
                    .song(room.songs[0]): KeptPlace(.seconds(90)), .song(room.songs[1]): KeptPlace(.seconds(120)),
                ])
            bookmarks.closed(partition)
            bookmarks.song(.song(room.songs[0]), isAt: KeptPlace(.seconds(200)), of: .seconds(600), .paused)
            await bookmarks.finish()
            #expect(partition.player.resumePoints.places[.song(room.songs[0])]?.place == .seconds(90))
        }
    }
}

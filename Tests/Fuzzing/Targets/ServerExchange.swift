import LibraryIndex
import MusicModel
import UserLibrary

/// The server's side of what a client edits: takes stars, ratings and playlists as its sync would, and answers with
/// numbers that no server has.
enum ServerExchange {
    /// Playlists that the server has from the start; the second can't be edited.
    private static let playlists = [
        ServerPlaylist(serverID: "p1", name: "Ours/Theirs", changed: 1, songIDs: ["s1", "s2", "gone", "s2"]),
        ServerPlaylist(serverID: "p2", name: "Smart", changed: 1, locked: "", songIDs: ["s3"]),
    ]

    /// Whether a playlist is one of those that clients can't edit.
    static func isLocked(_ name: String) -> Bool { playlists.contains { $0.name == name && $0.locked != nil } }

    /// Gives a new library what a server and other clients of stickers have left.
    static func prepare(_ library: Library) async throws {
        let clock = try await library.markClock()
        _ = try await library.takeMarks(
            of: .artist, [ServerItemMarks(serverID: "r0", name: "Artist 0", starred: .max, rating: 5)], clock: clock)
        _ = try await library.takeMarks(
            of: .album, [ServerItemMarks(serverID: "a1", name: "Album 1", rating: .max)], clock: clock)
        _ = try await library.takeSongMarks(
            (0..<20).map {
                ServerSongMarks(
                    serverID: "s\($0)", starred: Int64($0 % 2), rating: $0 % 6, plays: $0, played: Int64($0))
            }, clock: clock)
        for playlist in playlists { _ = try await library.mergePlaylist(playlist) }
        for (name, value) in [("rating", "8"), ("like", "2"), ("playCount", "3"), ("skipCount", "-1"), ("mood", "x y")]
        {
            guard let song = try await library.index.songID(at: "Artist 0/Album 0/1 Söng 0.flac") else { continue }
            _ = try await library.setSticker(name, of: .song(song), to: value)
        }
    }

    /// Takes what waits to be sent, or refuses it, and then tells of something else.
    static func run(_ library: Library, refuses: Bool) async throws {
        let clock = try await library.markClock()
        let waiting = try await library.waitingMarkEdits(limit: 1000)
        for edit in waiting { try check(edit) }
        let edits = try await library.beginMarkEdits(waiting)
        if refuses {
            for edit in edits { try await library.discardMarkEdit(edit) }
        } else {
            try await library.finishMarkEdits(edits)
        }
        guard try await library.waitingMarkEdits(limit: 1).isEmpty else { throw FuzzFinding("an edit goes on waiting") }
        let wild = edits.filter { $0.kind == .song }.prefix(3).map {
            ServerSongMarks(serverID: $0.serverID, starred: .min, rating: .max, plays: .max, played: .max)
        }
        _ = try await library.takeSongMarks(Array(wild), clock: clock)
        for edit in edits.prefix(3) { try await checkPlays(edit.serverID, library) }
        try await exchangePlaylists(library, refuses: refuses)
    }

    private static func check(_ edit: MarkEdit) throws {
        guard (0...(edit.field == .star ? 1 : 5)).contains(edit.value), !edit.serverID.isEmpty else {
            throw FuzzFinding("the edit \(edit)")
        }
    }

    private static func checkPlays(_ serverID: String, _ library: Library) async throws {
        guard let song = try await library.index.songIDs(ofServerSongs: [serverID])[serverID],
            let text = try await library.sticker("playCount", of: .song(song)), let plays = Int(text)
        else { return }
        guard (0...(1 << 31)).contains(plays) else { throw FuzzFinding("a song was played \(plays) times") }
    }

    private static func exchangePlaylists(_ library: Library, refuses: Bool) async throws {
        for push in try await library.playlistsToCreate() {
            try await check(push, library)
            let made = ServerPlaylist(
                serverID: "n\(push.id)", name: push.name ?? "", changed: 2, songIDs: push.songIDs ?? [])
            if !refuses { _ = try await library.mergePlaylist(made, justSent: true, madeOf: push.id) }
        }
        for playlist in playlists {
            var changed = playlist
            changed.changed = .max
            changed.songIDs = refuses ? [] : ["s5"] + playlist.songIDs.reversed()
            if let push = try await library.mergePlaylist(changed).push { try await check(push, library) }
        }
        for id in try await library.playlistDeletions() { try await library.forgetPlaylistDeletion(id) }
        _ = try await library.renewPlaylistSongs()
    }

    /// What the server is sent is made of songs that it has.
    private static func check(_ push: PlaylistPush, _ library: Library) async throws {
        let known = try await library.index.songIDs(ofServerSongs: push.knownSongIDs)
        if let song = push.knownSongIDs.first(where: { known[$0] == nil }) {
            throw FuzzFinding("the playlist \(push.shownName) is sent with the unknown song \(song)")
        }
    }
}

import Coordination
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

extension Arguments {
    /// Takes a stored playlist's name to write to, by MPD's `spl_valid_name`.
    mutating func playlistName() throws(AckError) -> String {
        let name = try string()
        try Self.checkPlaylistName(name)
        return name
    }

    static func checkPlaylistName(_ name: String) throws(AckError) {
        let isBad = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 10 || $0 == 13 }
        guard !name.isEmpty, !isBad else { throw AckError(.argument, "Bad playlist name") }
    }
}

extension CommandContext {
    /// Puts items into a stored playlist, which is created when need be; without items nothing happens.
    @ServerActor
    func addToPlaylist(_ name: String, _ items: [QueueItem], at position: Int?) async throws {
        guard position != nil || !items.isEmpty else { return }
        try Arguments.checkPlaylistName(name)
        try Task.checkCancellation()
        let room = try await roomForEdit(of: items.count, "a saved playlist")
        defer { room?.release() }
        try await server.library.insertIntoStoredPlaylist(name, items, at: position)
        if items.isEmpty { return }
        playlistsChanged()
    }

    @ServerActor
    func playlistsChanged() { server.notify(.storedPlaylist, nil) }
}

extension ArgumentRange {
    /// The part of a list that the range covers, which may be nothing.
    func part<Element>(of list: [Element]) -> ArraySlice<Element> {
        list[(clipped(to: list.count) ?? list.count..<list.count)]
    }
}

extension ResponseWriter {
    /// Appends the names of stored playlists with the times of their last changes.
    mutating func storedPlaylists(_ playlists: [StoredPlaylist]) {
        for playlist in playlists {
            line("playlist: ", playlist.name)
            line("Last-Modified: ", unixTime: playlist.lastModified)
        }
    }
}

import GRDB
package import MusicModel

/// Songs on their way into a queue or a playlist, found without the index where memory has them.
extension MusicIndex {
    /// The numbers of a song, or of all songs below a directory in tree order.
    /// - Throws: `LibraryError.noSuchDirectory`.
    package func songIDs(
        below uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [SongID] {
        if let songs = memory?.songs(below: uri) { return songs.map { SongID(rawValue: Int64($0)) } }
        return try await queueable(below: uri).map(\.id)
    }

    /// The number of the song at exactly this path; nil when there is none.
    package func songID(
        at uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> SongID? {
        if let song = memory?.song(at: uri) { return SongID(rawValue: Int64(song)) }
        return try await readOne { try TreeLookup($0).song(at: uri).map(SongID.init(rawValue:)) }
    }

    /// The numbers of the songs at exactly these paths; nil where there is none.
    @concurrent
    package func songIDs(at uris: [String]) async throws -> [SongID?] {
        try await read { database in
            let lookup = try TreeLookup(database)
            return try uris.map { try lookup.song(at: $0).map(SongID.init(rawValue:)) }
        }
    }

    /// The song at exactly this path, with the fields for the queue; nil when there is none.
    package func queueableSong(
        at uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> QueueableSong? {
        if let song = memory?.queueableSong(at: uri) { return song }
        guard let song = try await song(at: uri), let id = song.id else { return nil }
        return QueueableSong(id: id, duration: song.duration, replayGain: song.replayGain)
    }
}

extension QueueableSong {
    /// Takes a song from what is kept in memory.
    init(_ song: UInt32, _ order: WalkOrder, _ gains: GainColumn) {
        let duration = order.durations[Int(song)]
        self.init(
            id: SongID(rawValue: Int64(song)), duration: duration < 0 ? nil : .milliseconds(duration),
            replayGain: gains.gain(of: song))
    }
}

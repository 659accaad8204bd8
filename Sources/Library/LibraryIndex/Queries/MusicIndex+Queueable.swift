import GRDB
package import MusicModel

/// Songs on their way into a queue or a playlist, found without the index where memory has them.
extension MusicIndex {
    /// The numbers of a song, or of all songs below a directory in tree order.
    ///
    /// - Throws: `LibraryError.noSuchDirectory`.
    package func songIDs(
        below uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [SongID] {
        if let (songs, _) = songsInMemory(below: uri) { return songs.map { SongID(rawValue: Int64($0)) } }
        return try await queueable(below: uri).map(\.id)
    }

    /// The number of the song at exactly this path; nil when there is none.
    package func songID(
        at uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> SongID? {
        if let song = songInMemory(at: uri) { return song }
        let find: @Sendable (Database) throws -> SongID?? = {
            .some(try TreeLookup($0).song(at: uri).map(SongID.init(rawValue:)))
        }
        return try await readFew(find) { try find($0) ?? nil }
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
        if let song = queueableSongInMemory(at: uri) { return song }
        guard let song = try await song(at: uri), let id = song.id else { return nil }
        return QueueableSong(id: id, duration: song.duration, replayGain: song.replayGain)
    }

    /// The song at exactly this path, with the fields for the queue; nil where memory does not have it, or there is
    /// none.
    package func queueableSongInMemory(at uri: String) -> QueueableSong? {
        guard let (song, order) = placedSongInMemory(at: uri), let gains = cache.cachedGains(order: order) else {
            return nil
        }
        return QueueableSong(song, order, gains)
    }

    /// A song, or the few songs below a directory, with the fields for the queue; nil where memory does not have
    /// it.
    func queueableInMemory(below uri: String) -> [QueueableSong]? {
        guard let (songs, order) = songsInMemory(below: uri), let gains = cache.cachedGains(order: order) else {
            return nil
        }
        return songs.map { QueueableSong($0, order, gains) }
    }

    /// The number of the song at a path; nil where memory does not have it, or there is none.
    func songInMemory(at uri: String) -> SongID? {
        placedSongInMemory(at: uri).map { SongID(rawValue: Int64($0.song)) }
    }

    /// A song and the order to which its number belongs; nil where memory does not have it, or there is none.
    private func placedSongInMemory(at uri: String) -> (song: UInt32, order: WalkOrder)? {
        guard let memory = memory() else { return nil }
        guard let texts = memory.texts else {
            wantTexts(memory)
            return nil
        }
        guard case .song(let song) = texts.find(uri, memory.order) else { return nil }
        return (song, memory.order)
    }

    /// A song, or the few songs below a directory; nil where memory does not have them, or there are none.
    private func songsInMemory(below uri: String) -> (songs: ArraySlice<UInt32>, order: WalkOrder)? {
        guard let memory = memory() else { return nil }
        guard let texts = memory.texts else {
            wantTexts(memory)
            return nil
        }
        switch texts.find(uri, memory.order) {
        case nil: return nil
        case .song(let song): return ([song], memory.order)
        case .directory(let place):
            let songs = memory.order.songs(inDirectories: texts.subtree(of: place))
            return songs.count <= Self.few ? (songs, memory.order) : nil
        }
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

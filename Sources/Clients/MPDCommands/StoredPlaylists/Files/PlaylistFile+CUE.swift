import MusicModel

extension PlaylistFile {
    /// The tracks of a cue sheet that the library doesn't have as songs.
    static func cue(_ bytes: [UInt8]) -> [Entry]? {
        let sheet = CueSheet(TextDecoding.text(bytes))
        guard !sheet.tracks.isEmpty else { return nil }
        return sheet.tracks.map { track in
            Entry(
                uri: sheet.files[track.file], tags: track.tags,
                range: SongRange(start: track.start, end: sheet.end(of: track)))
        }
    }
}

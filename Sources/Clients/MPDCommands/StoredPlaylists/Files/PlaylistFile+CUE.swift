import MusicModel

extension PlaylistFile {
    /// The tracks of a cue sheet that the library doesn't have as songs.
    static func cue(_ bytes: [UInt8], charset: String) -> [Entry]? {
        let sheet = CueSheet(TextDecoding.text(bytes, charset: charset))
        guard !sheet.tracks.isEmpty else { return nil }
        return sheet.tracks.map { track in
            let end = sheet.end(of: track)
            return Entry(
                uri: sheet.files[track.file], tags: track.tags,
                range: track.start == .zero && end == nil ? nil : SongRange(start: track.start, end: end),
                replayGain: track.replayGain)
        }
    }
}

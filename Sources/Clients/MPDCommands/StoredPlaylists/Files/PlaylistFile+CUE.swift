import MusicModel

extension PlaylistFile {
    /// The tracks of a cue sheet that the library doesn't have as songs.
    static func cue(_ bytes: [UInt8], charset: String) -> [Entry]? {
        entries(of: CueSheet(TextDecoding.text(bytes, charset: charset)))
    }

    /// The endings of music files in which a cue sheet may lie.
    private static let holders = MusicSuffixes.withID3.union(MusicSuffixes.mp4).union([
        "ape", "flac", "mp4a", "mpc", "oga", "ogg", "opus", "wv",
    ])

    /// Whether a file may have a cue sheet within it, by the ending of its path.
    ///
    /// - Source: MPD v0.24.13 src/playlist/plugins/EmbeddedCuePlaylistPlugin.cxx, and what else `TagReader` reads.
    static func mayHoldSheet(_ path: String) -> Bool { holders.contains(path.pathSuffix) }

    /// The tracks of a sheet; nil without any.
    ///
    /// - Parameter file: the name of the file that it lies in, which its tracks are parts of whatever it says.
    static func entries(of sheet: CueSheet, within file: String? = nil) -> [Entry]? {
        guard !sheet.tracks.isEmpty else { return nil }
        return zip(sheet.tracks, sheet.ends).map { track, end in
            Entry(
                uri: file ?? sheet.files[track.file], tags: track.tags,
                range: track.start == .zero && end == nil ? nil : SongRange(start: track.start, end: end),
                replayGain: track.replayGain)
        }
    }
}

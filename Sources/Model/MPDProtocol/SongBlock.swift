package import MusicModel

extension ResponseWriter {
    /// Appends a song's block: URI, times in UTC, format, the tags of `mask` in their order, duration; what is unknown
    /// is absent. `RealUri` and `Range` are those of a part of a file, as in MPD 0.25.
    package mutating func song(_ song: Song, mask: TagMask) {
        line("file: ", song.uri)
        if let whole = song.wholeURI { line("RealUri: ", whole) }
        if let range = song.range { line("Range: ", range.wireText) }
        if let time = song.lastModified { line("Last-Modified: ", unixTime: time) }
        if let time = song.added { line("Added: ", unixTime: time) }
        if let format = song.format { line("Format: ", format.wireText) }
        for value in song.tags where mask.contains(value.tag) { line(value.tag, value.value) }
        if let duration = song.duration {
            line("Time: ", duration.roundedSeconds)
            line("duration: ", duration)
        }
    }
}

extension SongRange {
    /// Seconds with three decimals: `START-END`, or `START-` up to the file's end.
    var wireText: String { start.wireSeconds + "-" + (end.map(\.wireSeconds) ?? "") }
}

extension Duration {
    /// Seconds that are not negative, cut off after three decimals.
    var wireSeconds: String {
        let (seconds, attoseconds) = components
        // A song that became shorter than its part has less than no time left.
        let rest = String(max(0, attoseconds / 1_000_000_000_000_000))
        return "\(max(0, seconds))." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

/// The text that clients get of a song, from `file: ...` to `duration: ...`, every line with its line feed and shorter
/// than 4,096 bytes; so an index can store it ready to send.
package enum SongBlock {
    /// Moves when the text changes its form; blocks that were stored by another version must be written again.
    package static let version = 1

    /// The block of a song with the tags of `mask`.
    package static func text(of song: Song, mask: TagMask) -> [UInt8] {
        var writer = ResponseWriter()
        writer.song(song, mask: mask)
        return writer.collected
    }
}

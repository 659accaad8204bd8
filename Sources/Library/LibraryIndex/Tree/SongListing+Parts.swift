import MusicModel

/// A part of a song, as an entry of the queue plays it.
struct ListedPart: Sendable {
    /// Where it begins and ends.
    var range: SongRange
    /// How long it lasts, if known.
    var duration: Duration?

    /// Makes the block at the end of `buffer` that of the part: with a `Range` line, and with the part's own duration.
    ///
    /// - Wire: `Range: START-END` or `Range: START-`, in seconds with three decimals, behind `file`.
    /// - Source: MPD v0.24.13 src/SongPrint.cxx `PrintRange`, src/song/DetachedSong.cxx `GetDuration`.
    func rewrite(from start: Int, _ buffer: inout [UInt8]) {
        let block = Array(buffer[start...])
        buffer.removeSubrange(start...)
        for (index, line) in block.split(separator: 0x0A).enumerated() {
            // The range of a part of a cue sheet's track takes the place of the track's own.
            if [UInt8].replaced.contains(where: { line.starts(with: $0) }) { continue }
            buffer.append(contentsOf: line)
            buffer.append(0x0A)
            guard index == 0 else { continue }
            buffer.append(contentsOf: "Range: ".utf8)
            buffer.appendSeconds(range.start)
            buffer.append(UInt8(ascii: "-"))
            if let end = range.end { buffer.appendSeconds(end) }
            buffer.append(0x0A)
        }
        guard let duration else { return }
        buffer.append(contentsOf: "Time: ".utf8)
        buffer.appendDecimal(Int(duration.milliseconds.addingClamped(500) / 1000))
        buffer.append(contentsOf: "\nduration: ".utf8)
        buffer.appendSeconds(duration)
        buffer.append(0x0A)
    }
}

extension [UInt8] {
    /// Lines of a whole song that its part has in another form.
    fileprivate static let replaced = ["Time: ", "duration: ", "Range: "].map { Array($0.utf8) }

    /// Appends seconds that are not negative, with three decimals.
    fileprivate mutating func appendSeconds(_ duration: Duration) {
        // A song that became shorter than its part has less than no time left.
        let milliseconds = Int(Swift.max(0, duration.milliseconds))
        appendDecimal(milliseconds / 1000)
        append(UInt8(ascii: "."))
        for divisor in [100, 10, 1] { append(0x30 + UInt8(milliseconds / divisor % 10)) }
    }
}

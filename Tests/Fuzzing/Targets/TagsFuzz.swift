import MusicModel

/// Reads what GStreamer leaves out of a file: ID3 frames and tags in chunks, words, APE tags, MP4's tags with names of
/// their own, and the cue sheet of a FLAC file; then takes the whole for a cue sheet, and for words with times.
///
/// - Shape: the whole input is the file.
enum TagsFuzz {
    private static let file = NamelessFile()

    static func run(_ bytes: [UInt8]) throws {
        try file.write(bytes)
        if let complaint = UntrustedInput.readTags(path: file.path) { throw FuzzFinding(complaint) }
        let text = String(decoding: bytes, as: UTF8.self)
        try check(CueSheet(text))
        try checkLyrics(text)
    }

    private static func check(_ sheet: CueSheet) throws {
        guard sheet.tracks.count <= CueSheet.maxTracks else { throw FuzzFinding("\(sheet.tracks.count) tracks") }
        let size = sheet.tracks.reduce(0) { $0 + $1.tags.size }
        guard size <= CueSheet.maxBytesOfTags else { throw FuzzFinding("\(size) bytes of tags") }
        for (track, end) in zip(sheet.tracks, sheet.ends).prefix(8) {
            guard track.start >= .zero, sheet.files.indices.contains(track.file) else { throw FuzzFinding("\(track)") }
            if let end, end <= track.start { throw FuzzFinding("\(track) ends at \(end)") }
            for tag in track.tags where tag.value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                throw FuzzFinding("the value \(tag)")
            }
        }
    }

    /// What was taken for words once stays the same.
    private static func checkLyrics(_ text: String) throws {
        guard let lyrics = Lyrics(text: text) else { return }
        guard Lyrics(text: lyrics.text) == lyrics else { throw FuzzFinding("words that change: \(lyrics)") }
        if lyrics.text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A }) { throw FuzzFinding("\(lyrics)") }
    }
}

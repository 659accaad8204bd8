/// A cue sheet: which parts of one or more files are the tracks of a disc.
/// - Source: the CDRWIN user's guide, appendix A; what EAC and other rippers write.
package struct CueSheet: Hashable, Sendable {
    /// A part of one of the files, with a place and a name on the disc.
    package struct Track: Hashable, Sendable {
        /// The index in `files` of the one that it lies in.
        package var file: Int
        /// Where it begins: INDEX 01, or of the first track INDEX 00, before which a song may hide.
        package var start: Duration
        /// The sheet's tags of the track and of its disc.
        package var tags: [TagValue]
        /// How loud it is.
        package var replayGain = ReplayGain()

        /// Describes a track.
        package init(file: Int, start: Duration, tags: [TagValue]) {
            (self.file, self.start, self.tags) = (file, start, tags)
        }
    }

    /// Sheets of more tracks than these are cut; a disc has 99.
    package static let maxTracks = 4096
    /// The room in bytes for the tags of all tracks, which a small sheet may say once for thousands of them.
    package static let maxBytesOfTags = 4 << 20

    /// The names of the files, as the sheet has them.
    package private(set) var files: [String] = []
    /// The tracks in their order.
    package private(set) var tracks: [Track] = []
    /// The problems with the sheet, a sentence each.
    package private(set) var problems: [String] = []

    /// Makes a sheet of tracks in one file, as a FLAC file has it.
    package init(tracks: [Track]) {
        files = [""]
        self.tracks = Array(tracks.prefix(Self.maxTracks))
    }

    /// Reads a sheet; a text that is none has no tracks.
    package init(_ text: String) {
        var reader = CueSheetReader()
        let lines = text.withoutExcessMarks
        for (number, line) in lines.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            reader.read(line, number: number + 1)
        }
        reader.end()
        (files, tracks, problems) = (reader.files, reader.tracks, reader.problems)
    }

    /// Where each track ends in its file: at the next place at which any begins; nil is the file's end.
    package var ends: [Duration?] {
        let next = Dictionary(grouping: tracks, by: \.file).mapValues { tracks in
            let starts = Set(tracks.map(\.start)).sorted()
            return Dictionary(uniqueKeysWithValues: zip(starts, starts.dropFirst()))
        }
        return tracks.map { next[$0.file]?[$0.start] }
    }

    /// True if every file has one track that begins with it: then the files say as much as the sheet.
    package var hasFileForEachTrack: Bool {
        tracks.count == Set(tracks.map(\.file)).count && tracks.allSatisfy { $0.start == .zero }
    }

    static func time(frames: Int64) -> Duration {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: 75)
        // Rounded, so that the nearest sample of any rate is the right one.
        return .seconds(seconds) + .nanoseconds((rest * 1_000_000_000 * 2 + 75) / 150)
    }
}

private struct CueSheetReader {
    private struct Pending {
        var tags: [TagValue] = []
        var gain = ReplayGain()
        var isAudio = true
        var start: (file: Int, time: Duration)?
        /// INDEX 00, where the pause before the track begins.
        var pause: (file: Int, time: Duration)?
    }

    /// In scalars: a line of an answer with the text in it has less than 4,096 bytes.
    private static let maxTextLength = 1000
    /// In bytes: each track's path has the name of its file in it.
    private static let maxNameLength = 2048
    private static let maxProblems = 20

    private(set) var files: [String] = []
    private(set) var tracks: [CueSheet.Track] = []
    private(set) var problems: [String] = []
    private var disc = Pending()
    private var track: Pending?
    private var isFull = false
    private var room = CueSheet.maxBytesOfTags
    private var leavesTagsOut = false

    mutating func read(_ line: Substring, number: Int) {
        var words = Words(Self.visible(line))
        guard let command = words.next()?.uppercased() else { return }
        switch command {
        case "FILE":
            guard let name = words.next(), !name.isEmpty else { return note("line \(number): FILE names no file") }
            // The index that follows decides in which file a track lies, so a file may begin within one.
            if files.count < CueSheet.maxTracks { files.append(name.prefix(utf8: Self.maxNameLength)) }
        case "TRACK":
            finish()
            var begun = Pending()
            if let text = words.next(), !text.isEmpty { begun.tags.append(TagValue(.track, text)) }
            begun.isAudio = words.next()?.uppercased() ?? "AUDIO" == "AUDIO"
            track = begun
        case "INDEX": readIndex(&words, number)
        case "TITLE": add(words.text, as: track == nil ? .album : .title)
        case "PERFORMER": add(words.text, as: track == nil ? .albumArtist : .artist)
        case "SONGWRITER", "COMPOSER": add(words.text, as: .composer)
        case "REM": readRemark(&words)
        default: break
        }
    }

    /// The line with spaces in place of control characters, which no answer to a client may hold.
    private static func visible(_ line: Substring) -> Substring {
        func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
        guard line.utf8.contains(where: isControl) else { return line }
        return Substring(decoding: line.utf8.map { isControl($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    /// Ends the sheet: every track gets the tags of the disc, of which each has as many as fit for all.
    mutating func end() {
        finish()
        let share = room / max(1, tracks.count)
        for index in tracks.indices {
            let own = Set(tracks[index].tags.map(\.tag))
            let common = disc.tags.filter { !own.contains($0.tag) }
            let fitting = common.fitting(bytes: share)
            leavesTagsOut = leavesTagsOut || fitting.count < common.count
            tracks[index].tags = fitting + tracks[index].tags
        }
        if leavesTagsOut { note("there are too many tags; the rest is left out") }
    }

    private mutating func finish() {
        guard let ended = track else { return }
        track = nil
        guard ended.isAudio else { return }
        let name = ended.tags.first { $0.tag == .track }?.value ?? "?"
        guard var start = ended.start ?? ended.pause else { return note("track \(name) has no INDEX 01") }
        // No track before the first one could have its pause, in which some discs hide a song.
        if tracks.isEmpty, let pause = ended.pause, pause.file == start.file {
            start.time = min(start.time, pause.time)
        }
        guard tracks.count < CueSheet.maxTracks else {
            if !isFull { note("there are more than \(CueSheet.maxTracks) tracks; the rest is left out") }
            isFull = true
            return
        }
        if let last = tracks.last, last.file == start.file, last.start >= start.time {
            note("track \(name) does not begin behind the one before it")
        }
        let tags = ended.tags.fitting(bytes: room)
        room -= tags.size
        leavesTagsOut = leavesTagsOut || tags.count < ended.tags.count
        var made = CueSheet.Track(file: start.file, start: start.time, tags: tags)
        made.replayGain = ReplayGain(
            trackGain: ended.gain.trackGain, trackPeak: ended.gain.trackPeak, albumGain: disc.gain.albumGain,
            albumPeak: disc.gain.albumPeak)
        tracks.append(made)
    }

    private mutating func readIndex(_ words: inout Words, _ number: Int) {
        guard let which = words.next().flatMap({ Int($0) }), let text = words.next() else {
            return note("line \(number): INDEX has no number or no time")
        }
        guard let time = Self.time(text) else { return note("line \(number): \"\(text.prefix(utf8: 20))\" is no time") }
        guard !files.isEmpty else { return note("line \(number): INDEX stands before any FILE") }
        if which == 0 { track?.pause = (files.count - 1, time) }
        if which == 1 { track?.start = (files.count - 1, time) }
    }

    private static func time(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count <= 7 && $0.first != "-" && $0.first != "+" ? Int64($0) : nil }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        return CueSheet.time(frames: (numbers[0] * 60 + numbers[1]) * 75 + numbers[2])
    }

    /// The tags that remarks give, each by its own name as in MPD, and the disc's number by its usual one.
    private static let remarks = Dictionary(
        uniqueKeysWithValues: Tag.allCases.map { ("\($0.wireName)".uppercased(), $0) } + [("DISCNUMBER", .disc)])

    private mutating func readRemark(_ words: inout Words) {
        let name = words.next()?.uppercased() ?? ""
        if let tag = Self.remarks[name] { return add(words.text, as: tag) }
        guard name.hasPrefix("REPLAYGAIN_"), let text = words.next(), let value = Double(text), value.isFinite,
            abs(value) < 100
        else { return }
        let gain: WritableKeyPath<ReplayGain, Double?>? =
            switch name {
            case "REPLAYGAIN_TRACK_GAIN": \.trackGain
            case "REPLAYGAIN_TRACK_PEAK": \.trackPeak
            case "REPLAYGAIN_ALBUM_GAIN": \.albumGain
            case "REPLAYGAIN_ALBUM_PEAK": \.albumPeak
            default: nil
            }
        guard let gain else { return }
        if track == nil { disc.gain[keyPath: gain] = value } else { track?.gain[keyPath: gain] = value }
    }

    private mutating func add(_ text: String, as tag: Tag) {
        guard !text.isEmpty else { return }
        let value = TagValue(tag, String(text.unicodeScalars.prefix(Self.maxTextLength)))
        guard (track ?? disc).tags.count < [TagValue].maxValues else { return leavesTagsOut = true }
        if track == nil { disc.tags.append(value) } else { track?.tags.append(value) }
    }

    private mutating func note(_ problem: String) { if problems.count < Self.maxProblems { problems.append(problem) } }
}

private struct Words {
    private var rest: Substring
    init(_ line: Substring) { rest = line }

    mutating func next() -> String? {
        rest = rest.drop(while: \.isWhitespace)
        guard let first = rest.first else { return nil }
        if first == "\"" {
            let word = rest.dropFirst().prefix { $0 != "\"" }
            rest = rest[word.endIndex...].dropFirst()
            return String(word)
        }
        let word = rest.prefix { !$0.isWhitespace }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// The rest: a word in quotes, or all of it where there are none.
    var text: String {
        var words = self
        words.rest = words.rest.drop(while: \.isWhitespace)
        if words.rest.first == "\"" {
            // Quotes within quotes are not escaped; the last one ends the text.
            let inside = words.rest.dropFirst()
            return String(inside.utf8.lastIndex(of: UInt8(ascii: "\"")).map { inside[..<$0] } ?? inside)
        }
        while let last = words.rest.last, last.isWhitespace { words.rest.removeLast() }
        return String(words.rest)
    }
}

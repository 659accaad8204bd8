import CZlib
import MusicModel

/// Reads MPD's state file, line by line.
struct MPDStateReader {
    private static let maxFile = 256 << 20
    private static let maxProblems = 3

    private var state = MPDState()
    private var lines: MPDLines
    private var moreProblems = 0

    static func read(_ path: String) throws(MPDImportError) -> MPDState {
        let state = parse(try BoundedFile.text(at: path, atMost: maxFile))
        guard state.hasKnownLines else { throw MPDImportError("\(path) is not a state file of MPD's") }
        return state
    }

    static func parse(_ text: String) -> MPDState {
        var reader = Self(lines: MPDLines(text))
        while let line = reader.lines.next() { reader.read(line) }
        if reader.moreProblems > 0 {
            reader.state.problems.append("\(reader.moreProblems) more lines of the state file are not understood")
        }
        return reader.state
    }

    private init(lines: MPDLines) { self.lines = lines }

    private mutating func read(_ line: Substring) {
        if line.isEmpty { return }
        if line == "mount_begin" { return readMount() }
        if line == "playlist_begin" { return readQueue() }
        guard let (name, value) = MPDLines.pair(line) else { return note(line) }
        if name == "audio_device_state" { return readOutput(value) }
        guard readPlayer(name, value) || readNumbers(name, value) else { return note(line) }
        state.hasKnownLines = true
    }

    /// An output's state: `1:NAME`, without a space behind the first colon.
    private mutating func readOutput(_ value: Substring) {
        guard let (number, name) = MPDLines.parts(value), ["0", "1"].contains(number) else {
            return note("audio_device_state:\(value)")
        }
        state.hasKnownLines = true
        state.outputs.append(.init(name: String(name), isEnabled: number == "1"))
    }

    private mutating func readPlayer(_ name: Substring, _ value: Substring) -> Bool {
        switch name {
        case "state": state.player.state = SavedPlayer.State(rawValue: String(value)) ?? .stop
        case "random": state.player.isRandom = value == "1"
        case "repeat": state.player.isRepeating = value == "1"
        case "single": state.player.single = Self.option(value)
        case "consume": state.player.consume = Self.option(value)
        case "lastloadedplaylist": state.player.lastLoadedPlaylist = String(value)
        default: return false
        }
        return true
    }

    private mutating func readNumbers(_ name: Substring, _ value: Substring) -> Bool {
        switch name {
        case "sw_volume": state.player.volume = (Int(value) ?? 100).clamped(to: 0...100)
        case "current": state.player.position = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        case "time": state.player.elapsed = .seconds(clamping: Double(value) ?? 0)
        case "crossfade": state.player.crossfade = Int(saturating: Double(value) ?? 0).clamped(to: 0...86_400)
        case "mixrampdb":
            state.player.mixRampThreshold = Double(value).flatMap { $0.isFinite ? $0 : nil } ?? 0
        case "mixrampdelay":
            // Before 0.18, `nan` said that there is none.
            state.player.mixRampDelay = Double(value).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        default: return false
        }
        return true
    }

    /// A mode; MPD 0.23 writes 2 for `oneshot`, which it can't read itself.
    private static func option(_ value: Substring) -> OneshotOption {
        value == "2" ? .oneshot : OneshotOption(rawValue: String(value)) ?? .off
    }

    private mutating func readMount() {
        var (name, url) = ("", "")
        while let line = lines.next(), line != "mount_end" {
            guard let (key, value) = MPDLines.pair(line) else { continue }
            if key == "uri" { name = String(value) } else if key == "mounted_url" { url = String(value) }
        }
        if !name.isEmpty, !url.isEmpty { state.mounts.append((name, url)) }
    }

    private mutating func readQueue() {
        state.hasKnownLines = true
        var priority = 0
        while let line = lines.next(), line != "playlist_end" {
            if let (name, value) = MPDLines.pair(line), name == "Prio" {
                priority = (Int(value) ?? 0).clamped(to: 0...255)
                continue
            }
            if let entry = entry(line, priority: priority) { state.queue.append(entry) } else { note(line) }
            priority = 0
        }
    }

    private mutating func entry(_ line: Substring, priority: Int) -> MPDState.Entry? {
        if let (name, uri) = MPDLines.pair(line), name == "song_begin" {
            let song = MPDSongBlock(&lines)
            guard !uri.isEmpty else { return nil }
            return .init(uri: String(uri), priority: priority, range: song.range, tags: song.tags)
        }
        guard let (number, uri) = MPDLines.parts(line), Int(number) != nil else { return nil }
        return uri.isEmpty ? nil : .init(uri: String(uri), priority: priority)
    }

    private mutating func note(_ line: some StringProtocol) {
        guard state.problems.count < Self.maxProblems else { return moreProblems += 1 }
        let shown = line.prefix(utf8: 80).map { $0.unicodeScalars.contains { $0.value < 0x20 } ? "?" : String($0) }
            .joined()
        state.problems.append("a line of the state file is not understood: \(shown)")
    }
}

/// The lines of a file of MPD's. All goes by scalars: a colon stays one whatever follows it, and `\r\n` is two of them.
struct MPDLines {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        rest = Substring(text).unicodeScalars
        if rest.first == "\u{FEFF}" { rest = rest.dropFirst() }
    }

    mutating func next() -> Substring? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: "\n") ?? rest.endIndex
        var line = rest[..<end]
        if line.last == "\r" { line = line.dropLast() }
        rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
        return Substring(line)
    }

    /// A line's name and value; the space behind the colon is not part of the value.
    static func pair(_ line: Substring) -> (name: Substring, value: Substring)? {
        guard let (name, value) = parts(line), !name.isEmpty else { return nil }
        return (name, value.unicodeScalars.first == " " ? Substring(value.unicodeScalars.dropFirst()) : value)
    }

    static func parts(_ line: Substring) -> (name: Substring, rest: Substring)? {
        let scalars = line.unicodeScalars
        guard let colon = scalars.firstIndex(of: ":") else { return nil }
        return (Substring(scalars[..<colon]), Substring(scalars[scalars.index(after: colon)...]))
    }
}

/// A song as MPD writes it between `song_begin` and `song_end`.
struct MPDSongBlock {
    private(set) var tags: [TagValue] = []
    private(set) var duration: Duration?
    private(set) var range: SongRange?

    init(_ lines: inout MPDLines) {
        while let line = lines.next(), line != "song_end" {
            guard let (name, value) = MPDLines.pair(line) else { continue }
            switch name {
            case "Time": duration = Double(value).map { .seconds(clamping: $0) }
            case "Range": range = Self.range(value)
            default:
                if let tag = Self.tags[String(name)] { tags.append(TagValue(tag, String(value))) }
            }
        }
    }

    static let tags = Dictionary(uniqueKeysWithValues: Tag.allCases.map { ("\($0.wireName)", $0) })

    private static func range(_ text: Substring) -> SongRange? {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first.flatMap({ Int64($0) }) else { return nil }
        let end = parts.count > 1 ? Int64(parts[1]) : nil
        let first = Duration.milliseconds(clamping: start)
        let last = end.map { Duration.milliseconds(clamping: $0) }
        return SongRange(start: first, end: last.flatMap { $0 > first ? $0 : nil })
    }
}

/// The content of MPD's state file: the default partition's queue and options, outputs, volume, mounts.
/// - Source: MPD v0.24.13 src/StateFile.cxx and what it calls; MPD keeps no other partition.
struct MPDState: Sendable {
    struct Entry: Hashable, Sendable {
        /// The song's path below the music directory, an absolute path, or a URL.
        var uri: String
        var priority = 0
        /// The part that is played; nil for the whole song.
        var range: SongRange?
        /// The tags of an entry that is not in MPD's database.
        var tags: [TagValue] = []
    }

    var queue: [Entry] = []
    var player = SavedPlayer()
    /// The outputs as they were switched.
    var outputs: [SavedOutput] = []
    /// Storages below the music directory: the folder that clients see, and where its files are.
    var mounts: [(name: String, url: String)] = []
    /// Lines that could not be read, each as a sentence.
    var problems: [String] = []
    /// True if the file has anything in it that MPD writes.
    var hasKnownLines = false
}

/// The songs of MPD's database: enough to find them in another library.
/// - Source: MPD v0.24.13 src/db/plugins/simple; compressed with gzip or not.
struct MPDCatalog {
    struct Song {
        var tags: [TagValue]
        var duration: Duration?
    }

    private static let maxFile = 2 << 30

    private(set) var songs: [String: Song] = [:]
    /// A sentence where only a part of the file could be read.
    private(set) var problem: String?

    init() {}

    init(path: String) throws(MPDImportError) {
        let (text, isDamaged) = try Self.unpacked(path)
        if isDamaged, !text.hasPrefix("info_begin") {
            throw MPDImportError("\(path) is damaged; `mpc rescan` makes a new one")
        }
        try self.init(text: text, path: path)
        if isDamaged { problem = "\(path) is damaged; after the damage only the songs' paths are known" }
    }

    init(text: String, path: String) throws(MPDImportError) {
        var lines = MPDLines(text)
        guard lines.next() == "info_begin" else { throw MPDImportError("\(path) is not a database of MPD's") }
        var folder = ""
        while let line = lines.next() {
            guard let (name, value) = MPDLines.pair(line) else { continue }
            switch name {
            case "begin": folder = value + "/"
            case "end": folder = Self.parent(value)
            case "song_begin":
                let song = MPDSongBlock(&lines)
                songs[folder + value] = Song(tags: song.tags, duration: song.duration)
            default: break
            }
        }
    }

    private static func parent(_ path: Substring) -> String { path.hasSlash ? path.pathFolder + "/" : "" }

    private static func unpacked(_ path: String) throws(MPDImportError) -> (text: String, isDamaged: Bool) {
        guard let file = gzdopen(try BoundedFile.open(path), "rb") else { throw MPDImportError("can't read \(path)") }
        defer { gzclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = gzread(file, &part, UInt32(part.count))
            if count <= 0 { break }
            bytes.append(contentsOf: part.prefix(Int(count)))
            guard bytes.count <= maxFile else { throw MPDImportError("\(path) is too large") }
        }
        // A file that ends too early is no error of the last read.
        var status = Z_OK
        _ = gzerror(file, &status)
        return (LosslessText.text(bytes), status != Z_OK && status != Z_STREAM_END)
    }
}

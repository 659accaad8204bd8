import MusicModel

@testable import MPDImport

/// Reads what an MPD left behind, and expects settings and entries that Segue can keep.
///
/// - Shape: the first byte chooses the file: `mpd.conf`, the state file, the database, a playlist or the rows of the
///   sticker database, which tabs and line ends divide; the rest is its content.
enum MPDFilesFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let kind = bytes.first else { return }
        if let complaint = read(Array(bytes.dropFirst()), kind: kind) { throw FuzzFinding(complaint) }
    }

    /// A sentence about something that always holds and didn't; nil when all is well.
    private static func read(_ bytes: [UInt8], kind: UInt8) -> String? {
        let text = LosslessText.text(bytes)
        guard LosslessText.bytes(text) == bytes else { return "a text that is not what was read" }
        return switch kind % 5 {
        case 0: settings(text)
        case 1: state(text)
        case 2: catalog(text)
        case 3: MPDPlaylist.entries(of: text).contains { $0.uri.isEmpty } ? "an entry without a name" : nil
        default: stickers(text)
        }
    }

    private static func settings(_ text: String) -> String? {
        let settings = MPDSettingsReader.parse(text)
        guard let translated = try? TranslatedSettings(settings, hash: { _ in "hash" }) else {
            return "settings that can't be translated"
        }
        // A value that ended its line would be a setting of its own.
        for line in translated.text.unicodeScalars.split(separator: "\n").map({ Substring($0) }) {
            // TOML has none of these in comments either.
            let hasControls = line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
            if hasControls { return "the line \(line)" }
            if line.hasPrefix("#") || line.hasPrefix("[") { continue }
            guard line.contains(" = "), line.first?.isLetter == true else { return "the line \(line)" }
        }
        return nil
    }

    private static func state(_ text: String) -> String? {
        let state = MPDStateReader.parse(text)
        for entry in state.queue {
            guard !entry.uri.isEmpty, (0...255).contains(entry.priority) else { return "the entry \(entry)" }
            if let range = entry.range, let end = range.end, end <= range.start { return "the range \(range)" }
        }
        guard (0...100).contains(state.player.volume), state.player.elapsed >= .zero,
            state.player.mixRampThreshold.isFinite, state.problems.count <= 4
        else { return "the state \(state.player)" }
        return nil
    }

    private static func catalog(_ text: String) -> String? {
        guard let catalog = try? MPDCatalog(text: text, path: "database") else { return nil }
        let recognition = SongRecognition([])
        for (path, song) in catalog.songs {
            let found = recognition.song(path, tags: song.tags, duration: song.duration)
            if found != nil { return "a song out of nowhere" }
        }
        return nil
    }

    private static func stickers(_ text: String) -> String? {
        var lines = MPDLines(text)
        while let line = lines.next() {
            let fields = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4 else { continue }
            let sticker = MPDSticker(type: fields[0], uri: fields[1], name: fields[2], value: fields[3])
            let object = MPDTakeover.object(of: sticker, song: { _ in nil })
            if sticker.type == "song", object != nil { return "a song out of nowhere" }
        }
        return nil
    }
}

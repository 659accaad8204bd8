import MusicModel

extension PlaylistFile {
    /// Reads M3U, plain or with `#EXTINF:SECONDS,NAME` lines, which count where the first line is `#EXTM3U`.
    static func m3u(_ text: String) -> [Entry] {
        let lines = lines(of: text)
        let isExtended = text.utf8.starts(with: "#EXTM3U".utf8) && lines.first == "#EXTM3U"
        var entries: [Entry] = []
        var information: (duration: Duration?, name: TagValue?)
        for line in lines {
            if entries.count == entryLimit { break }
            if isExtended, line.hasPrefix("#EXTINF:") {
                information = Self.information(line.dropFirst(8))
            } else if !line.isEmpty, line.first != "#" {
                let tags = [information.name].compactMap { $0 }
                entries.append(Entry(uri: String(line), tags: tags, duration: information.duration))
                information = (nil, nil)
            }
        }
        return entries
    }

    private static func information(_ text: Substring) -> (duration: Duration?, name: TagValue?) {
        guard let comma = text.firstIndex(of: ",") else { return (nil, nil) }
        guard let seconds = Int32(trimmed(text[..<comma])) else { return (nil, nil) }
        return (seconds > 0 ? .seconds(seconds) : nil, tag(.name, text[text.index(after: comma)...]))
    }
}

extension PlaylistFile {
    /// Reads PLS; nil without a `[playlist]` section or a `NumberOfEntries`.
    static func pls(_ text: String) -> [Entry]? {
        let lines = lines(of: text)
        guard let start = lines.firstIndex(where: { $0.lowercased() == "[playlist]" }) else { return nil }
        var count: Int?
        var slots: [Int: Slot] = [:]
        for line in lines[(start + 1)...] where !line.isEmpty && line.first != ";" {
            if line.first == "[" { break }
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = trimmed(line[..<equals]).lowercased()
            let value = trimmed(line[line.index(after: equals)...])
            if key == "numberofentries" {
                guard let number = Int(value), number > 0 else { return [] }
                count = min(number, entryLimit)
            } else if let (field, number) = Slot.field(key), (1...(count ?? entryLimit)).contains(number) {
                slots[number, default: Slot()].set(field, to: value)
            }
        }
        guard count != nil else { return nil }
        return slots.sorted { $0.key < $1.key }.map(\.value).filter { !$0.file.isEmpty }.map { slot in
            Entry(uri: slot.file, tags: [slot.title].compactMap { $0 }, duration: slot.duration)
        }
    }

    private struct Slot {
        enum Field: String, CaseIterable { case file, title, length }

        var file = ""
        var title: TagValue?
        var duration: Duration?

        static func field(_ key: String) -> (Field, Int)? {
            for field in Field.allCases where key.hasPrefix(field.rawValue) {
                guard let number = Int(key.dropFirst(field.rawValue.count)) else { return nil }
                return (field, number)
            }
            return nil
        }

        mutating func set(_ field: Field, to value: Substring) {
            switch field {
            case .file: file = String(value)
            case .title: title = PlaylistFile.tag(.title, value)
            case .length: duration = Int32(value).flatMap { $0 > 0 ? .seconds($0) : nil }
            }
        }
    }
}

extension PlaylistFile {
    /// The tracks of a cue sheet that the library doesn't have as songs.
    static func cue(_ bytes: [UInt8], charset: String) -> [Entry]? {
        entries(of: CueSheet(TextDecoding.text(bytes, charset: charset)))
    }

    private static let holders = MusicSuffixes.withID3.union(MusicSuffixes.mp4).union([
        "ape", "flac", "mp4a", "mpc", "oga", "ogg", "opus", "wv",
    ])

    /// True if a file may have a cue sheet within it, by the ending of its path.
    static func mayHoldSheet(_ path: String) -> Bool { holders.contains(path.pathSuffix) }

    /// The tracks of a sheet, parts of `file` where that contains it; nil without any.
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

import MusicModel

extension PlaylistFile {
    /// Reads PLS; nil without a `[playlist]` section or a `NumberOfEntries`.
    ///
    /// - Source: MPD v0.24.13 src/playlist/plugins/PlsPlaylistPlugin.cxx.
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

    /// The values of the lines with one number.
    private struct Slot {
        enum Field: String, CaseIterable { case file, title, length }

        var file = ""
        var title: TagValue?
        var duration: Duration?

        /// Takes a key such as `file12` apart.
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

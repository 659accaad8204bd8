import MusicModel

/// The chunk of a WAV file that says what it holds.
/// - Source: Microsoft, "Multimedia Programming Interface and Data Specifications 1.0", LIST INFO; ITRK as programs for
///   tags have it.
enum WAVInfo {
    private static let names: [(tag: Tag, name: String)] = [
        (.title, "INAM"), (.artist, "IART"), (.album, "IPRD"), (.genre, "IGNR"), (.date, "ICRD"), (.track, "ITRK"),
    ]
    private static let maxLength = 1000

    /// The chunk for tags, of an even length; several values of one are joined. Empty where none is known to WAV.
    static func chunk(_ tags: [TagValue]) -> [UInt8] {
        let items = names.flatMap { tag, name -> [UInt8] in
            let values = tags.filter { $0.tag == tag && !$0.value.isEmpty }.map(\.value)
            guard !values.isEmpty else { return [] }
            let text = Array(values.joined(separator: "; ").prefix(utf8: maxLength).utf8) + [0]
            return Array(name.utf8) + little(text.count) + text + (text.count.isMultiple(of: 2) ? [] : [0])
        }
        return items.isEmpty ? [] : Array("LIST".utf8) + little(items.count + 4) + Array("INFO".utf8) + items
    }

    private static func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

import LibraryIndex
package import MusicModel

/// The entries of a partition's queue that left it with their songs, and when; kept as a small fact.
extension Library {
    /// The maximum number that is kept, the first ones.
    private static let maxDeparted = 100_000

    static func departedKey(_ partition: String) -> String { "departed." + partition }

    /// Keeps these entries of a partition instead of those before; an empty list forgets them.
    /// - Parameter left: when they left, in Unix seconds.
    @concurrent
    package func saveDeparted(_ entries: [DepartedEntry], left: Int64, of partition: PartitionKey) async throws {
        let text = entries.isEmpty ? nil : DepartedEntryText.write(entries.prefix(Self.maxDeparted), left: left)
        try await write { try Facts($0).set(Self.departedKey(partition.name), text) }
    }

    /// The entries that were kept of a partition, and when they left in Unix seconds.
    @concurrent
    package func savedDeparted(of partition: PartitionKey) async throws -> (entries: [DepartedEntry], left: Int64) {
        try await fact(Self.departedKey(partition.name)).map(DepartedEntryText.read) ?? ([], 0)
    }
}

enum DepartedEntryText {
    static func write(_ entries: some Sequence<DepartedEntry>, left: Int64) -> String {
        var text = String(left)
        for entry in entries {
            let numbers: [Int64] = [
                entry.song.rawValue, entry.predecessor.map { Int64($0.rawValue) } ?? absent, Int64(entry.position),
                Int64(entry.priority), entry.wasCurrent ? 1 : 0, entry.range?.start.milliseconds ?? absent,
                entry.range?.end?.milliseconds ?? absent,
            ]
            text += "\n" + numbers.map(String.init).joined(separator: " ")
            if !entry.sheetTags.isEmpty { text += " \(tagsMark)" + TagPairs.encode(entry.sheetTags).hexadecimal }
        }
        return text
    }

    /// The entries in the text; lines that are damaged are left out.
    static func read(_ text: String) -> (entries: [DepartedEntry], left: Int64) {
        let lines = text.split(separator: "\n")
        guard let left = lines.first.flatMap({ Int64($0) }) else { return ([], 0) }
        return (lines.dropFirst().compactMap(entry), left)
    }

    private static let absent: Int64 = -1

    private static let tagsMark = "t"

    private static func tags(_ word: Substring?) -> [TagValue] {
        guard let word, word.hasPrefix(tagsMark) else { return [] }
        let digits = word.utf8.dropFirst().map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
        let bytes = stride(from: 0, to: digits.count - digits.count % 2, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return bytes.withUnsafeBytes { TagPairs.decode($0) }
    }

    private static func entry(_ line: Substring) -> DepartedEntry? {
        let words = line.split(separator: " ")
        let numbers = words.compactMap { Int64($0) }
        guard numbers.count == 7, numbers[0] > 0 else { return nil }
        let start = Duration.milliseconds(clamping: max(0, numbers[5]))
        let end = numbers[6] == absent ? nil : Duration.milliseconds(clamping: max(0, numbers[6]))
        return DepartedEntry(
            song: SongID(rawValue: numbers[0]), range: numbers[5] == absent ? nil : SongRange(start: start, end: end),
            sheetTags: tags(words.count > 7 ? words[7] : nil), priority: Int(numbers[3].clamped(to: 0...255)),
            predecessor: UInt32(exactly: numbers[1]).map { QueueEntryID(rawValue: $0) },
            position: Int(numbers[2].clamped(to: 0...Int64(Int32.max))), wasCurrent: numbers[4] == 1)
    }
}

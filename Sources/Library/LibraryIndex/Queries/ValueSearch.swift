import GRDB
import MusicModel

/// Finds the songs with a tag value that passes a test, by checking each distinct value once.
struct ValueSearch {
    private let database: Database
    private let test: StringTest
    private let needle: String
    let expression: RegularExpression?

    init(_ database: Database, _ test: StringTest, _ budget: MatchingBudget) throws {
        (self.database, self.test) = (database, test)
        needle = test.form(of: test.value)
        expression =
            test.operator == .regularExpression
            ? try RegularExpression(test.value, foldsCase: test.foldsCase, budget: budget) : nil
    }

    /// The tags that `any` means: MPD does not load comments unless it is told to, so they don't count.
    static let searchable = Tag.allCases.filter { $0 != .comment }

    func songs(kinds: [Tag] = searchable, capacity: Int) throws -> SongSet {
        var result = SongSet(upTo: Int64(capacity))
        if test.stripsDiacritics {
            try matching(kinds, &result, strippedPasses())
            return result
        }
        switch test.operator {
        case .equals: try equal(kinds, &result)
        case .contains, .startsWith: try containing(kinds, &result)
        case .regularExpression: if let expression { try matching(kinds, &result, expression.matches) }
        }
        return result
    }

    /// The needle of a search for parts of texts; `isShort` ones narrow nothing down in the trigram index.
    var part: (needle: [UInt8], atStart: Bool, isShort: Bool)? {
        switch test.operator {
        case .equals, .regularExpression: return nil
        case .contains, .startsWith:
            if needle.isEmpty { return nil }
            // The trigram index has accents.
            let isShort = test.stripsDiacritics || Trigrams.expression(for: needle) == nil
            return (Array(needle.utf8), isPrefix, isShort)
        }
    }

    var folded: [UInt8] { Array(needle.utf8) }

    // MARK: Equality

    private func equal(_ kinds: [Tag], _ result: inout SongSet) throws {
        guard !needle.isEmpty else { return }
        // Values that are their own folded form have no second copy, so there are two conditions.
        try add(Self.valuesEqual(folding: test.foldsCase), kinds, needle, &result)
        if test.foldsCase { try add(Self.foldedEqual, kinds, needle, &result) }
    }

    static func valuesEqual(folding: Bool) -> String {
        """
        SELECT sv.song FROM value v CROSS JOIN song_value sv ON sv.value = v.id
        WHERE v.kind = ?1 AND v.text = ?2\(folding ? " AND v.folded IS NULL" : "")
        """
    }

    static let foldedEqual = """
        SELECT sv.song FROM value v CROSS JOIN song_value sv ON sv.value = v.id
        WHERE v.kind = ?1 AND v.folded = ?2 AND v.folded IS NOT NULL
        """

    private func add(_ sql: String, _ kinds: [Tag], _ text: String, _ result: inout SongSet) throws {
        let rows = try SQLStatement(database, sql)
        rows.bind(2, text)
        for kind in kinds { try rows.forEach(Int(kind.rawValue)) { result.insert($0.int(0)) } }
    }

    // MARK: Parts of texts

    private func containing(_ kinds: [Tag], _ result: inout SongSet) throws {
        let folded = TextFolding.folded(needle)
        guard let trigrams = Trigrams.expression(for: folded) else { return try scan(kinds, &result) }
        try database.forEach(
            Self.trigramHits(oneKind: kinds.count == 1, folding: test.foldsCase, prefix: isPrefix), trigrams, needle,
            kinds.count == 1 ? Int(kinds[0].rawValue) : Int(Tag.comment.rawValue)
        ) { result.insert($0.int(0)) }
        // MusicBrainz ids are not in the trigram index; only needles that look like a part of one have to look there.
        if Trigrams.mayBeInUUID(folded) { try scan(kinds.filter(\.holdsUUIDs), &result) }
    }

    private var isPrefix: Bool { test.operator == .startsWith }

    private static func condition(folding: Bool, prefix: Bool) -> String {
        "instr(\(folding ? "ifnull(v.folded, v.text)" : "v.text"), ?2) \(prefix ? "= 1" : "> 0")"
    }

    static func trigramHits(oneKind: Bool, folding: Bool, prefix: Bool) -> String {
        """
        SELECT sv.song FROM value_fts f CROSS JOIN value v ON v.id = f.rowid CROSS JOIN song_value sv ON sv.value = v.id
        WHERE f.value_fts MATCH ?1 AND +v.kind \(oneKind ? "=" : "<>") ?3
            AND \(condition(folding: folding, prefix: prefix))
        """
    }

    static func scanHits(folding: Bool, prefix: Bool) -> String {
        """
        SELECT sv.song FROM value v CROSS JOIN song_value sv ON sv.value = v.id
        WHERE v.kind = ?1 AND \(condition(folding: folding, prefix: prefix))
        """
    }

    private func scan(_ kinds: [Tag], _ result: inout SongSet) throws {
        try add(Self.scanHits(folding: test.foldsCase, prefix: isPrefix), kinds, needle, &result)
    }

    // MARK: One by one

    private func strippedPasses() -> (UnsafeBufferPointer<UInt8>) -> Bool {
        let needle = folded
        var buffer: [UInt8] = []
        return { text in
            test.fold(text, into: &buffer)
            return buffer.withUnsafeBytes { test.operator.passes($0, needle) }
        }
    }

    private func matching(
        _ kinds: [Tag], _ result: inout SongSet, _ passes: (UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws {
        let values = try SQLStatement(database, "SELECT id, text FROM value WHERE kind = ?")
        let songs = try SQLStatement(database, "SELECT song FROM song_value WHERE value = ?")
        for kind in kinds {
            try values.forEach(Int(kind.rawValue)) { row in
                guard try passes(row.utf8(1)) else { return }
                try songs.forEach(row.int(0)) { result.insert($0.int(0)) }
            }
        }
    }
}

enum Trigrams {
    /// As many trigrams as narrow the hits down; more only cost time.
    private static let limit = 12

    /// The MATCH expression for texts with every trigram of `needle`; nil when it is too short for one.
    static func expression(for needle: String) -> String? {
        let scalars = Array(needle.unicodeScalars)
        guard scalars.count >= 3 else { return nil }
        let count = scalars.count - 2
        let step = max(1, count / limit)
        let words = stride(from: 0, to: count, by: step).map { start in
            let word = scalars[start..<(start + 3)]
            // SQLite knows scalars: a quote with an accent on it is still one there.
            return "\"" + String(String.UnicodeScalarView(word.flatMap { $0 == "\"" ? [$0, $0] : [$0] })) + "\""
        }
        return words.joined(separator: " AND ")
    }

    static func mayBeInUUID(_ folded: String) -> Bool {
        folded.utf8.count <= 36
            && folded.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) || $0 == 0x2D }
    }

    /// True if a value stays out of the trigram index: 36 characters of an id that is not searched by parts.
    static func isUUID(_ text: String, _ tag: Tag) -> Bool {
        tag.holdsUUIDs && text.utf8.count == 36 && mayBeInUUID(text)
    }
}

extension Tag {
    var holdsUUIDs: Bool { rawValue >= Tag.musicBrainzArtistID.rawValue }
}

struct UriSearch {
    let database: Database
    let test: StringTest
    let budget: MatchingBudget

    /// The songs that pass without regard to the negation, hidden ones too.
    func songs() throws -> SongSet {
        if test.operator == .equals && !test.foldsCase {
            var result = SongSet()
            if let song = try TreeLookup(database).song(at: test.value) { result.insert(song) }
            return result
        }
        if test.operator == .regularExpression {
            let expression = try RegularExpression(test.value, foldsCase: test.foldsCase, budget: budget)
            return try scan(expression.matches)
        }
        return test.foldsCase ? try scanFolded() : try scanExact()
    }

    private func scanExact() throws -> SongSet {
        let needle = Array(test.value.utf8)
        return try scan { test.operator.passes(UnsafeRawBufferPointer($0), needle) }
    }

    private func scanFolded() throws -> SongSet {
        let needle = Array(test.form(of: test.value).utf8)
        var buffer: [UInt8] = []
        return try scan {
            test.fold($0, into: &buffer)
            return buffer.withUnsafeBytes { test.operator.passes($0, needle) }
        }
    }

    private func scan(_ passes: (UnsafeBufferPointer<UInt8>) throws -> Bool) throws -> SongSet {
        var result = SongSet()
        try database.forEach("SELECT id, uri FROM song INDEXED BY song_uri WHERE uri IS NOT NULL") { row in
            if try passes(row.utf8(1)) { result.insert(row.int(0)) }
        }
        return result
    }
}

extension StringTest.Operator {
    func passes(_ text: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
        switch self {
        case .equals: text.equals(needle)
        case .contains: text.contains(needle)
        case .startsWith: text.starts(with: needle)
        case .regularExpression: false
        }
    }
}

import Glibc

/// A value of an answer that is read in place.
protocol JSONReadable {
    init?(_ reader: inout JSONReader) throws
}

/// Compares a member's name by its bytes, without making a string of it.
func ~= (text: StaticString, name: UnsafeRawBufferPointer) -> Bool {
    guard name.count == text.utf8CodeUnitCount, let start = name.baseAddress else { return false }
    return memcmp(start, text.utf8Start, name.count) == 0
}

/// Parts that several answers have in common.
extension JSONReader {
    /// Reads the one member of an object that is called so, and skips all others.
    mutating func member(_ wanted: StaticString, _ read: (inout JSONReader) throws -> Void) throws {
        try members { reader, name in
            if wanted ~= name { try read(&reader) } else { try reader.skip() }
        }
    }

    /// Reads a list without the entries that are of no use.
    mutating func list<Item>(_ read: (inout JSONReader) throws -> Item?) throws -> [Item] {
        var items: [Item] = []
        try elements { reader in
            if let item = try read(&reader) { items.append(item) }
        }
        return items
    }

    mutating func list<Item: JSONReadable>() throws -> [Item] { try list { try Item(&$0) } }

    /// Reads a list into a page, of which no more than `count` entries are taken; those that are of no use are counted.
    mutating func collect<Item>(
        into page: inout SubsonicPage<Item>, atMost count: Int = .max, _ read: (inout JSONReader) throws -> Item?
    ) throws {
        try elements { reader in
            guard page.received < count else { return try reader.skip() }
            if let item = try read(&reader) { page.items.append(item) } else { page.skipped += 1 }
        }
    }

    /// A text that says something; nil for an empty one, too.
    mutating func nonEmptyText() throws -> String? { try text().flatMap { $0.isEmpty ? nil : $0 } }
    /// A number above 0 that fits an `Int32`, as every such field does.
    mutating func positive() throws -> Int? { try notNegative().flatMap { $0 > 0 ? $0 : nil } }

    mutating func notNegative() throws -> Int? {
        try integer().flatMap { Int32(exactly: $0) }.flatMap { $0 >= 0 ? Int($0) : nil }
    }

    mutating func id() throws -> String? {
        var id: String?
        try member("id") { reader in
            id = try reader.peek() == .number ? try reader.integer().map(String.init) : try reader.nonEmptyText()
        }
        return id
    }

    /// A list of names: bare strings, or objects with a `name`, as genres have.
    mutating func names() throws -> [String] { try list { try $0.named()?.name } }

    mutating func works() throws -> [Work] {
        try list { try $0.named().map { Work(name: $0.name, musicBrainzID: $0.musicBrainzID) } }
    }

    mutating func movements() throws -> [Movement] {
        try list { try $0.named().map { Movement(name: $0.name, number: $0.number) } }
    }

    /// A bare string, or an object with a `name`, `title` or `value`.
    private mutating func named() throws -> (name: String, number: Int?, musicBrainzID: String?)? {
        guard try peek() == .object else { return try nonEmptyText().map { ($0, nil, nil) } }
        var (text, number, musicBrainzID): (String?, Int?, String?) = (nil, nil, nil)
        try members { reader, name in
            switch name {
            case "name", "title", "value": text = try reader.nonEmptyText() ?? text
            case "number": number = try reader.positive()
            case "musicBrainzId": musicBrainzID = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        return text.map { ($0, number, musicBrainzID) }
    }

    /// Contributors; those without a role or a name are left out.
    mutating func contributors() throws -> [Contributor] {
        try list { reader in
            var (role, subRole): (String, String?) = ("", nil)
            var artist: ArtistReference?
            try reader.members { reader, name in
                switch name {
                case "role": role = (try reader.text() ?? "").lowercased()
                case "subRole": subRole = try reader.nonEmptyText()
                case "artist": artist = try ArtistReference(&reader)
                default: try reader.skip()
                }
            }
            return role.isEmpty ? nil : artist.map { Contributor(role: role, subRole: subRole, artist: $0) }
        }
    }

    mutating func replayGain() throws -> SubsonicReplayGain {
        var gain = SubsonicReplayGain()
        try members { reader, name in
            switch name {
            case "trackGain": gain.trackGain = try reader.double()
            case "trackPeak": gain.trackPeak = try reader.double()
            case "albumGain": gain.albumGain = try reader.double()
            case "albumPeak": gain.albumPeak = try reader.double()
            case "fallbackGain": gain.fallbackGain = try reader.double()
            // `baseGain` is what the file's header asks for, which decoders apply automatically.
            default: try reader.skip()
            }
        }
        return gain
    }

    /// OpenSubsonic's `ItemDate`; nil where the year is unknown.
    mutating func partialDate() throws -> PartialDate? {
        var (year, month, day): (Int?, Int?, Int?) = (nil, nil, nil)
        try members { reader, name in
            switch name {
            case "year": year = try reader.positive()
            case "month": month = try reader.positive().flatMap { $0 <= 12 ? $0 : nil }
            case "day": day = try reader.positive().flatMap { $0 <= 31 ? $0 : nil }
            default: try reader.skip()
            }
        }
        return year.map { PartialDate(year: $0, month: month, day: day) }
    }
}

extension ArtistReference: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(name: "")
        if try reader.peek() == .object {
            try reader.members { reader, name in
                switch name {
                case "id": id = try reader.nonEmptyText()
                case "name": self.name = try reader.text() ?? ""
                case "sortName": sortName = try reader.nonEmptyText()
                case "musicBrainzId": musicBrainzID = try reader.nonEmptyText()
                default: try reader.skip()
                }
            }
        } else {
            name = try reader.nonEmptyText() ?? ""
        }
        if name.isEmpty { return nil }
    }
}

/// Parts that songs and albums have in common.
extension JSONReader {
    private enum Part: String, CaseIterable {
        case id, name, title, value, sortName, musicBrainzId, role, subRole, artist, number
        case trackGain, trackPeak, albumGain, albumPeak, baseGain, fallbackGain, year, month, day, disc
    }

    private static let parts = MemberNames<Part>()

    private mutating func eachPart(
        _ body: (inout JSONReader, Part) throws(JSONProblem) -> Void
    ) throws(JSONProblem) {
        try members { (reader, name) throws(JSONProblem) in
            guard let part = Self.parts[name] else { return try reader.skip() }
            try body(&reader, part)
        }
    }

    /// A text that says something; nil for an empty one, too.
    mutating func nonEmptyText() throws(JSONProblem) -> String? {
        guard let text = try text(), !text.isEmpty else { return nil }
        return text
    }

    /// A number above 0 that fits an `Int32`, as every such field does.
    mutating func positive() throws(JSONProblem) -> Int? {
        try notNegative().flatMap { $0 > 0 ? $0 : nil }
    }

    /// A number from 0 that fits an `Int32`.
    mutating func notNegative() throws(JSONProblem) -> Int? {
        try integer().flatMap { Int32(exactly: $0) }.flatMap { $0 >= 0 ? Int($0) : nil }
    }

    /// A list of names: bare strings, or objects with a `name`, as genres have.
    mutating func names() throws(JSONProblem) -> [String] {
        var names: [String] = []
        try elements { (reader) throws(JSONProblem) in
            if let named = try reader.named() { names.append(named.name) }
        }
        return names
    }

    mutating func works() throws(JSONProblem) -> [Work] {
        var works: [Work] = []
        try elements { (reader) throws(JSONProblem) in
            guard let named = try reader.named() else { return }
            works.append(Work(name: named.name, musicBrainzID: named.musicBrainzID))
        }
        return works
    }

    mutating func movements() throws(JSONProblem) -> [Movement] {
        var movements: [Movement] = []
        try elements { (reader) throws(JSONProblem) in
            guard let named = try reader.named() else { return }
            movements.append(Movement(name: named.name, number: named.number))
        }
        return movements
    }

    /// A bare string, or an object with a `name`, `title` or `value`.
    private mutating func named() throws(JSONProblem) -> (name: String, number: Int?, musicBrainzID: String?)? {
        guard try peek() == .object else { return try nonEmptyText().map { ($0, nil, nil) } }
        var name: String?
        var number: Int?
        var musicBrainzID: String?
        try eachPart { (reader, part) throws(JSONProblem) in
            switch part {
            case .name, .title, .value: name = try reader.nonEmptyText() ?? name
            case .number: number = try reader.positive()
            case .musicBrainzId: musicBrainzID = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        return name.map { ($0, number, musicBrainzID) }
    }

    /// Artists with their ids; those without a name are left out.
    mutating func artistReferences() throws(JSONProblem) -> [ArtistReference] {
        var artists: [ArtistReference] = []
        try elements { (reader) throws(JSONProblem) in
            if let artist = try reader.artistReference() { artists.append(artist) }
        }
        return artists
    }

    private mutating func artistReference() throws(JSONProblem) -> ArtistReference? {
        guard try peek() == .object else { return try nonEmptyText().map { ArtistReference(name: $0) } }
        var artist = ArtistReference(name: "")
        try eachPart { (reader, part) throws(JSONProblem) in
            switch part {
            case .id: artist.id = try reader.nonEmptyText()
            case .name: artist.name = try reader.text() ?? ""
            case .sortName: artist.sortName = try reader.nonEmptyText()
            case .musicBrainzId: artist.musicBrainzID = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        return artist.name.isEmpty ? nil : artist
    }

    /// Contributors; those without a role or a name are left out.
    mutating func contributors() throws(JSONProblem) -> [Contributor] {
        var contributors: [Contributor] = []
        try elements { (reader) throws(JSONProblem) in
            var role = ""
            var subRole: String?
            var artist: ArtistReference?
            try reader.eachPart { (reader, part) throws(JSONProblem) in
                switch part {
                case .role: role = (try reader.text() ?? "").lowercased()
                case .subRole: subRole = try reader.nonEmptyText()
                case .artist: artist = try reader.artistReference()
                default: try reader.skip()
                }
            }
            if let artist, !role.isEmpty {
                contributors.append(Contributor(role: role, subRole: subRole, artist: artist))
            }
        }
        return contributors
    }

    /// Loudness values.
    mutating func replayGain() throws(JSONProblem) -> SubsonicReplayGain {
        var gain = SubsonicReplayGain()
        try eachPart { (reader, part) throws(JSONProblem) in
            switch part {
            case .trackGain: gain.trackGain = try reader.double()
            case .trackPeak: gain.trackPeak = try reader.double()
            case .albumGain: gain.albumGain = try reader.double()
            case .albumPeak: gain.albumPeak = try reader.double()
            case .fallbackGain: gain.fallbackGain = try reader.double()
            // The gain that a file's header asks for, which decoders apply automatically.
            case .baseGain: try reader.skip()
            default: try reader.skip()
            }
        }
        return gain
    }

    /// OpenSubsonic's `ItemDate`; nil where the year is unknown.
    mutating func partialDate() throws(JSONProblem) -> PartialDate? {
        var year: Int?
        var month: Int?
        var day: Int?
        try eachPart { (reader, part) throws(JSONProblem) in
            switch part {
            case .year: year = try reader.positive()
            case .month: month = try reader.positive().flatMap { $0 <= 12 ? $0 : nil }
            case .day: day = try reader.positive().flatMap { $0 <= 31 ? $0 : nil }
            default: try reader.skip()
            }
        }
        return year.map { PartialDate(year: $0, month: month, day: day) }
    }

    /// Titles of discs; those without a title are left out.
    mutating func discTitles() throws(JSONProblem) -> [SubsonicAlbum.DiscTitle] {
        var titles: [SubsonicAlbum.DiscTitle] = []
        try elements { (reader) throws(JSONProblem) in
            var disc: Int?
            var title: String?
            try reader.eachPart { (reader, part) throws(JSONProblem) in
                switch part {
                case .disc: disc = try reader.notNegative()
                case .title: title = try reader.nonEmptyText()
                default: try reader.skip()
                }
            }
            if let disc, let title { titles.append(SubsonicAlbum.DiscTitle(disc: disc, title: title)) }
        }
        return titles
    }
}

import GRDB
import LibraryIndex
import MusicModel

/// Tells which songs are on one album: those of one title and one album artist, in whatever folders. Without an album
/// artist the artist stands in, and songs of one folder belong together, as those of a compilation do.
struct AlbumGroups {
    private enum Place: Hashable {
        case folder(title: Int64, directory: Int64)
        case artist(title: Int64, name: ExactText)
    }

    private var numbers: [Place: Int] = [:]
    /// The place that each one was joined to; itself for the first of its album.
    private var joined: [Int] = []
    private var names: [Int64: ExactText] = [:]
    private let nameRow: SQLStatement
    init(_ database: Database) throws { nameRow = try SQLStatement(database, "SELECT text FROM value WHERE id = ?") }

    /// A number of the album that a song is on; which are one `group` tells, once all were taken in.
    mutating func number(_ tags: [TagList.Item], directory: Int64) throws -> Int? {
        func first(_ tag: Tag) -> Int64? { tags.first { $0.tag == tag }?.value }
        guard let title = first(.album) else { return nil }
        let albumArtist = first(.albumArtist)
        let artist = try (albumArtist ?? first(.artist)).map { try name($0) }
        let ofArtist = artist.map { number(of: .artist(title: title, name: $0)) }
        if albumArtist != nil, let ofArtist { return ofArtist }
        let ofFolder = number(of: .folder(title: title, directory: directory))
        if let ofArtist {
            let (one, other) = (group(ofArtist), group(ofFolder))
            joined[max(one, other)] = min(one, other)
        }
        return ofFolder
    }

    /// One number for each album, of those that `number` gave.
    mutating func group(_ number: Int) -> Int {
        var number = number
        while joined[number] != number {
            // The next look takes half the steps.
            joined[number] = joined[joined[number]]
            number = joined[number]
        }
        return number
    }

    private mutating func number(of place: Place) -> Int {
        if let number = numbers[place] { return number }
        numbers[place] = joined.count
        joined.append(joined.count)
        return joined.count - 1
    }

    /// A name has another number as artist than as album artist.
    private mutating func name(_ value: Int64) throws -> ExactText {
        if let name = names[value] { return name }
        let name = ExactText(try nameRow.first(value) { $0.text(0) } ?? "")
        names[value] = name
        return name
    }
}

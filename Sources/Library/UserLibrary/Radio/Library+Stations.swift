import GRDB
import LibraryIndex
import MusicModel

/// An internet radio station.
package struct Station: Hashable, Sendable {
    /// The name that clients see.
    package var name: String
    /// The address of its stream, or of a playlist with that; may hold credentials, so it is never logged.
    package var url: String
    /// Its picture; nil without one.
    package var picture: StationPicture?
    /// Where it sends from, as its list says.
    package var country: String?
    /// The kind of its music, as its list says.
    package var genre: String?
    /// The address of its website, http or https.
    package var homepage: String?

    /// Makes a station.
    package init(
        name: String, url: String, picture: StationPicture? = nil, country: String? = nil, genre: String? = nil,
        homepage: String? = nil
    ) {
        (self.name, self.url, self.picture) = (name, url, picture)
        (self.country, self.genre, self.homepage) = (country, genre, homepage)
    }
}

/// Where the picture of a station is.
package enum StationPicture: Hashable, Sendable {
    case file(String)
    /// An http or https address; may hold credentials, so it is never logged.
    case address(String)
    case cover(String)

    fileprivate init?(text: String) {
        guard let mark = text.firstIndex(of: " ") else { return nil }
        let rest = String(text[text.index(after: mark)...])
        switch text[..<mark] {
        case "file": self = .file(rest)
        case "address": self = .address(rest)
        case "cover": self = .cover(rest)
        default: return nil
        }
    }

    /// The text for the database, which also tells one picture from another.
    package var text: String {
        switch self {
        case .file(let path): "file \(path)"
        case .address(let url): "address \(url)"
        case .cover(let id): "cover \(id)"
        }
    }
}

/// Where stations come from.
package enum StationSource: Hashable, Sendable {
    /// A `[[station]]` section.
    case configuration
    case server(mount: String)

    fileprivate var key: String {
        switch self {
        case .configuration: "configuration"
        case .server(let mount): "server \(mount)"
        }
    }
}

extension Library {
    /// Replaces the stations of one source; true if that changed anything.
    package func replaceStations(_ stations: [Station], from source: StationSource) async throws -> Bool {
        let now = UnixTime.seconds
        return try await write { database in
            let known = try database.rows(
                "SELECT \(StationList.columns) FROM station WHERE source = ? ORDER BY place", source.key,
                read: StationList.station)
            if known == stations { return false }
            try database.run("DELETE FROM station WHERE source = ?", source.key)
            let insertion = try SQLStatement(
                database,
                """
                INSERT INTO station (source, place, name, url, modified, picture, country, genre, homepage)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
            for (position, station) in stations.enumerated() {
                try insertion.run(
                    source.key, position, station.name, station.url, now, station.picture?.text, station.country,
                    station.genre, station.homepage)
            }
            return true
        }
    }

    /// Forgets the stations of servers that are not configured any more.
    package func removeStations(besides sources: [StationSource]) async throws {
        try await database.run(
            "DELETE FROM station WHERE source NOT IN (SELECT value FROM json_each(?))", sources.map(\.key).json())
    }

    /// All stations, those of the configuration first; of several with one address the first.
    package func stations() async throws -> [Station] { try await read { try StationList.all($0) } }
}

enum StationList {
    fileprivate static let columns = "name, url, picture, country, genre, homepage"

    fileprivate static func station(_ rows: SQLStatement) -> Station {
        Station(
            name: rows.text(0), url: rows.text(1), picture: rows.optionalText(2).flatMap { StationPicture(text: $0) },
            country: rows.optionalText(3), genre: rows.optionalText(4), homepage: rows.optionalText(5))
    }

    static func all(_ database: Database) throws -> [Station] {
        try database.rows(
            """
            SELECT \(columns) FROM (SELECT *, row_number() OVER (PARTITION BY url ORDER BY source, place) AS rank
                FROM station) WHERE rank = 1 ORDER BY source, place
            """, read: station)
    }
}

extension VirtualPlaylist {
    /// The internet radio stations.
    package static var radio: VirtualPlaylist {
        VirtualPlaylist(
            "[Radio]",
            changed: { try $0.first("SELECT max(modified) FROM station") { $0.optionalInt(0) } ?? nil },
            list: { database in
                // Until a station says what it plays its name stands for that, as some clients show nothing else.
                try StationList.all(database).map { station in
                    .stream(url: station.url, tags: [.init(.name, station.name), .init(.title, station.name)])
                }
            })
    }
}

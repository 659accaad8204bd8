import GRDB
import LibraryIndex
import MusicModel

/// An internet radio station.
package struct Station: Hashable, Sendable {
    /// The name that clients see.
    package var name: String
    /// The address of its stream, or of a playlist with that; may hold credentials, so it is never logged.
    package var url: String

    /// Makes a station.
    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }
}

/// Where stations come from.
package enum StationSource: Hashable, Sendable {
    /// A `[[station]]` section.
    case configuration
    /// The server's own list.
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
    @concurrent
    package func replaceStations(_ stations: [Station], from source: StationSource) async throws -> Bool {
        let now = UnixTime.seconds
        return try await write { database in
            let rows = try SQLStatement(database, "SELECT name, url FROM station WHERE source = ? ORDER BY place")
            rows.bind(1, source.key)
            var known: [Station] = []
            try rows.forEach { known.append(Station(name: rows.text(0), url: rows.text(1))) }
            if known == stations { return false }
            let deletion = try SQLStatement(database, "DELETE FROM station WHERE source = ?")
            deletion.bind(1, source.key)
            try deletion.run()
            let insertion = try SQLStatement(
                database, "INSERT INTO station (source, place, name, url, modified) VALUES (?, ?, ?, ?, ?)")
            for (place, station) in stations.enumerated() {
                insertion.bind(1, source.key)
                insertion.bind(2, place)
                insertion.bind(3, station.name)
                insertion.bind(4, station.url)
                insertion.bind(5, now)
                try insertion.run()
            }
            return true
        }
    }

    /// Forgets the stations of servers that are not configured any more.
    @concurrent
    package func removeStations(besides sources: [StationSource]) async throws {
        let kept = Set(sources.map(\.key))
        try await write { database in
            let rows = try SQLStatement(database, "SELECT DISTINCT source FROM station")
            var gone: [String] = []
            try rows.forEach { if !kept.contains(rows.text(0)) { gone.append(rows.text(0)) } }
            let deletion = try SQLStatement(database, "DELETE FROM station WHERE source = ?")
            for source in gone {
                deletion.bind(1, source)
                try deletion.run()
            }
        }
    }

    /// All stations, those of the configuration first; of several with one address the first.
    @concurrent
    package func stations() async throws -> [Station] { try await read { try StationList.all($0) } }
}

/// Reads stations.
enum StationList {
    /// All stations in the order in which clients see them.
    static func all(_ database: Database) throws -> [Station] {
        let rows = try SQLStatement(database, "SELECT name, url FROM station ORDER BY source, place")
        var stations: [Station] = []
        var seen: Set<ExactText> = []
        try rows.forEach {
            let station = Station(name: rows.text(0), url: rows.text(1))
            if seen.insert(ExactText(station.url)).inserted { stations.append(station) }
        }
        return stations
    }
}

extension VirtualPlaylist {
    /// The internet radio stations.
    package static var radio: VirtualPlaylist {
        VirtualPlaylist(
            "[Radio]",
            look: { database in
                let row = try SQLStatement(database, "SELECT max(modified) FROM station")
                return try row.first { row.optionalInt(0) } ?? nil
            },
            list: { database in
                // Until a station says what it plays its name stands for that, as some clients show nothing else.
                try StationList.all(database).map { station in
                    .stream(
                        url: station.url, tags: [TagValue(.name, station.name), TagValue(.title, station.name)])
                }
            })
    }
}

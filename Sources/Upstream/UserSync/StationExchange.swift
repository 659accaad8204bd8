package import Subsonic
package import UserLibrary

/// Brings the server's internet radio stations into the library.
package struct StationExchange {
    let client: SubsonicClient
    let library: Library
    let mount: String

    /// Prepares to fetch the stations of the server at a mount.
    package init(client: SubsonicClient, library: Library, mount: String) {
        self.client = client
        self.library = library
        self.mount = mount
    }

    /// Fetches and writes them; true if anything changed. Servers without stations have none.
    package func run() async throws -> Bool {
        let stations = try await client.radioStations().compactMap { station -> Station? in
            let url = station.streamURL.trimmingControls
            guard ["http://", "https://"].contains(where: { url.lowercased().hasPrefix($0) }) else { return nil }
            return Station(name: TagText.clean(station.name) ?? "Radio \(station.id)", url: url)
        }
        return try await library.replaceStations(stations, from: .server(mount: mount))
    }
}

extension String {
    /// The text without white space and control characters, which no URL has.
    fileprivate var trimmingControls: String {
        String(decoding: utf8.filter { $0 > 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
}

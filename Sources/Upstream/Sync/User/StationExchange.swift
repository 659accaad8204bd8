import Subsonic
import UserLibrary

/// Brings the server's internet radio stations into the library.
struct StationExchange {
    let client: SubsonicClient
    let library: Library
    let mount: String

    /// Fetches and writes them; true if anything changed. An answer that isn't a list of stations takes none away: a
    /// proxy before a server that is away answers like a server without the call.
    func run() async throws -> Bool {
        guard let found = try await client.radioStations() else { return false }
        let stations = found.compactMap { station -> Station? in
            let url = station.streamURL.trimmingControls
            guard url.isWebAddress else { return nil }
            let homepage = station.homePageURL?.trimmingControls
            return Station(
                name: TagText.clean(station.name) ?? "Radio \(station.id)", url: url, picture: picture(of: station),
                homepage: homepage.flatMap { $0.isWebAddress ? $0 : nil })
        }
        return try await library.replaceStations(stations, from: .server(mount: mount))
    }

    /// - Source: Navidrome 0.61.0 names the picture's file in place of its id (navidrome#5293).
    private func picture(of station: RadioStation) -> StationPicture? {
        station.coverArt.map { .cover($0.hasPrefix("ra-") ? $0 : "ra-\(station.id)") }
    }
}

extension String {
    fileprivate var isWebAddress: Bool { ["http://", "https://"].contains { lowercased().hasPrefix($0) } }

    /// The text without white space and control characters, which no URL has.
    fileprivate var trimmingControls: String {
        String(decoding: utf8.filter { $0 > 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
}

package import NetworkAddresses
package import Playback

/// How internet radio plays.
package struct RadioSettings: Sendable {
    /// How stations, line inputs and discs play.
    package var stations: StationSettings
    /// Finds the streams in playlists; nil plays only streams.
    package var resolver: (any StreamResolving)?
    /// The proxy through which stations are asked; that of the engine made last counts for all.
    package var proxy: WebProxy?
    /// How long to wait before a lost station is tried again: at first, and at most.
    var pauses: (first: Duration, longest: Duration) = (.milliseconds(500), .seconds(5))
    /// The same for a station that is only kept ready.
    var restingPauses: (first: Duration, longest: Duration) = (.seconds(5), .seconds(60))

    /// Makes settings.
    package init(
        _ stations: StationSettings = StationSettings(), resolver: (any StreamResolving)? = nil, proxy: WebProxy? = nil
    ) { (self.stations, self.resolver, self.proxy) = (stations, resolver, proxy) }
}

struct StreamRequest: Sendable {
    /// Where it is; may hold a user name and a password.
    var url: String
    /// The sample rate to give its sound in; nil is its own.
    var rate: Int?
    /// How long the server may say nothing, in seconds.
    var timeout: Int
    /// True if it only waits for its turn, so that of its sound the newest is kept.
    var isAhead: Bool
    var lineInputs: [String] = []
}

struct StreamFailure: Hashable, Sendable {
    /// For a person; never with a URL.
    var message: String
    /// True if trying again soon leads nowhere.
    var isFinal = false
    /// True if its sound is beyond what is played, as it will be in every connection.
    var isRefused = false
    /// True if the server says that there is nothing at the address.
    var isGone = false
    /// True if there is something else than sound, perhaps a playlist.
    var isNoSound = false
}

/// The parts of the engine that are for streams; each has its state for itself.
struct Radio {
    var supervision: StreamSupervision
    var switching = TrackSwitching()
    var neighbours = ReadyStations()
    var changes = StreamChanges()

    init(_ settings: RadioSettings) { supervision = StreamSupervision(settings) }

    var settings: RadioSettings { supervision.settings }
    /// All decks besides that of the station that plays.
    var decks: [PlayingDeck] { neighbours.decks + switching.leaving.map(\.deck) + [neighbours.left].compactMap(\.self) }
}

/// The parts of the engine that are for streams; each has its state for itself.
///
/// - Isolation: the engine's thread.
struct Radio {
    /// When connections are made and given up.
    var supervision: StreamSupervision
    /// Stations, or songs, that overlap while a client switches between them.
    var switching = TrackSwitching()
    /// Stations that are kept ready, because they may be next.
    var neighbours = ReadyStations()
    /// News of streams about sound that isn't heard yet.
    var changes = StreamChanges()

    init(_ settings: RadioSettings) { supervision = StreamSupervision(settings) }

    var settings: RadioSettings { supervision.settings }

    /// All decks besides that of the station that plays.
    var decks: [PlayingDeck] { neighbours.decks + switching.leaving.map(\.deck) + [neighbours.left].compactMap(\.self) }
}

import MusicModel
import ServerLoop
import TestSupport

@testable import Playback

/// A song of the library, 600 s long unless told otherwise.
func song(_ number: Int64, seconds: Int? = 600) -> QueueCandidate {
    QueueCandidate(.song(SongID(rawValue: number)), duration: seconds.map { .seconds($0) })
}

func source(_ number: Int64) -> EngineTrack.Source { .song(SongID(rawValue: number)) }

func id(_ number: UInt32) -> QueueEntryID { QueueEntryID(rawValue: number) }

extension Player {
    /// The queue as it must be saved.
    var savedQueue: SavedQueue { SavedQueue(entries, version: status.queueVersion) }
}

/// A player on a fake engine, with everything that it told its clients.
@ServerActor
final class PlayerHarness {
    let engine = FakeAudioEngine(outputs: ["one", "two"])
    let provider = FakeTrackProvider()
    let player: Player
    let clock = VirtualClock()
    private let noted = Noted()

    @ServerActor
    private final class Noted {
        var changes: Subsystem = []
    }

    init(
        songs: ClosedRange<Int64>? = nil, limit: Int = 1000, seed: UInt64 = 1,
        settings: PlayerSettings = PlayerSettings()
    ) throws {
        let noted = noted
        player = Player(
            engine: engine, provider: provider, machine: PlayerStateMachine(limit: limit, seed: seed),
            settings: settings, now: { 1_000 }, clock: clock, notify: { noted.changes.formUnion($0) })
        if let songs { try player.insert(songs.map { song($0) }, at: nil) }
        forget()
    }

    /// What clients were told since the last call.
    func takeChanges() -> Subsystem {
        defer { noted.changes = [] }
        return noted.changes
    }

    /// Waits until the loop has done what tasks that were woken before had it do.
    func turns() async {
        for _ in 0..<3 {
            await withCheckedContinuation { continuation in ServerActor.after(.zero) { continuation.resume() } }
        }
    }

    func forget() {
        _ = engine.takeCalls()
        _ = takeChanges()
    }

    /// The engine plays what it was told to.
    func started() {
        guard let play = engine.playing?.play else { return }
        player.handle(.started(play: play))
    }

    /// The engine says where it is.
    func progress(_ elapsed: Duration, heard: Duration? = nil) {
        guard let play = engine.playing?.play else { return }
        let reading = EngineProgress(play: play, elapsed: elapsed, heard: heard ?? elapsed)
        engine.setProgress(reading)
        player.handle(.progress(play: play, elapsed: elapsed, heard: reading.heard))
    }

    /// The current song comes to its end: the prepared one joins on, or the engine is idle.
    func songEnds() {
        guard let play = engine.playing?.play else { return }
        if let next = engine.joinPrepared() {
            player.handle(.started(play: next.play))
        } else {
            player.handle(.finished(play: play))
        }
    }

    /// The current song breaks off.
    func songFails(_ message: String = "It is broken.") {
        guard let play = engine.playing?.play else { return }
        player.handle(.failed(play: play, message: message))
    }

    var state: SavedPlayer.State { player.status.state }
    var position: Int? { player.status.songPosition }

    /// The library's numbers of the entries in order.
    var songs: [Int64] { player.entries.compactMap { $0.songID?.rawValue } }
    /// The library's number of the current entry.
    var currentSong: Int64? { player.current?.entry.songID?.rawValue }
}

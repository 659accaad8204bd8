import Discovery
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// The auto-DJ's state for one partition.
///
/// - Isolation: ServerActor.
@ServerActor
final class DJSession {
    /// The entry that plays, as far as the auto-DJ has seen.
    struct Current {
        let entry: QueueEntryID
        let song: SongID?
        let duration: Duration?
        var clock = HearingClock()
        /// Whether the listener moved within it, so that the time heard says nothing.
        var wasSought = false
    }

    /// Something that `undo` takes back.
    enum Action {
        case added([QueueEntryID])
        case skipped(SavedPick, before: SavedDJ)
        case changed(before: SavedDJ)
    }

    /// How many songs that were heard are remembered for the gaps.
    private static let longestLineup = 60
    /// How many songs that the listener chose count.
    static let mostSeeds = 5
    private static let mostActions = 20

    let partition: Partition
    var saved: SavedDJ
    /// The picks in the queue that wait or play.
    var picks: [QueueEntryID: SavedPick] = [:]
    /// The picks in the queue that were heard, oldest first.
    var heardPicks: [QueueEntryID] = []
    var current: Current?
    /// The songs that were heard, oldest first.
    private(set) var lineup: [SongID] = []
    /// Songs that the listener turned down since the queue was emptied last.
    var refused: Set<SongID> = []
    /// Songs that were liked while they played.
    var liked: [SongID] = []
    var skipsInRow = 0
    var lastHeardToEnd: SongID?
    private(set) var actions: [Action] = []
    /// The wish in words that picks meet; nil is none.
    var wish: PickWish?
    /// The wish that is being read.
    let reading = WishTask()
    /// Why the newest pick was picked.
    var why = ""
    /// Whether songs are to be added although nothing plays.
    var isWanted = false
    var isRefilling = false
    /// Whether the picks that wait are to be replaced by others.
    var isReplacing = false
    var isLookPlanned = false
    /// Moves when what was asked for is no longer wanted.
    var epoch = 0

    init(_ partition: Partition, _ saved: SavedDJ) {
        self.partition = partition
        self.saved = saved
    }

    var player: Player { partition.player }

    var mode: PickMode { PickMode(rawValue: saved.mode) ?? .similar }

    /// The anchors of a pick: what the listener chose counts whole, what was liked half.
    var anchors: [SongID: Float] {
        var anchors: [SongID: Float] = [:]
        for song in liked.suffix(Self.mostSeeds) { anchors[song] = 0.5 }
        for song in saved.seeds.suffix(Self.mostSeeds) { anchors[song] = 1 }
        return anchors
    }

    /// The waiting picks in the queue's order.
    var waiting: [SavedPick] {
        picks.values.filter { $0.entry != current?.entry }
            .compactMap { pick in player.position(of: pick.entry).map { (pick, $0) } }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    func hear(_ song: SongID) {
        lineup.append(song)
        if lineup.count > Self.longestLineup { lineup.removeFirst(lineup.count - Self.longestLineup) }
    }

    /// Takes a song that the listener chose as a seed.
    func choose(_ song: SongID) {
        saved.seeds.removeAll { $0 == song }
        saved.seeds.append(song)
        if saved.seeds.count > Self.mostSeeds { saved.seeds.removeFirst(saved.seeds.count - Self.mostSeeds) }
    }

    func note(_ action: Action) {
        actions.append(action)
        if actions.count > Self.mostActions { actions.removeFirst() }
    }

    func takeLastAction() -> Action? { actions.popLast() }

    /// Forgets what belonged to a queue that is gone.
    func begin() {
        saved.seeds = []
        (refused, liked, skipsInRow, lastHeardToEnd) = ([], [], 0, nil)
        wish = nil
        actions = []
        (isWanted, isReplacing) = (false, false)
        epoch += 1
    }
}

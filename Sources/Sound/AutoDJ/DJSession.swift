import Discovery
import MusicModel
import Playback
import ServerLoop
import Synchronization
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
        /// How long it was heard.
        var clock = HearingClock()
        /// How long the listener waited for its first sound.
        var silence = HearingClock()
        /// Whether any of it was heard.
        var hasBegun = false
        /// Whether the listener moved within it, so that the time heard says nothing.
        var wasSought = false
    }

    /// Something that `undo` takes back.
    enum Action {
        case added([QueueEntryID])
        case skipped(SavedPick, before: SavedDJ)
        case changed(before: SavedDJ)
        case wished(before: SavedDJ, PickWish?)
        case liked(SongID, EarlierSticker)
    }

    /// A sticker's value before the auto-DJ wrote it, once that is done.
    final class EarlierSticker: Sendable {
        private let value = Mutex<String?>(nil)

        func keep(_ text: String?) { value.withLock { $0 = text } }

        var text: String? { value.withLock { $0 } }
    }

    /// How many songs that were heard are remembered for the gaps.
    static let longestLineup = 60
    /// How many songs that the listener chose count.
    static let mostSeeds = 5
    private static let mostActions = 20

    let partition: Partition
    var saved: SavedDJ
    /// The seed that a client named last, and its path.
    var namedSeed: (song: SongID, path: String)?
    /// The picks in the queue that wait or play.
    var picks: [QueueEntryID: SavedPick] = [:]
    /// The picks in the queue that were heard or skipped, oldest first.
    var heardPicks: [SavedPick] = []
    var current: Current?
    /// The songs that were heard, oldest first.
    private(set) var lineup: [SongID] = []
    /// Songs that the listener turned down since the queue was emptied last.
    var refused: Set<SongID> = []
    /// Songs that could not be played, and until when they are not picked again; nothing else follows from that.
    private var failed: [SongID: ContinuousClock.Instant] = [:]
    /// How many songs in a row could not be played.
    var failuresInRow = 0
    /// Songs that were liked while they played.
    var liked: [SongID] = []
    var skipsInRow = 0
    var lastHeardToEnd: SongID?
    private(set) var actions: [Action] = []
    /// The wish in words that picks meet; nil is none.
    var wish: PickWish?
    /// The wish that is being read.
    let reading = WishTask()
    /// Whether music begins with the next picks where nothing plays.
    var beginsPlaying = false
    /// Why the newest pick was picked.
    var why = ""
    /// Whether songs are to be added although nothing plays.
    var isWanted = false
    var isRefilling = false
    /// Whether the picks that wait are to be replaced by others.
    var isReplacing = false
    var isRefreshPlanned = false
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

    /// Takes in what an earlier run kept; the player has its queue again.
    func restore(_ memory: DJMemory) {
        saved = memory.dj
        for pick in memory.waiting { picks[pick.entry] = pick }
        // Of what was heard, the queue may have a part; an entry of the same number may play something else.
        for pick in memory.finished where picks[pick.entry] == nil {
            guard let position = player.position(of: pick.entry), player.entries[position].songID == pick.song
            else { continue }
            heardPicks.append(pick)
        }
        for song in memory.lineup { hear(song) }
    }

    /// The pick behind an entry, whether it waits, plays or was heard; nil for what the listener chose.
    func pick(of entry: QueueEntryID) -> SavedPick? {
        picks[entry] ?? heardPicks.last { $0.entry == entry }
    }

    func hear(_ song: SongID) {
        lineup.append(song)
        if lineup.count > Self.longestLineup { lineup.removeFirst(lineup.count - Self.longestLineup) }
    }

    /// A song was not heard after all, which its artist's gap is not to count.
    func unhear(_ song: SongID) {
        if let place = lineup.lastIndex(of: song) { lineup.remove(at: place) }
    }

    /// For how long a song that could not be played is not picked again.
    private static let rest = Duration.seconds(3600)

    /// A pick could not be played; for a while others are picked.
    func fail(_ song: SongID, _ now: ContinuousClock.Instant) {
        unhear(song)
        failed = failed.filter { $0.value > now }
        failed[song] = now + Self.rest
    }

    /// The songs that could not be played lately.
    func failed(_ now: ContinuousClock.Instant) -> Set<SongID> { Set(failed.lazy.filter { $0.value > now }.map(\.key)) }

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

    /// The entries that were added since the last wish, and how it was before that; these actions are forgotten. Nil
    /// without a wish that can be taken back.
    func takeLastWish() -> (before: SavedDJ, wish: PickWish?, added: [QueueEntryID])? {
        for (index, action) in actions.enumerated().reversed() {
            guard case .wished(let before, let wish) = action else { continue }
            var added: [QueueEntryID] = []
            for case .added(let entries) in actions[index...] { added += entries }
            actions.removeSubrange(index...)
            return (before, wish, added)
        }
        return nil
    }

    /// Forgets what belonged to a queue that is gone.
    func begin() {
        saved.seeds = []
        (refused, liked, skipsInRow, lastHeardToEnd) = ([], [], 0, nil)
        wish = nil
        actions = []
        (isWanted, isReplacing, beginsPlaying) = (false, false, false)
        epoch += 1
    }
}

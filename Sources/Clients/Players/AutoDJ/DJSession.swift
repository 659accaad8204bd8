import Discovery
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// The auto-DJ's state for one partition.
@ServerActor
final class DJSession {
    /// The entry that plays, as last seen by the auto-DJ.
    struct Current {
        let entry: QueueEntryID
        let song: SongID?
        let duration: Duration?
        var clock = HearingClock()
        /// How long the listener waited for its first sound.
        var silence = HearingClock()
        var hasBegun = false
        /// True if the listener moved within it, so that the time heard says nothing.
        var wasSought = false
    }

    static let maxSeeds = 5

    let partition: Partition
    var saved: SavedDJ
    var namedSeed: (song: SongID, path: String)?
    var picks: [QueueEntryID: SavedPick] = [:]
    /// The picks in the queue that were heard or skipped, oldest first.
    var heardPicks: [SavedPick] = []
    var current: Current?
    var heard = HeardSongs()
    var taste = ListenerTaste()
    var history = ActionHistory()
    var wish: PickWish?
    let reading = WishTask()
    /// True if music begins with the next picks where nothing plays.
    var beginsPlaying = false
    var why = ""
    /// True if songs are to be added although nothing plays.
    var isWanted = false
    var isRefilling = false
    /// True if the picks that wait are to be replaced by others.
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
        for song in taste.liked { anchors[song] = 0.5 }
        for song in saved.seeds.suffix(Self.maxSeeds) { anchors[song] = 1 }
        return anchors
    }

    var waiting: [SavedPick] {
        picks.values.filter { $0.entry != current?.entry }
            .compactMap { pick in player.position(of: pick.entry).map { (pick, $0) } }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Restores the state of an earlier run; the player has its queue again.
    func restore(_ memory: DJMemory) {
        saved = memory.dj
        for pick in memory.waiting { picks[pick.entry] = pick }
        // Of what was heard, the queue may have a part; an entry of the same number may play something else.
        for pick in memory.finished where picks[pick.entry] == nil {
            guard let position = player.position(of: pick.entry), player.entries[position].songID == pick.song
            else { continue }
            heardPicks.append(pick)
        }
        for song in memory.lineup { heard.hear(song) }
    }

    /// The pick behind an entry, whether it waits, plays or was heard; nil for what the listener chose.
    func pick(of entry: QueueEntryID) -> SavedPick? { picks[entry] ?? heardPicks.last { $0.entry == entry } }

    func choose(_ song: SongID) {
        saved.seeds.removeAll { $0 == song }
        saved.seeds.append(song)
        if saved.seeds.count > Self.maxSeeds { saved.seeds.removeFirst(saved.seeds.count - Self.maxSeeds) }
    }

    /// Forgets what belonged to a queue that is gone.
    func begin() {
        saved.seeds = []
        (taste, history) = (ListenerTaste(), ActionHistory())
        wish = nil
        (isWanted, isReplacing, beginsPlaying) = (false, false, false)
        epoch += 1
    }
}

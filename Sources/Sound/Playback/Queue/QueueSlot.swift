import MusicModel

/// An entry as the queue stores it: 36 bytes without references, so that edits are plain moves of memory. An entry that
/// does not fit (streams, unusual numbers) is kept whole next to the slots; see `Queue.others`.
struct QueueSlot: Sendable {
    let id: UInt32
    /// The queue's version at the entry's last change of its own; its chunk may have been stamped later.
    var version: UInt32
    /// The song's number; `elsewhere` when the candidate is kept whole.
    private var song: UInt32
    /// Milliseconds; `unknown` without one.
    private var duration: Int32
    private var gains: (track: Int32, trackPeak: Int32, album: Int32, albumPeak: Int32)
    private var storedPriority: UInt8

    private static let elsewhere = UInt32.max
    private static let unknown = Int32.min
    /// Gains and peaks are stored in millionths, which is as precise as tags have them.
    private static let gainScale = 1_000_000.0

    /// Stores a candidate's id, priority and version but not what it plays, which stands elsewhere.
    init(id: UInt32, priority: Int, version: UInt32) {
        (self.id, self.version) = (id, version)
        storedPriority = UInt8(clamping: priority)
        song = Self.elsewhere
        duration = Self.unknown
        gains = (Self.unknown, Self.unknown, Self.unknown, Self.unknown)
    }

    /// Stores a candidate; nil when that would lose something of it.
    init?(id: UInt32, _ candidate: QueueCandidate, priority: Int, version: UInt32) {
        guard candidate.range == nil, candidate.sheetTags.isEmpty, case .song(let number) = candidate.item,
            let song = UInt32(exactly: number.rawValue),
            song != Self.elsewhere, let duration = Self.store(candidate.duration)
        else { return nil }
        let gain = candidate.replayGain
        guard let track = Self.store(gain.trackGain), let trackPeak = Self.store(gain.trackPeak),
            let album = Self.store(gain.albumGain), let albumPeak = Self.store(gain.albumPeak)
        else { return nil }
        self.init(id: id, priority: priority, version: version)
        (self.song, self.duration) = (song, duration)
        gains = (track, trackPeak, album, albumPeak)
    }

    var priority: Int {
        get { Int(storedPriority) }
        set { storedPriority = UInt8(clamping: newValue) }
    }

    var songID: SongID? { song == Self.elsewhere ? nil : SongID(rawValue: Int64(song)) }
    var knownDuration: Duration? { duration == Self.unknown ? nil : .milliseconds(duration) }

    var replayGain: ReplayGain {
        ReplayGain(
            trackGain: Self.restore(gains.track), trackPeak: Self.restore(gains.trackPeak),
            albumGain: Self.restore(gains.album), albumPeak: Self.restore(gains.albumPeak))
    }

    // nil stands for a value that can't be stored exactly; `unknown` for one that isn't there.

    private static func store(_ duration: Duration?) -> Int32? {
        guard let duration else { return unknown }
        let parts = duration.components
        let (milliseconds, rest) = (
            parts.attoseconds / 1_000_000_000_000_000, parts.attoseconds % 1_000_000_000_000_000
        )
        guard rest == 0, parts.seconds.magnitude < 2_000_000 else { return nil }
        return Int32(parts.seconds * 1000 + milliseconds)
    }

    private static func store(_ value: Double?) -> Int32? {
        guard let value else { return unknown }
        let scaled = (value * gainScale).rounded()
        guard abs(scaled) < 2e9, scaled / gainScale == value else { return nil }
        return Int32(scaled)
    }

    private static func restore(_ value: Int32) -> Double? { value == unknown ? nil : Double(value) / gainScale }
}

import AudioFiles
import AudioOutputs
import Coordination
import MusicModel
import Playback

/// A track as the mixer sees it: its deck once that is open, and the sound pulled from it so far.
///
/// - Isolation: the engine's thread.
final class PlayingDeck {
    /// How far the track is.
    enum Phase: Equatable {
        /// Its bytes are being asked for.
        case fetching
        /// The deck is being opened.
        case opening
        /// Sound can be pulled.
        case ready
        /// A seek is under way.
        case seeking(number: Int)
        /// It can't be played.
        case failed
        /// The engine has let go of it.
        case discarded
    }

    /// Facts that become known of a track while it plays, in addition to `DeckFacts`.
    struct Details {
        /// In kbit/s.
        var bitRate: Int?
        /// ReplayGain of the file's own tags, for tracks that came without.
        var replayGain = ReplayGain()
        /// The tags of the file for MixRamp.
        var mixRamp = MixRampTags()
        /// The tags that the index has of the song.
        var tags: [TagValue] = []
    }

    /// Numbers the deck; events of another number are stale.
    var id: Int
    var track: EngineTrack
    var phase = Phase.fetching
    var deck: Deck?
    var file: TrackFile?
    var facts: DeckFacts?
    var details = Details()
    /// The ReplayGain factor.
    var gain = GainRamp(1)
    /// True if the deck is to wait for the bytes it wants wherever they lie, so that it can seek.
    var isOpenedWhole = false
    /// True if the outputs take its sound otherwise than it was opened for.
    var isToReopen = false
    /// Where the seek was to lead that is to be answered by an event.
    var soughtTarget: Duration?
    /// Why it breaks off after the sound that was decoded; nil while all is well.
    var breakage: StreamFailure?
    /// The missing sound, and what the player knows of it.
    var shortage = Shortage()
    /// The sound that was pulled.
    var sound: DeckSound
    /// The change of its speed, so that its beats fall on those of the song before it; nil as a rule.
    var stretch: BeatStretch?
    /// Where it went back to its own speed.
    var stretchedUntil: Nanoseconds?
    /// The state of a stream's connection.
    var link = StreamLink()
    /// How often in a row its pipeline was seen at rest.
    private var restsSeen = 0

    private let clock: any EngineClock

    /// Makes a track without a deck.
    ///
    /// - Parameter canRewind: whether sound that was mixed can be taken back; of streams it always can.
    init(
        id: Int, track: EngineTrack, target: Nanoseconds, canRewind: Bool = false, clock: any EngineClock = .monotonic
    ) {
        self.id = id
        self.track = track
        self.clock = clock
        sound = DeckSound(target: target, canRewind: canRewind || track.streamURL != nil)
    }

    /// True if the track is a stream from the network.
    var isStream: Bool { track.streamURL != nil }

    /// True if its samples are DoP, which nothing may change.
    var isDoP: Bool { facts?.isDoP ?? false }

    /// True if the track is a stream without an end.
    var isEndless: Bool { facts?.isEndless ?? false }

    /// True if a stream whose connection ended without a fault at a position of it has ended there, too.
    func isWhole(at place: Nanoseconds) -> Bool {
        if isEndless { return facts?.toldLength.map { StreamLink.comes(place, to: $0) } ?? false }
        // Where no position can be asked for, another connection would only start over.
        return facts?.isSeekable == false || link.isEnd(at: place, of: duration)
    }

    /// True if the track is a stream that is heard.
    var isSounding: Bool { isStream && link.hasSounded && link.silentSince == nil && phase == .ready }

    /// True if nothing more can come of it.
    var isOver: Bool { phase == .failed || phase == .discarded }

    /// Where the next frame lies in the track.
    var place: Nanoseconds { sound.place }

    /// The part of the file that is played; nil is all of it. Places count from its beginning.
    private var part: SongRange? {
        guard !isStream else { return nil }
        guard let song = file?.part else { return track.range }
        guard let range = track.range else { return song }
        let ends = [range.end.map { song.start + $0 }, song.end].compactMap(\.self)
        return SongRange(start: song.start + range.start, end: ends.min())
    }

    /// Where the part begins in the song.
    var offset: Nanoseconds { part.map { SoundLimits.plausible($0.start) } ?? .zero }

    /// The bounds of the track within its decoded sound.
    private var bounds: SongFrames.Bounds {
        // A song that still arrives tells its end last.
        let trim = facts?.trim ?? (deck?.wasGrowing == true ? deck?.pipeline?.trim : nil)
        return SongFrames.Bounds(
            trim: trim, start: offset, end: part?.end.map(SoundLimits.plausible), isPlaced: !isEndless)
    }

    /// The length, as the deck or else the track says.
    var duration: Nanoseconds? {
        guard let whole = facts?.duration else { return track.duration.map(SoundLimits.plausible) }
        guard let part else { return whole }
        return part.duration(within: whole.duration).map(SoundLimits.plausible)
    }

    /// The loudness values that count: the server's, since it may have measured the song itself, or else the file's.
    ///
    /// Never both: a file that the server has transcoded may have lost its tags, or still have them.
    var replayGain: ReplayGain {
        if track.replayGain.hasGain { return track.replayGain }
        return details.replayGain.hasGain ? details.replayGain : track.measuredGain ?? details.replayGain
    }

    /// How loud its beginning and end are, by the file's tags or else as it was measured.
    var mixRamp: MixRampTags {
        let (tags, measured) = (details.mixRamp, track.measuredRamps)
        return MixRampTags(start: tags.start ?? measured.start, end: tags.end ?? measured.end)
    }

    /// True if a position can be sought; true while that isn't known.
    var isSeekable: Bool { facts?.isSeekable ?? true || canReopen }

    /// True where reopening it would let it seek, or let it seek better than now.
    var canReopen: Bool {
        guard deck?.wasGrowing == true, !isOpenedWhole, let extent = file?.current else { return false }
        return extent.isComplete || facts?.isSeekable == false
    }

    /// Frees the deck; it ends on its own thread.
    func close() { deck?.close() }

    /// Forgets the sound pulled so far and continues at `target`.
    func reset(to target: Nanoseconds) {
        sound.reset(to: target)
        (stretch, stretchedUntil) = (nil, nil)
        shortage.startOver()
        breakage = nil
    }

    /// True if all sound was given.
    var isEnded: Bool { sound.isEmpty && phase == .ready && isExhausted }

    /// True if nothing more can be pulled.
    var isExhausted: Bool {
        guard let pipeline = deck?.pipeline else { return false }
        return sound.isCut || pipeline.isEnded || breakage != nil && pipeline.queued == .zero
    }

    /// Why the track ended before its time, if it did.
    var cause: String? { sound.isCut ? nil : breakage?.message ?? deck?.pipeline?.feedFailure }

    /// True while its beginning, or more of its sound, is being worked on and comes on its own.
    var isWorkedOn: Bool {
        switch phase {
        case .fetching: !isStream
        case .opening, .seeking: deck?.isStarved != true
        case .ready: breakage == nil && deck?.pipeline?.isDecoding == true && deck?.isStarved != true
        case .failed, .discarded: false
        }
    }

    /// True if its pipeline has come to rest without a word of the end; asked again and again while sound is missing.
    var hasCeased: Bool {
        guard let pipeline = deck?.pipeline, pipeline.isAtRest, !pipeline.isEnded, pipeline.queuedSamples == .zero
        else {
            restsSeen = 0
            return false
        }
        restsSeen += 1
        return restsSeen > Self.enoughRests
    }

    /// A second of looks, which are ten milliseconds apart.
    private static let enoughRests = 100

    /// How much decoded sound waits to be pulled.
    var queued: Nanoseconds { deck?.pipeline?.queued ?? .zero }

    /// True once the bytes up to a position are there, going by the song's average rate.
    func hasArrived(upTo place: Nanoseconds) -> Bool {
        guard let extent = file?.current, !extent.isComplete else { return true }
        guard let total = extent.total, total > 0, let whole = facts?.duration else { return false }
        let share = Double(extent.available) / Double(total)
        return share * whole.seconds >= (offset + min(place, duration ?? place)).seconds
    }

    /// Waits for more sound than there is, after some was missing, or before a stream or a song that still
    /// arrives is first heard.
    func isHeldBack(at now: Nanoseconds) -> Bool {
        // Of what breaks off, the rest is heard at once: waiting for more would be silence before the bad news.
        guard let pipeline = deck?.pipeline, file?.current.isComplete != true, breakage == nil, !pipeline.isDecoded,
            !isExhausted
        else { return false }
        if !sound.wasTaken {
            let first = pipeline.queuedSamples
            if shortage.gathersFirst(queued: first, enough: .milliseconds(150), at: now) { return true }
        }
        let enough: Nanoseconds = isStream ? .milliseconds(1500) : .milliseconds(500)
        return shortage.holdsBack(queued: queued, enough: enough, countsSilence: isStream, at: now)
    }

    /// Pulls until at least `frames` wait, as far as they are there.
    func fill(frames: Int) {
        guard phase == .ready, let pipeline = deck?.pipeline else { return }
        let waits = clock.standsStillForDecoders(isNetwork: isStream)
        let outlet = DeckOutlet(pipeline: pipeline, patience: waits ? .seconds(1) : .zero)
        if !sound.fill(frames: frames, from: outlet, within: bounds), isExhausted { sound.finish() }
    }

    /// Takes that many frames of a layout, over as many pieces as they come in, or as many as there are.
    func takeAll(frames: Int, _ layout: SampleLayout) -> [Float] {
        fill(frames: frames)
        var samples: [Float] = []
        while samples.count < frames * layout.channels, sound.layout == layout,
            let piece = sound.take(frames: frames - samples.count / layout.channels)
        {
            samples += piece.samples
        }
        return samples
    }
}

/// Where decoded sound is pulled, and waited for as long as a clock that stands still has it on its way.
private struct DeckOutlet: SoundSource {
    let pipeline: DeckPipeline
    let patience: Nanoseconds

    func pull() -> DeckSamples? {
        pipeline.pull() ?? (patience > .zero && pipeline.isHandingOver ? pipeline.pull(within: patience) : nil)
    }
}

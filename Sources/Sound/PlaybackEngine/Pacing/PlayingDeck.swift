import AudioFiles
import AudioOutputs
import Coordination
import MusicModel
import Playback

/// A track as the mixer sees it: its deck once that is open, and the sound pulled from it so far.
final class PlayingDeck {
    enum Phase: Equatable {
        /// Its bytes are being asked for.
        case fetching
        case opening
        case ready
        case seeking(number: Int)
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
    var gain = GainRamp(1)
    /// True if the deck is to wait for the bytes it wants wherever they lie, so that it can seek.
    var isOpenedWhole = false
    /// True if the outputs take its sound otherwise than it was opened for.
    var isToReopen = false
    /// Where the seek was to lead that is to be answered by an event.
    var soughtTarget: Duration?
    /// Why it breaks off after the sound that was decoded; nil while all is well.
    var breakage: StreamFailure?
    var shortage = Shortage()
    var sound: DeckSound
    /// The change of its speed, so that its beats fall on those of the song before it; nil as a rule.
    var stretch: BeatStretch?
    /// Where it went back to its own speed.
    var stretchedUntil: Nanoseconds?
    var link = StreamLink()
    private var restsSeen = 0
    private let clock: any EngineClock

    /// Makes a track without a deck.
    init(
        id: Int, track: EngineTrack, target: Nanoseconds, canRewind: Bool = false, clock: any EngineClock = .monotonic
    ) {
        (self.id, self.track, self.clock) = (id, track, clock)
        sound = DeckSound(target: target, canRewind: canRewind || track.streamURL != nil)
    }

    var isStream: Bool { track.streamURL != nil }
    var isDoP: Bool { facts?.isDoP ?? false }
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
    var place: Nanoseconds { sound.place }

    /// The part of the file that is played; nil is all of it. Places count from its beginning.
    private var part: SongRange? {
        guard !isStream else { return nil }
        guard let song = file?.part else { return track.range }
        guard let range = track.range else { return song }
        let ends = [range.end.map { song.start + $0 }, song.end].compactMap(\.self)
        return SongRange(start: song.start + range.start, end: ends.min())
    }

    var offset: Nanoseconds { part.map { SoundLimits.plausible($0.start) } ?? .zero }

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

    /// The loudness values that count: the server's, which may have measured the song itself, or else the file's, which
    /// may have lost its tags where the server converts.
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

    func reset(to target: Nanoseconds) {
        sound.reset(to: target)
        (stretch, stretchedUntil) = (nil, nil)
        shortage.startOver()
        breakage = nil
    }

    var isEnded: Bool { sound.isEmpty && phase == .ready && isExhausted }

    /// True if nothing more can be pulled.
    var isExhausted: Bool {
        guard let pipeline = deck?.pipeline else { return false }
        return sound.isCut || pipeline.isEnded || breakage != nil && pipeline.queued == .zero
    }

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

    var queued: Nanoseconds { deck?.pipeline?.queued ?? .zero }

    /// True once the bytes up to a position are there, going by the song's average rate.
    func hasArrived(upTo place: Nanoseconds) -> Bool {
        guard let extent = file?.current, !extent.isComplete else { return true }
        guard let total = extent.total, total > 0, let whole = facts?.duration else { return false }
        let share = Double(extent.available) / Double(total)
        return share * whole.seconds >= (offset + min(place, duration ?? place)).seconds
    }

    /// Waits for more sound after some was missing, or before a stream or a song that still arrives is first heard.
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

    func fill(frames: Int) {
        guard phase == .ready, let pipeline = deck?.pipeline else { return }
        // A clock that stands still waits for what is decoded and on its way.
        let waits = clock.standsStillForDecoders(isNetwork: isStream)
        let isFilled = sound.fill(frames: frames, within: bounds) {
            pipeline.pull() ?? (waits && pipeline.isHandingOver ? pipeline.pull(within: .seconds(1)) : nil)
        }
        if !isFilled, isExhausted { sound.finish() }
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

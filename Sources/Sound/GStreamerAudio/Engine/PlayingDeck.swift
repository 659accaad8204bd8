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
        case failed(String)
    }

    private struct Chunk {
        var layout: SampleLayout
        var samples: [Float]
        var taken = 0
        var left: Int { (samples.count - taken) / layout.channels }
    }

    /// Numbers the deck; events of another number are stale.
    var id: Int
    var track: EngineTrack
    var phase = Phase.fetching
    var deck: Deck?
    var file: TrackFile?
    var facts: DeckFacts?
    var bitRate: Int?
    /// Where sound is to go on; earlier sound is dropped.
    var target: Int64
    /// ReplayGain of the file's own tags, for tracks that came without.
    var ownReplayGain = ReplayGain()
    /// What the file's tags say about MixRamp.
    var mixRamp = MixRampTags()
    /// What the index knows of the song.
    var songTags: [TagValue] = []
    /// The ReplayGain factor.
    var gain = GainRamp(1)
    /// Whether the deck is to wait for the bytes it wants wherever they lie, so that it can seek.
    var isOpenedWhole = false
    /// Whether a seek is answered by an event.
    var answersSeek = false
    /// Why it breaks off after the sound that was decoded; nil while all is well.
    var breakage: String?
    /// Since when sound is missing; nil while there is some.
    var starvedSince: Int64?
    /// Whether the engine has said that it waits for sound.
    var isBuffering = false
    private(set) var hasGivenSound = false
    /// What is known of a stream's connection.
    var link = StreamLink()
    /// The rate that a stream's sound has, once known: it stays when the connection is made anew.
    var lastRate: Int?
    /// Where sound began that was not interrupted since; nil until there is some.
    private var anchor: Anchor?
    /// The frame of the song that the next piece starts with.
    private var pulled: Int64 = 0
    /// Whether the song's last frame was pulled, whatever the decoder still gives.
    private var isCut = false
    private var chunks: [Chunk] = []
    /// What of a stream was taken last, so that it can be taken back.
    private var given: [Chunk] = []
    /// How many of the next pieces were decoded long ago.
    private var stale = 0
    /// The layout that its sound is brought to, so that it can be mixed with another's; nil leaves it as it is.
    private(set) var carrier: SampleLayout?
    /// What brings it there, once that was needed.
    private var converter: RateConverter?
    /// Whether the sound taken last is remembered, since it may soon be brought to another layout.
    var isAboutToFade = false
    private var lastTaken: Chunk?

    private struct Anchor {
        var place: Int64
        var layout: SampleLayout
        var taken = 0

        var now: Int64 { place + layout.nanoseconds(frames: taken) }
    }

    init(id: Int, track: EngineTrack, target: Int64) {
        self.id = id
        self.track = track
        self.target = target
    }

    /// Whether the track is a stream from the network.
    var isStream: Bool { if case .stream = track.source { true } else { false } }

    /// Whether the track is a stream without an end.
    var isEndless: Bool { facts?.isEndless ?? false }

    /// Whether the track is a stream that is heard.
    var isSounding: Bool { isStream && link.hasSounded && link.silentSince == nil && phase == .ready }

    /// Where the next frame lies in the track, in nanoseconds.
    var place: Int64 { anchor?.now ?? target }

    /// The part of the song that is played; nil is all of it. Places count from its beginning.
    private var part: SongRange? { isStream ? nil : track.range }

    /// Where the part begins in the song, in nanoseconds.
    var offset: Int64 { part.map { SoundLimits.nanoseconds($0.start) } ?? 0 }

    /// The length in nanoseconds, as the deck or else the track says.
    var duration: Int64? {
        guard let whole = facts?.duration else { return track.duration.map(SoundLimits.nanoseconds) }
        guard let part else { return whole }
        return part.duration(within: .nanoseconds(whole)).map(SoundLimits.nanoseconds)
    }

    /// The loudness values that count: the server's, since it may have measured the song itself, or else the file's.
    ///
    /// Never both: a file that the server has transcoded may have lost its tags, or still have them.
    var replayGain: ReplayGain { track.replayGain.hasGain ? track.replayGain : ownReplayGain }

    /// Whether a place can be sought; true while that isn't known.
    var isSeekable: Bool { facts?.isSeekable ?? true || canReopen }

    /// Whether opening it anew would let it seek, or let it seek better than now.
    var canReopen: Bool {
        guard deck?.wasGrowing == true, !isOpenedWhole, let extent = file?.current else { return false }
        return extent.isComplete || facts?.isSeekable == false
    }

    /// The rate and channels of the next frame.
    var layout: SampleLayout? { chunks.first?.layout }

    /// Frees the deck; it ends on its own thread.
    func close() { deck?.close() }

    /// Forgets the sound pulled so far and goes on at `target`.
    func reset(to target: Int64) {
        (chunks, given, stale) = ([], [], 0)
        (anchor, isCut) = (nil, false)
        (converter, lastTaken, isAboutToFade) = (nil, nil, false)
        breakage = nil
        self.target = target
        starvedSince = nil
    }

    /// Whether all sound was given.
    var isEnded: Bool {
        chunks.isEmpty && converter?.holdsBack != true && phase == .ready && isExhausted
    }

    /// Whether nothing more can be pulled.
    private var isExhausted: Bool {
        guard let pipeline = deck?.pipeline else { return false }
        return isCut || pipeline.isEnded || breakage != nil && pipeline.queued == 0
    }

    /// Why the track ended before its time, if it did.
    var cause: String? { isCut ? nil : breakage ?? deck?.pipeline?.feedFailure }

    /// How much sound waits, in nanoseconds.
    var queued: Int64 { deck?.pipeline?.queued ?? 0 }

    /// How many frames have been pulled and not taken.
    var waiting: Int { chunks.reduce(0) { $0 + $1.left } }

    /// Pulls until at least `frames` wait, as far as they are there.
    func fill(frames: Int) {
        guard phase == .ready, let pipeline = deck?.pipeline else { return }
        while waiting < frames {
            guard !isCut, let piece = pipeline.pull() else { return drainConverter() }
            append(piece)
        }
    }

    private func append(_ piece: DeckSamples) {
        if stale > 0 {
            stale -= 1
            return
        }
        var chunk = Chunk(layout: piece.layout, samples: piece.samples)
        if anchor == nil {
            guard let start = startOfSong(chunk, at: piece.position) else { return }
            chunk.taken = start * chunk.layout.channels
        }
        pulled += Int64(chunk.left)
        if let end = end(in: chunk.layout), pulled >= end {
            isCut = true
            let surplus = min(chunk.left, Int(pulled - end))
            chunk.samples.removeLast(surplus * chunk.layout.channels)
            if chunk.left == 0 { return }
        }
        carry(chunk)
    }

    private func add(_ chunk: Chunk) {
        if let last = chunks.indices.last, chunks[last].layout == chunk.layout, chunks[last].left < 2048,
            chunk.taken == 0
        {
            chunks[last].samples.append(contentsOf: chunk.samples)
        } else {
            chunks.append(chunk)
        }
    }

    // MARK: Another layout

    /// The layout that its sound has, or had last; nil if that isn't known yet.
    var lastLayout: SampleLayout? { carrier ?? layout ?? anchor?.layout }

    /// Brings its sound to a layout from the next frame on, until it is told otherwise.
    ///
    /// What waits of the sound is brought there, too; nil is for when there is none.
    func carry(_ layout: SampleLayout?) {
        guard layout != carrier else { return }
        if converter != nil { finishConverter() }
        let waiting = chunks
        (carrier, chunks) = (layout, [])
        waiting.forEach(carry)
    }

    private func carry(_ chunk: Chunk) {
        guard let carrier, converter != nil || chunk.layout != carrier else { return add(chunk) }
        let samples = converted(to: carrier).convert(Array(chunk.samples[chunk.taken...]), chunk.layout)
        if !samples.isEmpty { add(Chunk(layout: carrier, samples: samples)) }
    }

    private func converted(to layout: SampleLayout) -> RateConverter {
        if let converter { return converter }
        let made = RateConverter(to: layout)
        if let lastTaken { made.follow(lastTaken.samples, lastTaken.layout) }
        lastTaken = nil
        converter = made
        return made
    }

    /// The last of the sound comes out of the converter.
    private func drainConverter() {
        if converter?.holdsBack == true, isExhausted { finishConverter() }
    }

    private func finishConverter() {
        guard let converter else { return }
        let samples = converter.finish()
        if !samples.isEmpty { add(Chunk(layout: converter.target, samples: samples)) }
        self.converter = nil
    }

    private func remember(last samples: [Float], _ layout: SampleLayout) {
        let before = lastTaken.map { $0.layout == layout ? $0.samples : [] } ?? []
        let limit = RateConverter.context * layout.channels
        lastTaken = Chunk(layout: layout, samples: Array((before + samples).suffix(limit)))
    }

    /// The frame behind the last one, where that is known beforehand: a file's end, or that of the part.
    private func end(in layout: SampleLayout) -> Int64? {
        let offset = Int64(layout.frames(nanoseconds: offset))
        let ends = [
            facts?.trim?.frames(at: layout.rate),
            part?.end.map { Int64(layout.frames(nanoseconds: SoundLimits.nanoseconds($0))) },
        ]
        return ends.compactMap { $0 }.min().map { $0 - offset }
    }

    /// How many frames of the first sound lie before the song or before `target`; nil if all of them do.
    private func startOfSong(_ chunk: Chunk, at position: Int64?) -> Int? {
        let layout = chunk.layout
        let skip = (facts?.trim?.skip(at: layout.rate) ?? 0) + Int64(layout.frames(nanoseconds: offset))
        let wanted = Int64(layout.frames(nanoseconds: target))
        let counted = isEndless ? nil : position
        let first = counted.map { Int64(layout.frames(nanoseconds: $0)) - skip } ?? wanted
        let start = max(first, wanted)
        guard start - first < Int64(chunk.left) else { return nil }
        pulled = start
        anchor = Anchor(place: layout.nanoseconds(frames: Int(start)), layout: layout)
        return Int(start - first)
    }

    /// Takes at most `frames` frames of one layout; nil if none wait.
    func take(frames: Int) -> (samples: [Float], layout: SampleLayout, place: Int64)? {
        guard let first = chunks.first, first.left > 0 else { return nil }
        let count = min(frames, first.left)
        let end = first.taken + count * first.layout.channels
        let samples = Array(first.samples[first.taken..<end])
        if end == first.samples.count { chunks.removeFirst() } else { chunks[0].taken = end }
        let start = place
        if anchor?.layout != first.layout { anchor = Anchor(place: start, layout: first.layout) }
        anchor?.taken += count
        hasGivenSound = true
        if isStream { remember(Chunk(layout: first.layout, samples: samples)) }
        if isAboutToFade { remember(last: samples, first.layout) }
        return (samples, first.layout, start)
    }

    /// Takes back frames that were taken last but not used.
    func putBack(_ samples: [Float], _ layout: SampleLayout) {
        chunks.insert(Chunk(layout: layout, samples: samples), at: 0)
        anchor?.taken -= samples.count / layout.channels
    }

    // MARK: Streams

    /// How much of a stream can be taken back, in nanoseconds: more than is mixed ahead.
    private static let memory: Int64 = 1_000_000_000

    private func remember(_ chunk: Chunk) {
        given.append(chunk)
        var length = given.reduce(0) { $0 + $1.layout.nanoseconds(frames: $1.left) }
        while let first = given.first, length - first.layout.nanoseconds(frames: first.left) > Self.memory {
            length -= first.layout.nanoseconds(frames: first.left)
            given.removeFirst()
        }
    }

    /// Takes back the sound of a stream that was taken last, up to `nanoseconds` of it.
    func rewind(_ nanoseconds: Int64) {
        var rest = nanoseconds
        while rest > 0, var last = given.popLast() {
            let frames = min(last.left, last.layout.frames(nanoseconds: rest))
            guard frames > 0 else { return given.append(last) }
            if anchor == nil { anchor = Anchor(place: target, layout: last.layout) }
            putBack(Array(last.samples.suffix(frames * last.layout.channels)), last.layout)
            rest -= last.layout.nanoseconds(frames: frames)
            last.samples.removeLast(frames * last.layout.channels)
            if last.left > 0 { given.append(last) }
        }
    }

    /// Takes that many frames of a layout, over as many pieces as they come in, or as many as there are.
    func takeAll(frames: Int, _ layout: SampleLayout) -> [Float] {
        fill(frames: frames)
        var samples: [Float] = []
        while samples.count < frames * layout.channels, self.layout == layout,
            let piece = take(frames: frames - samples.count / layout.channels)
        {
            samples += piece.samples
        }
        return samples
    }

    /// Counts a stream's time from zero again, without a break in its sound.
    func restartCount() {
        target = 0
        guard let layout = chunks.first?.layout ?? anchor?.layout else { return }
        anchor = Anchor(place: 0, layout: layout)
    }

    /// Drops what stands before the newest sound of a stream that was not listened to: one piece that was offered and
    /// one that waited behind it.
    func skipStale() { stale = 2 }
}

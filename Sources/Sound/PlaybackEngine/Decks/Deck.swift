import AudioFiles
import AudioOutputs
import CSound
import Coordination
import MusicModel
import Playback

enum DeckEvent: Sendable {
    /// The track is open, stands where it was asked to start, and sound can be pulled.
    case ready(DeckFacts)
    /// The track can't be played, or broke off; perhaps since nothing here decodes what came.
    case failed(String, isUndecodable: Bool = false)
    /// The seek of that number is done, or was refused.
    case seeked(number: Int, isDone: Bool)
    /// Texts that came within the sound.
    case tags([TagValue])
    /// The bit rate in kbit/s.
    case bitRate(Int)
    /// Loudness profiles from the file's tags.
    case mixRamp(MixRampTags)
    /// Loudness values from the file's tags.
    case replayGain(ReplayGain)
    /// A stream can't be had, or broke off; what was decoded before can still be pulled.
    case broken(StreamFailure)
    /// The last of a stream has been decoded, though not pulled.
    case received
    /// From what is decoded now on, the decoder's format is another one.
    case format(AudioFormat)
    /// The deck is closed and its pipeline taken down.
    case gone
}

struct DeckFacts: Hashable, Sendable {
    var format: AudioFormat?
    var duration: Nanoseconds?
    var isSeekable: Bool
    var trim: TrackTrim?
    /// True if it is a stream without an end.
    var isEndless = false
    /// How long a stream without an end says that it is, as a song does that is sent like a broadcast.
    var toldLength: Nanoseconds?
    /// True if it is a stream in pieces named by a playlist.
    var isSegmented = false
    /// True if its samples are DoP, which nothing may change.
    var isDoP = false
    /// True if outputs could get it as DoP.
    var fitsDoP = false
}

/// One track's pipeline with a thread that drives it and may block. Commands come by `seek` and `close`, events leave
/// by `report`; the mixer pulls sound from `pipeline`.
final class Deck: Sendable {
    enum Origin: Sendable {
        case file(TrackFile, asWhole: Bool, DoPAcceptance)
        case stream(StreamRequest)
        case disc(DiscAddress, devices: [String])

        /// Nil for what is no stream.
        var request: StreamRequest? { if case .stream(let request) = self { request } else { nil } }
    }

    struct State {
        var pipeline: DeckPipeline?
        var feed: TrackFeed?
        var seek: (number: Int, place: Nanoseconds)?
        var isClosed = false
        var isGone = false
        var links: [OggLink] = []
    }

    let wasGrowing: Bool
    private let origin: Origin
    private let start: Nanoseconds
    let maxChannels: Int
    let report: @Sendable (DeckEvent) -> Void
    let memoryBudget: MemoryBudget
    let state = Monitor(State())

    /// Opens a track on a thread of its own, mixed down to `maxChannels`; streams are stereo in any case.
    init(
        _ origin: Origin, start: Nanoseconds, maxChannels: Int = 2, memoryBudget: MemoryBudget = .unlimited,
        report: @escaping @Sendable (DeckEvent) -> Void
    ) {
        (self.memoryBudget, self.origin, self.start) = (memoryBudget, origin, start)
        (self.maxChannels, self.report) = (maxChannels, report)
        if case .file(let file, _, _) = origin { wasGrowing = !file.current.isComplete } else { wasGrowing = false }
        guard !BlockingThread.start("deck", { self.run() }) else { return }
        state.update { $0.isGone = true }
        report(.failed(BlockingThread.missing))
        report(.gone)
    }

    var pipeline: DeckPipeline? { state.withLock { $0.pipeline } }
    var isStarved: Bool { state.withLock { $0.feed }?.isStarved ?? false }

    /// Moves within the track; `seeked` with that number answers. A newer seek replaces one that waits.
    func seek(to place: Nanoseconds, number: Int) {
        let pipeline = state.withLock { state in
            state.seek = (number, place)
            return state.pipeline
        }
        pipeline?.nudge()
    }

    func close() {
        let (pipeline, feed) = state.update { state in
            state.isClosed = true
            return (state.pipeline, state.feed)
        }
        // While the header is read there is no pipeline yet, and the deck's thread may be waiting for bytes.
        if pipeline == nil { feed?.stop() }
        pipeline?.nudge()
    }

    /// Waits until the pipeline is taken down; false when that takes longer.
    func waitUntilGone(milliseconds: Int) -> Bool {
        state.wait(milliseconds: milliseconds) { $0.isGone ? true : nil } ?? false
    }

    // MARK: The deck's thread

    private func run() {
        defer {
            state.update { $0.isGone = true }
            report(.gone)
        }
        var origin = origin
        for _ in 0...Self.maxRedirections {
            guard let location = open(origin) else { return }
            guard var request = origin.request, let url = StreamAddress(request.url).redirected(to: location) else {
                let message = "its server redirects to something else than http or https"
                return report(.broken(StreamFailure(message: message, isFinal: true)))
            }
            request.url = url
            origin = .stream(request)
        }
        report(.broken(StreamFailure(message: "its server redirects too often", isFinal: true)))
    }

    /// How many rests of what opens, a tenth of a second apart, are its end.
    private static let enoughRests = 4
    /// How many redirections of a station with a login are followed.
    private static let maxRedirections = 5

    /// Plays until the deck is closed, or until a station with a login says that it is elsewhere: then it gives where.
    private func open(_ origin: Origin) -> String? {
        let pipeline: DeckPipeline
        do { pipeline = try build(origin) } catch {
            report(Self.failure(error))
            return nil
        }
        let goesOn = state.withLock { state in
            state.pipeline = pipeline
            return !state.isClosed
        }
        var outcome = goesOn ? drive(pipeline, origin, nil) : .closed
        while case .turn(let turn) = outcome { outcome = go(turn, origin) }
        state.withLock { $0.pipeline }?.tearDown()
        state.withLock { ($0.pipeline, $0.feed) = (nil, nil) }
        if case .redirected(let location) = outcome { return location }
        return nil
    }

    private func build(_ origin: Origin) throws -> DeckPipeline {
        if let failure = GStreamerLibrary.failure { throw TrackError("GStreamer doesn't work: \(failure)") }
        switch origin {
        case .file(let file, let isWhole, let outputs):
            var feed = try TrackFeed(file, asWhole: isWhole)
            if state.withLock({ state in
                state.feed = feed
                return state.isClosed
            }) {
                feed.stop()
            }
            links = feed.readLinks()
            if let link = link(at: start) {
                feed = try TrackFeed(file, asWhole: isWhole, link: link)
                state.withLock { $0.feed = feed }
            }
            try feed.readHeader(takesDoP: outputs.takes)
            guard let pipeline = DeckPipeline(feed: feed, maxChannels: maxChannels, memoryBudget) else {
                throw Self.incomplete
            }
            return pipeline
        case .disc(let address, let devices): return try Self.pipeline(address, of: devices)
        case .stream(let request):
            if let input = LineInput(request.url) { return try Self.pipeline(input, request, memoryBudget) }
            guard StreamAddress.isOfWeb(request.url) else {
                throw TrackError("only streams over http and https can be played")
            }
            guard let pipeline = DeckPipeline(stream: request, memoryBudget) else { throw Self.incomplete }
            return pipeline
        }
    }

    private static func pipeline(
        _ input: LineInput, _ request: StreamRequest, _ memoryBudget: MemoryBudget
    ) throws -> DeckPipeline {
        guard request.lineInputs.contains(input.device) else {
            throw TrackError("the device is not among line_inputs in [playback]")
        }
        guard let pipeline = DeckPipeline(lineInput: input, request, memoryBudget) else {
            throw TrackError("GStreamer's plug-in for ALSA is missing (gstreamer1.0-alsa)")
        }
        return pipeline
    }

    static let incomplete = TrackError("GStreamer's base plug-ins are missing (gstreamer1.0-plugins-base)")

    /// - Parameter turn: the way to this part of a chained file; nil for the first pipeline.
    func drive(_ pipeline: DeckPipeline, _ origin: Origin, _ turn: Turn?) -> Outcome {
        // Until it has arrived the deck's own pipeline is another one.
        defer { if state.withLock({ $0.pipeline !== pipeline }) { pipeline.tearDown() } }
        let isStream = origin.request != nil
        let charset = self.origin.request.flatMap { StreamAddress($0.url).charset }
        var reporter = DeckReporter(isStream: isStream, charset: charset, report: report)
        var headers = StreamHeaders()
        guard pipeline.setState(GST_STATE_PAUSED) else {
            reportRefusal(of: pipeline, origin)
            return .closed
        }
        var isReady = false
        var (rests, sawEnd) = (0, false)
        var format: AudioFormat?
        func becomeReady() {
            isReady = true
            format = turn.map { arrive(pipeline, $0) } ?? self.becomeReady(pipeline, headers)
        }
        while !state.withLock({ $0.isClosed }) {
            if isReady, let turn = performSeek(pipeline) ?? self.turn(behind: pipeline, sawEnd) { return .turn(turn) }
            // The end of a part is told before all of it was pulled.
            guard let message = pipeline.message(milliseconds: !isReady ? 100 : sawEnd ? 20 : 600_000) else {
                // Some decoders bring the pipeline up without the message that says so.
                if !isReady, pipeline.hasReachedState { becomeReady() }
                // Others end without one, or their error is lost.
                rests = !isReady && !isStream && pipeline.isAtRest ? rests + 1 : 0
                if rests == Self.enoughRests { report(.failed(DeckPipeline.breakage)) }
                continue
            }
            // Sound from before an error can still be pulled, so the pipeline stays until the deck is closed.
            if message.isKind(GST_MESSAGE_ERROR) {
                if !isReady, hasLogin(origin), let location = headers.redirection { return .redirected(location) }
                report(failure(message, pipeline, headers, origin))
            }
            if message.isKind(GST_MESSAGE_TAG) { reporter.read(message) }
            if isStream {
                takeHeaders(of: message, into: &headers, isReady, origin)
                reporter.name(headers.name)
            }
            if segue_message_has(message.pointer, "segue-end") != 0 { report(.received) }
            if message.isKind(GST_MESSAGE_ASYNC_DONE), !isReady { becomeReady() }
            if message.isKind(GST_MESSAGE_EOS) { sawEnd = pipeline.link?.isLast == false }
            if isReady, let another = pipeline.sourceFormat(beginningWith: message), another != format {
                format = another
                report(.format(another))
            }
        }
        return .closed
    }

    private func reportRefusal(of pipeline: DeckPipeline, _ origin: Origin) {
        let message = pipeline.pipeline.message(GST_MESSAGE_ERROR, milliseconds: 0)
        let text = message.map { self.text(of: $0, pipeline) } ?? Self.unopened
        // A capture device is tried again like a station.
        let isTold = origin.request.map { LineInput.isOne($0.url) } ?? true
        report(message.flatMap { isTold ? failure($0, pipeline, StreamHeaders(), origin) : nil } ?? .failed(text))
    }

    private func takeHeaders(
        of message: BusMessage, into headers: inout StreamHeaders, _ isReady: Bool, _ origin: Origin
    ) {
        headers.read(message)
        // Sound goes first.
        guard isReady, headers.hasUnreadName, let request = origin.request, !hasLogin(origin) else { return }
        headers.readName(of: StreamAddress(request.url).url)
    }

    private func hasLogin(_ origin: Origin) -> Bool {
        origin.request.map { StreamAddress($0.url).hasLogin } ?? false
    }

    private static let unopened = "the track can't be opened"

    static func failure(_ error: any Error) -> DeckEvent {
        guard let error = error as? TrackError else { return .failed(unopened) }
        return .failed(error.message, isUndecodable: error.isUndecodable)
    }

    private func failure(
        _ message: BusMessage, _ pipeline: DeckPipeline, _ headers: StreamHeaders, _ origin: Origin
    ) -> DeckEvent {
        guard let request = origin.request, let error = segue_message_error(message.pointer) else {
            let isUndecodable = pipeline.feedFailure == nil && ErrorMessages.isUndecodable(message)
            return .failed(text(of: message, pipeline), isUndecodable: isUndecodable)
        }
        defer { g_error_free(error) }
        if let input = LineInput(request.url) {
            let reason = ErrorMessages.deviceText(of: message)
            return .broken(StreamFailure(message: "the device \(input.device) can't be read: \(reason)"))
        }
        var failure = headers.failure(error)
        if headers.isUnexplained(error), let reach = ServerReach(request.url, milliseconds: 1000) {
            failure.message = reach.message
        }
        return .broken(failure)
    }

    private func text(of message: BusMessage, _ pipeline: DeckPipeline) -> String {
        if case .disc(let address, let devices) = origin {
            return DiscReader.failure(
                address.device ?? devices.first ?? "the drive", ErrorMessages.deviceText(of: message))
        }
        return pipeline.feedFailure ?? ErrorMessages.text(of: message)
    }

    private func becomeReady(_ pipeline: DeckPipeline, _ headers: StreamHeaders) -> AudioFormat? {
        let trim = pipeline.trim
        let sum = links.last.map { $0.start + $0.length }
        var facts = DeckFacts(
            format: pipeline.sourceFormat, duration: sum ?? trim?.duration ?? pipeline.toldLength ?? pipeline.duration,
            isSeekable: pipeline.isSeekable, trim: trim)
        (facts.isDoP, facts.fitsDoP) = (pipeline.isDoP, pipeline.fitsDoP)
        if origin.request != nil {
            facts.isSegmented = pipeline.isSegmented
            facts.isEndless = facts.isSegmented ? facts.duration == nil : headers.isEndless
            if facts.isEndless { (facts.isSeekable, facts.toldLength, facts.duration) = (false, facts.duration, nil) }
        }
        if start > .zero, facts.isSeekable { _ = pipeline.seek(to: start) }
        _ = pipeline.setState(GST_STATE_PLAYING)
        report(.ready(facts))
        return facts.format
    }

    /// - Returns: the way to another part of a chained file, where the seek leads there.
    private func performSeek(_ pipeline: DeckPipeline) -> Turn? {
        let wanted = state.withLock { state in
            defer { state.seek = nil }
            return state.seek
        }
        guard let wanted else { return nil }
        if let link = link(at: wanted.place), link != pipeline.link {
            return Turn(link: link, place: wanted.place, seek: wanted.number)
        }
        report(.seeked(number: wanted.number, isDone: pipeline.seek(to: wanted.place)))
        return nil
    }
}

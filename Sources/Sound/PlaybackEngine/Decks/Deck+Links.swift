import AudioFiles
import CSound
import Coordination
import MusicModel
import Playback

/// The parts of a chained Ogg file, each of which has a pipeline of its own, one after another.
extension Deck {
    enum Outcome {
        case closed
        /// The source does not follow a redirection.
        case redirected(String)
        /// Another part of a chained file is to be played.
        case turn(Turn)
    }

    /// The way to another part of a chained file.
    struct Turn {
        let link: OggLink
        let place: Nanoseconds
        /// The number of the seek that leads there.
        var seek: Int?
    }

    func go(_ turn: Turn, _ origin: Origin) -> Outcome {
        guard case .file(let file, let isWhole, _) = origin else { return .closed }
        do {
            let feed = try TrackFeed(file, asWhole: isWhole, link: turn.link)
            state.withLock { $0.feed = feed }
            try feed.readHeader()
            guard let pipeline = DeckPipeline(feed: feed, maxChannels: maxChannels, memoryBudget) else {
                throw Self.incomplete
            }
            return drive(pipeline, origin, turn)
        } catch {
            report(Self.failure(error))
            return .closed
        }
    }

    func arrive(_ pipeline: DeckPipeline, _ turn: Turn) -> AudioFormat? {
        if turn.place > turn.link.start { _ = pipeline.seek(to: turn.place) }
        _ = pipeline.setState(GST_STATE_PLAYING)
        let before = state.withLock { state in
            defer { state.pipeline = pipeline }
            return state.pipeline
        }
        before?.tearDown()
        let format = pipeline.sourceFormat
        if let format { report(.format(format)) }
        if let seek = turn.seek { report(.seeked(number: seek, isDone: true)) }
        return format
    }

    var links: [OggLink] {
        get { state.withLock { $0.links } }
        set { state.withLock { $0.links = newValue } }
    }

    func link(at place: Nanoseconds) -> OggLink? { links.last { $0.start <= place } ?? links.first }

    /// The way to the next part once all of one was pulled, whose end was told.
    func turn(behind pipeline: DeckPipeline, _ sawEnd: Bool) -> Turn? {
        guard sawEnd, pipeline.isDrained, let end = pipeline.link?.bytes.upperBound,
            let next = links.first(where: { $0.bytes.lowerBound == end })
        else { return nil }
        return Turn(link: next, place: next.start)
    }
}

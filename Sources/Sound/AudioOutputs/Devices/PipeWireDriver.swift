import AudioFiles
import CSound
import Coordination
import Glibc
import MusicModel
import Outputs

/// Plays through PipeWire.
///
/// PipeWire's own thread takes from a ring what it needs next, a buffer of some 20 ms at a time. Pauses, stops, skips
/// and changes of the volume take effect there, so they are heard with the next buffer; the stream stays connected
/// meanwhile, since reconnecting takes PipeWire longer than all of that.
final class PipeWireDriver: OutputDriver {
    private struct Anchor {
        var frame: UInt64
        var place: Nanoseconds
    }

    private let specification: OutputSpecification
    private var stream: PipeWireStream?
    private var format: AudioFormat?
    private var converter: SampleConverter?
    private var anchors: [Anchor] = []
    private var nextPlace: Nanoseconds = .zero
    /// The gaps of the stream that were told, and the frame that need not join on to those before it.
    private var (gaps, excused): (UInt32, UInt64?) = (0, nil)
    private var volume: Float = 1
    private var isFull = false
    private var pausedSince: Nanoseconds?
    private var isResting = false
    private var dueSince: Nanoseconds = .zero

    init(_ specification: OutputSpecification) { self.specification = specification }

    // MARK: Opening and closing

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        try EngineCheck.require()
        stream = try PipeWireStream(server: specification.server)
        pausedSince = nil
        gaps = 0
        restart()
    }

    func close() {
        stream = nil
        restart()
    }

    private func restart() {
        (format, converter, isFull, isResting) = (nil, nil, false, false)
        anchors = []
    }

    private func begin(_ format: AudioFormat) throws(OutputProblem) {
        let converter = try SampleConverter(to: format)
        guard let stream else { return }
        stream.setVolume(scalesItself ? volume : 1)
        try stream.begin(format, name: specification.name, device: specification.device)
        (gaps, excused) = (0, nil)
        stream.setPaused(pausedSince != nil)
        (self.format, self.converter, dueSince) = (format, converter, Monotonic.now)
    }

    // MARK: Volume

    /// PipeWire computes with floats; a format of integers is scaled before it is made.
    var scalesItself: Bool {
        ([specification.format] + specification.allowed.formats).allSatisfy { Self.sample($0) == .float }
    }

    func setVolume(_ factor: Float) {
        volume = factor
        if scalesItself { stream?.setVolume(factor) }
    }

    // MARK: Playing

    /// How much is given ahead, for a machine that is busy.
    private static let reach: Nanoseconds = .milliseconds(200)
    /// How much of that is played before more is taken: several blocks at once, since waking up costs more.
    private static let gulp: Nanoseconds = .milliseconds(80)

    var wantsMore: Bool {
        guard let stream, let format else { return true }
        if stream.room < format.sampleRate / 5 { return false }
        let ahead = ahead(stream, format)
        if ahead >= Self.reach { isFull = true } else if ahead < Self.reach - Self.gulp { isFull = false }
        return !isFull
    }

    private func ahead(_ stream: PipeWireStream, _ format: AudioFormat) -> Nanoseconds {
        SampleLayout(rate: format.sampleRate, channels: format.channels).length(frames: stream.waiting)
    }

    var restMilliseconds: Int {
        // Long enough to let the device rest, and to notice that the server went away.
        if pausedSince != nil { return isResting ? 2000 : 500 }
        guard let stream, let format, playedTo != nil else { return 20 }
        let ahead = ahead(stream, format)
        if isFull { return max(5, min(100, (ahead - Self.reach + Self.gulp).milliseconds + 1)) }
        return converter?.holdsBack == true ? max(5, min(100, (ahead - Self.ending).milliseconds)) : 100
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard stream != nil else { return }
        if converter?.layout != block.layout {
            let suited = suitedFormat(for: block.layout)
            if let format, suited != format {
                pushRest()
                drain()
                restart()
            }
            if format == nil { try begin(suited) }
        }
        guard let stream, let converter else { return }
        if stream.waiting == 0 { dueSince = Monotonic.now }
        anchors.append(Anchor(frame: stream.written, place: block.start))
        if block.followsWait { excused = stream.written }
        nextPlace = block.end
        stream.write(converter.convert(block))
    }

    private static func sample(_ wanted: AudioFormat?) -> AudioFormat.Sample {
        switch wanted?.sample {
        case .integer(let bits) where bits > 8: .integer(bits: bits)
        default: .float
        }
    }

    /// PipeWire takes everything, and has the device follow the songs' rate where it may.
    private func suitedFormat(for layout: SampleLayout) -> AudioFormat {
        let wanted = specification.wantedFormat(for: layout)
        var format = wanted.filled(layout)
        format.sample = Self.sample(wanted)
        return format
    }

    func takeGap() -> Nanoseconds? {
        guard let stream, let format else { return nil }
        let (count, place, frames) = stream.gaps
        defer { gaps = count }
        guard count != gaps, place != excused else { return nil }
        return SampleLayout(rate: format.sampleRate, channels: 1).length(frames: Int(clamping: frames))
    }

    /// With so little left to play, nothing is going to join on.
    private static let ending: Nanoseconds = .milliseconds(40)

    private func pushRest() {
        guard let converter, converter.holdsBack else { return }
        stream?.write(converter.finish())
    }

    private func drain() {
        let deadline = Monotonic.now + .seconds(1)
        while pausedSince == nil, let playedTo, playedTo < nextPlace, Monotonic.now < deadline { usleep(5000) }
    }

    func flush() {
        stream?.discard()
        (anchors, isFull) = ([], false)
        converter = format.flatMap { try? SampleConverter(to: $0) }
    }

    func setPaused(_ isPaused: Bool) {
        let now = Monotonic.now
        pausedSince = isPaused ? now : nil
        dueSince = now
        stream?.setPaused(isPaused)
        if !isPaused, isResting {
            stream?.setResting(false)
            isResting = false
        }
    }

    /// After a longer pause the device may rest.
    private static let restAfter: Nanoseconds = .seconds(1)
    /// Sound that is not taken for longer is a problem to report.
    private static let patience: Nanoseconds = .milliseconds(1200)
    /// Connecting to a device takes a machine that is busy longer.
    private static let maxStart: Nanoseconds = .seconds(4)

    func poll() throws(OutputProblem) {
        guard let stream, let format else { return }
        if let failure = stream.failure { throw OutputProblem(failure) }
        let now = Monotonic.now
        if let pausedSince {
            guard !isResting, now - pausedSince > Self.restAfter else { return }
            stream.setResting(true)
            isResting = true
            return
        }
        let ahead = ahead(stream, format)
        let patience = stream.takenAt == nil ? Self.maxStart : Self.patience
        if ahead > .zero, now - max(dueSince, stream.takenAt ?? .zero) > patience {
            throw OutputProblem(
                stream.isRunning
                    ? "PipeWire takes no sound any more; does it still answer?"
                    : "PipeWire has nothing to play to; is a device connected, and a session manager running?")
        }
        if playedTo != nil, ahead < Self.ending { pushRest() }
    }

    var playedTo: Nanoseconds? {
        guard let stream, let format, let heard = stream.heard(at: Monotonic.now) else { return nil }
        while anchors.count > 1, anchors[1].frame <= heard { anchors.removeFirst() }
        guard let anchor = anchors.first, heard > anchor.frame else { return nil }
        if heard >= stream.written { return nextPlace }
        let limit = anchors.count > 1 ? anchors[1].place : nextPlace
        let layout = SampleLayout(rate: format.sampleRate, channels: format.channels)
        let passed = layout.length(frames: Int(clamping: heard - anchor.frame))
        return min(max(limit, anchor.place), anchor.place + passed)
    }
}

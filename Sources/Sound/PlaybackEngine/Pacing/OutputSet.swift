import AudioOutputs
import Coordination
import Logging
import MusicModel
import Outputs

/// The outputs that an engine plays through, and the sound that is on its way to them.
struct OutputSet {
    /// The outputs; they come and go when partitions exchange them.
    private(set) var threads: [OutputThread]
    private var fresh: [SampleBlock] = []
    /// The blocks that they were given and that are not heard to their end yet, for an output that joins in.
    private var recent: [SampleBlock] = []
    private var volume: Float = 1
    private var isWaiting = false
    /// For how long the sound of the next block was missing.
    private var missing: Nanoseconds = .zero
    private var envelope = FadeEnvelope()
    var isPlaying = false {
        didSet { if isPlaying != oldValue { for output in threads { output.setPlaying(isPlaying) } } }
    }

    private let clock: any EngineClock

    init(_ threads: [OutputThread], clock: any EngineClock = .monotonic) {
        (self.threads, self.clock) = (threads, clock)
    }

    // MARK: What they are like

    /// True if some output wants songs without ReplayGain.
    var wantsPlainSamples: Bool { threads.contains { $0.specification.replayGainHandler != .software } }
    /// The most channels that songs are to have for those that play: two, unless one has use for more.
    var maxChannels: Int { threads.filter(\.report.isEnabled).map(\.currentSpecification.maxChannels).max() ?? 2 }
    private var isLive: Bool { reports.contains { $0.isLive && $0.plays } }
    /// True if some output could let the music take no time.
    var hasFastOnes: Bool { threads.contains(where: \.specification.takesNoTime) }

    /// True if all that plays is recorded or thrown away as fast as that goes.
    var takeNoTime: Bool {
        let playing = threads.filter(\.report.isEnabled).map(\.specification)
        return playing.contains(where: \.takesNoTime) && playing.allSatisfy { $0.takesNoTime || $0.type == .file }
    }

    /// How far the slowest output has come, when none goes by a clock; those with nothing left have reached `produced`.
    func taken(of produced: Nanoseconds) -> Nanoseconds {
        let reports = reports.filter(\.plays)
        return reports.map { $0.queued == .zero ? produced : $0.takenTo }.min() ?? produced
    }

    var reports: [OutputThread.Report] { threads.map(\.report) }
    var acceptedDoP: DoPAcceptance { DoPAcceptance(threads) }

    /// The longest buffer that was asked for of a device that plays; at most five seconds.
    var maxBuffer: Nanoseconds {
        let buffers = threads.lazy.filter { $0.specification.bufferMicroseconds != nil && $0.report.isEnabled }
            .compactMap(\.specification.bufferMicroseconds)
        return min(.microseconds(buffers.max() ?? 0), .seconds(5))
    }

    var silenceOfDSD: Nanoseconds {
        threads.contains { $0.specification.dsd.stopsWithSilence && $0.report.isEnabled } ? .milliseconds(60) : .zero
    }

    // MARK: Sound

    mutating func append(_ block: SampleBlock) {
        var block = block
        (block.followsWait, block.missing, block.mixedAt) = (isWaiting, missing, clock.now)
        (isWaiting, missing) = (false, .zero)
        fresh.append(block)
    }

    mutating func noteShortage(_ length: Nanoseconds) { missing = length }
    /// Notes that the sound of a song is waited for: running dry before the next block is no underrun.
    mutating func noteWait() { isWaiting = true }

    /// Gives the outputs what was mixed since the last time; where no position is heard they write as fast as they can.
    mutating func give(heard place: Nanoseconds?, limit: Nanoseconds) {
        guard !fresh.isEmpty else { return }
        recent += fresh
        setDue(heard: place, limit: limit)
        for output in threads { output.give(fresh) }
        fresh = []
    }

    /// Says outputs that go by the clock what they may write.
    func setDue(heard place: Nanoseconds?, limit: Nanoseconds) {
        for output in threads { output.setDue(place ?? .max, limit: place == nil ? .max : limit) }
    }

    /// Forgets what is heard to its end.
    mutating func forget(heard place: Nanoseconds) {
        recent.removeSubrange(..<(recent.firstIndex { $0.end > place } ?? recent.endIndex))
    }

    /// Discards what isn't heard yet; gives how much of it is written nevertheless, none where an output is live.
    mutating func flush(heard place: Nanoseconds, isOver: Bool = false) -> Nanoseconds {
        (recent, fresh) = ([], [])
        envelope.breakOff(at: place)
        let written = threads.map { $0.flush(heard: place, isOver: isOver) }
        return isLive ? .zero : max(.zero, (written.max() ?? place) - place)
    }

    /// Discards what lies behind a position that is not heard yet; false if an output has taken some of that already.
    mutating func withdraw(from place: Nanoseconds, forgetsSilent: Bool = false) -> Bool {
        guard fresh.isEmpty,
            threads.allSatisfy({ $0.withdraw(from: place, forgetsSilent: forgetsSilent) })
        else { return false }
        recent.removeAll { $0.start >= place }
        return true
    }

    /// Discards what no output has taken yet; gives the position behind which all was discarded, or nil.
    mutating func withdrawUntaken(heard place: Nanoseconds) -> Nanoseconds? {
        guard fresh.isEmpty else { return nil }
        let taken = threads.map { $0.hold() }.max() ?? place
        defer { for output in threads { output.setEnvelope(envelope) } }
        guard let from = recent.first(where: { $0.start >= max(place, taken) })?.start else { return nil }
        return withdraw(from: from, forgetsSilent: true) ? from : nil
    }

    // MARK: Steering

    func carryOut(_ orders: [Pacer.Order]) {
        for order in orders {
            switch order {
            case .stall(let index): threads[index].stall()
            case .catchUp(let index, let lag): threads[index].catchUp(lag)
            }
        }
    }

    mutating func setVolume(_ factor: Float) {
        volume = factor
        for output in threads { output.setVolume(factor) }
    }

    func setPaused(_ isPaused: Bool) { threads.forEach { $0.setPaused(isPaused) } }

    // MARK: Fading

    /// Lets the sound fall to silence behind what outputs have taken; gives where it waits, nil if too little is left.
    mutating func fadeOut(heard place: Nanoseconds, over length: Nanoseconds, before last: Nanoseconds) -> Nanoseconds?
    {
        changeLevel(heard: place) { envelope, start in
            let end = min(start + length, last)
            if end - start >= Self.minFade { envelope.fall(from: start, to: end) }
        }
        return envelope.end
    }

    private static let minFade: Nanoseconds = .milliseconds(10)

    /// Lets sound that has faded out, or is about to, continue and fade in; other sound continues as it is.
    mutating func fadeIn(heard place: Nanoseconds, over length: Nanoseconds) {
        guard envelope.end != nil else { return }
        changeLevel(heard: place) { $0.rise(from: $1, over: length) }
    }

    private mutating func changeLevel(heard place: Nanoseconds, _ change: (inout FadeEnvelope, Nanoseconds) -> Void) {
        let taken = threads.map { $0.hold() }.max() ?? place
        envelope.forget(before: place)
        change(&envelope, max(place, taken))
        for output in threads { output.setEnvelope(envelope) }
    }

    // MARK: Coming and going

    /// Lets an output go, which still writes what is heard; false if it isn't one of these.
    mutating func release(_ output: OutputThread, heard place: Nanoseconds) -> Bool {
        guard let index = threads.firstIndex(where: { $0 === output }) else { return false }
        threads.remove(at: index)
        output.detach(heard: place)
        return true
    }

    /// Takes an output in; it joins at the position that is heard, and may write up to `due` at once.
    mutating func adopt(_ output: OutputThread, isPaused: Bool, heard place: Nanoseconds, due: Nanoseconds) {
        threads.append(output)
        output.setVolume(volume)
        output.setEnvelope(envelope)
        output.setPlaying(isPlaying)
        output.join(isPaused: isPaused, due: due)
        output.join(with: recent.filter { $0.end > place })
    }

    /// Gives outputs that were enabled what is heard next.
    func join(heard place: Nanoseconds) {
        for output in threads where output.isJoining { output.join(with: recent.filter { $0.end > place }) }
    }

    /// Closes all of them, and waits for each as long as may be.
    func close(log: Logger) {
        threads.forEach { $0.close() }
        let now = clock.now
        for output in threads {
            // A recording that isn't completed is damaged, so it gets more time than a device.
            let end = now + (output.specification.type == .file ? .milliseconds(2500) : .milliseconds(1500))
            guard !output.waitUntilGone(milliseconds: max(0, (end - clock.now).milliseconds)) else { continue }
            log.warning("Output \"\(output.specification.name)\" doesn't close in time")
        }
    }
}

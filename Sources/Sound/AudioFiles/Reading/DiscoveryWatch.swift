import CSound
import Coordination
import Dispatch
import Glibc

/// Ends a run of the discoverer whose threads have all come to rest without a result, or that has used up its time.
/// Demuxers end their thread without an error where a damaged file has no stream that they know, and `decodebin` loses
/// some of their errors while it connects them. The discoverer then waits until its time is over. `@unchecked Sendable`
/// because the counts are touched only on the queue, and the discoverer outlives `end`.
final class DiscoveryWatch: @unchecked Sendable {
    enum Reason: Error {
        case rest
        case overtime
    }

    /// How long a file is left alone before it is looked at again and again; most have been read by then.
    private static let first: Nanoseconds = .milliseconds(100)
    private static let interval: Nanoseconds = .milliseconds(50)
    /// How often in a row its threads have to be at rest. Whatever is left to do then only waits for a processor.
    private static let enough = 4
    private static let queue = DispatchQueue(label: "segue.discoveries")

    private let discoverer: UnsafeMutablePointer<GstDiscoverer>
    private let feed: TrackFeed
    private let patience: Nanoseconds
    private let timer = DispatchSource.makeTimerSource(queue: DiscoveryWatch.queue)
    private var looked = Monotonic.now
    private var used = ReadingTime.processor
    private var time = ReadingTime()
    private var rests = 0
    private var reason: Reason?

    init(_ discoverer: UnsafeMutablePointer<GstDiscoverer>, _ feed: TrackFeed, patience: Nanoseconds) {
        (self.discoverer, self.feed, self.patience) = (discoverer, feed, patience)
        segue_discoverer_note_pipeline(discoverer)
        timer.setEventHandler { [self] in check() }
        timer.schedule(
            deadline: .now() + .nanoseconds(Int(Self.first.count)), repeating: .nanoseconds(Int(Self.interval.count)))
        timer.activate()
    }

    /// Ends watching; the discoverer isn't touched any more when this returns.
    /// - Returns: why the run was ended; nil where it came to its own end.
    func end() -> Reason? {
        timer.cancel()
        // Its work by now is over in microseconds.
        return Self.queue.sync { reason }
    }

    private func check() {
        guard reason == nil else { return }
        let (now, processor) = (Monotonic.now, ReadingTime.processor)
        let (passed, worked) = (now - looked, processor - used)
        (looked, used) = (now, processor)
        time.add(passed, worked, isWaitingForDisk: feed.isReading)
        // Where this look comes late, the file's threads may not have run either.
        let isOnTime = passed < Self.interval * 3
        rests = isOnTime && segue_discoverer_rests(discoverer) != 0 ? rests + 1 : 0
        if rests == Self.enough { reason = .rest } else if time.total > patience { reason = .overtime }
        if reason != nil { segue_discoverer_give_up(discoverer) }
    }
}

/// How long the reading of a file has really taken: a machine that is busy, or stands still, says nothing of a file,
/// and neither does a disk that has to start.
struct ReadingTime {
    /// No look is taken to be longer after the one before it.
    private static let longest: Nanoseconds = .milliseconds(100)

    private(set) var total = Nanoseconds.zero

    static var processor: Nanoseconds {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + Nanoseconds(count: Int64(time.tv_nsec))
    }

    /// Counts the time since the last look.
    /// - Parameter worked: the time on a processor in it. With hardly any, what reads waits for something that is not
    ///   the machine's; with some, only that counts.
    mutating func add(_ passed: Nanoseconds, _ worked: Nanoseconds, isWaitingForDisk: Bool) {
        guard !isWaitingForDisk else { return }
        let passed = min(passed, Self.longest)
        total = total + (worked.count < passed.count / 50 ? passed : min(passed, worked))
    }
}

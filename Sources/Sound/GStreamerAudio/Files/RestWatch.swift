import CGStreamer
import Dispatch

/// Ends a run of the discoverer whose threads have all come to rest without a result.
///
/// Demuxers end their thread without an error where a damaged file has no stream that they know, and `decodebin` loses
/// some of their errors while it connects them. The discoverer then waits until its time is over, which is five seconds
/// for each such file.
///
/// `@unchecked Sendable` because the count is touched only on the queue, and the discoverer outlives `end`.
final class RestWatch: @unchecked Sendable {
    /// After so long a file is looked at, and then again and again; most have been read by then.
    private static let (first, interval) = (
        DispatchTimeInterval.milliseconds(100), DispatchTimeInterval.milliseconds(50)
    )
    /// So often in a row its threads have to rest.
    private static let enough = 2
    private static let queue = DispatchQueue(label: "segue.discoveries-at-rest")

    private let discoverer: UnsafeMutablePointer<GstDiscoverer>
    private let timer = DispatchSource.makeTimerSource(queue: RestWatch.queue)
    private var count = 0

    /// Watches the next run of a discoverer, until `end`.
    init(_ discoverer: UnsafeMutablePointer<GstDiscoverer>) {
        self.discoverer = discoverer
        segue_discoverer_note_pipeline(discoverer)
        timer.setEventHandler { [self] in check() }
        timer.schedule(deadline: .now() + Self.first, repeating: Self.interval)
        timer.activate()
    }

    /// Ends watching; the discoverer isn't touched any more when this returns.
    func end() {
        timer.cancel()
        // Its work by now is over in microseconds.
        Self.queue.sync {}
    }

    private func check() {
        guard segue_discoverer_rests(discoverer) != 0 else {
            count = 0
            return
        }
        count += 1
        if count == Self.enough { segue_discoverer_give_up(discoverer) }
    }
}

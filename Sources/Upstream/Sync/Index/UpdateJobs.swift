import Synchronization

/// The jobs of `update` and `rescan`: one that runs and at most one that waits, which later requests join as long as it
/// has room.
///
/// - Isolation: any thread; a lock is held for a few instructions.
final class UpdateJobs: Sendable {
    /// A request of a client, or of several that joined.
    struct Job: Hashable, Sendable {
        let number: Int
        /// URIs to update; the empty URI is everything, and stands alone.
        var uris: Set<String>
        /// True if unchanged songs are read again as well.
        var isRescan: Bool
    }

    fileprivate struct State {
        var lastNumber = 0
        var running: Job?
        var waiting: Job?
    }

    /// How many URIs one job may have.
    ///
    /// - Source: MPD v0.24.13 src/db/update/Queue.hxx `MAX_UPDATE_QUEUE_SIZE`.
    static let maxURIs = 32

    private let state = Mutex(State())

    /// The number that `updating_db` shows: the running job's, or that of one about to run.
    var shownNumber: Int? {
        state.withLock { $0.running?.number ?? $0.waiting?.number }
    }

    /// Adds a request to the waiting job, or makes one.
    ///
    /// - Returns: the job's number; nil when the waiting job has no room for another URI. For everything it always has.
    func request(uri: String, rescan: Bool) -> Int? {
        state.withLock { state in
            if var job = state.waiting {
                if uri.isEmpty {
                    job.uris = [""]
                } else if !job.uris.contains(""), !job.uris.contains(uri) {
                    guard job.uris.count < Self.maxURIs else { return nil }
                    job.uris.insert(uri)
                }
                job.isRescan = job.isRescan || rescan
                state.waiting = job
                return job.number
            }
            let job = Job(number: state.nextNumber(), uris: [uri], isRescan: rescan)
            state.waiting = job
            return job.number
        }
    }

    /// Makes the waiting job the running one and returns it; nil when none waits.
    func start() -> Job? {
        state.withLock { state in
            guard state.running == nil, let job = state.waiting else { return nil }
            state.running = job
            state.waiting = nil
            return job
        }
    }

    /// Starts a job that no client asked for, such as the sync at the start; nil when one runs already.
    func startUnasked() -> Job? {
        state.withLock { state in
            guard state.running == nil else { return nil }
            let job = Job(number: state.nextNumber(), uris: [""], isRescan: false)
            state.running = job
            return job
        }
    }

    /// Ends the running job.
    func finish() {
        state.withLock { $0.running = nil }
    }
}

extension UpdateJobs.State {
    /// MPD's job numbers begin at 1 as well.
    fileprivate mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

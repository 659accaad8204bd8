import Synchronization

/// The jobs of `update` and `rescan`: one that runs and at most one that waits, which later requests join as long as it
/// has room.
final class UpdateJobs: Sendable {
    struct Job: Hashable, Sendable {
        let number: Int
        /// URIs to update; the empty URI is everything, and stands alone.
        var uris: Set<String>
        /// True if unchanged songs are read again as well.
        var isRescan: Bool
    }

    private struct State {
        var lastNumber = 0
        var running, waiting: Job?

        /// MPD's job numbers begin at 1 as well.
        mutating func newJob(_ uris: Set<String>) -> Job {
            lastNumber += 1
            return Job(number: lastNumber, uris: uris, isRescan: false)
        }
    }

    /// How many URIs one job may have.
    /// - Source: MPD v0.24.13 src/db/update/Queue.hxx `MAX_UPDATE_QUEUE_SIZE`.
    static let maxURIs = 32

    private let state = Mutex(State())

    /// The number that `updating_db` shows: the running job's, or that of one about to run.
    var shownNumber: Int? {
        state.withLock { $0.running?.number ?? $0.waiting?.number }
    }

    /// Adds a request to the waiting job, or makes one; returns its number, nil where it has no room for another URI.
    /// For everything it always has.
    func request(uri: String, rescan: Bool) -> Int? {
        state.withLock { state in
            var job = state.waiting ?? state.newJob([])
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
    }

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
            state.running = state.newJob([""])
            return state.running
        }
    }

    func finish() {
        state.withLock { $0.running = nil }
    }
}

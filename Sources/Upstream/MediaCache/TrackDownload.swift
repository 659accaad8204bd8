import Coordination
import Glibc
import Playback
import Subsonic
import Synchronization

/// One song on its way into the cache, while its `TrackFile` is held or the song is wanted ahead.
final class TrackDownload: Sendable {
    private struct State {
        var written: Int64 = 0
        var total: Int64?
        var version: String?
        var hasBegun = false
        var outcome: Result<Void, TrackError>?
        /// The file that readers hold; weak, so that it tells whether there are any.
        weak var file: TrackFile?
        var waiters: [CheckedContinuation<Void, Never>] = []
        var isWantedAhead: Bool
        var openers = 0
        var form: TrackForm
        /// Bytes that came from the server, some of them perhaps twice.
        var received: Int64 = 0
    }

    let key: CacheKey
    let songID: String
    private let path: String
    private let state: Mutex<State>
    /// Wakes the fetcher: a reader came, the song isn't wanted ahead any more, the line is free, or the server is back.
    let changes: Alarm
    private let returns = Mutex(0)

    init(key: CacheKey, songID: String, path: String, isWantedAhead: Bool, clock: any ServiceClock) {
        changes = Alarm(clock: clock)
        (self.key, self.songID, self.path) = (key, songID, path)
        state = Mutex(State(isWantedAhead: isWantedAhead, form: key.form))
    }

    /// Takes note of a reader that is about to call `file()`, so that the song isn't given up before it does.
    func reserve() {
        state.withLock { $0.openers += 1 }
        changes.ring()
    }

    /// Waits until the first bytes are announced and hands out the growing file; call `reserve()` before.
    /// - Throws: `TrackError` when they can't be had.
    func file() async throws -> TrackFile {
        defer { state.withLock { $0.openers -= 1 } }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.hasBegun || state.outcome != nil { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
        return try state.withLock { state in
            if let file = state.file, file.current.failure == nil { return file }
            let suffix = state.form.isOriginal ? key.originalSuffix : key.suffix
            switch state.outcome {
            case .failure(let error): throw error
            case .success:
                return TrackFile(
                    completePath: path, suffix: suffix, isConverted: !state.form.isOriginal, size: state.written)
            case nil: break
            }
            let file = TrackFile(
                path: path, suffix: suffix, isConverted: !state.form.isOriginal, available: state.written,
                total: state.total)
            state.file = file
            return file
        }
    }

    var isOpen: Bool { state.withLock { $0.file != nil || $0.openers > 0 } }
    var isWanted: Bool { state.withLock { $0.file != nil || $0.openers > 0 || $0.isWantedAhead } }

    /// True if it is fetched ahead; false gives it up unless it is open.
    var isWantedAhead: Bool {
        get { state.withLock { $0.isWantedAhead } }
        set {
            state.withLock { $0.isWantedAhead = newValue }
            changes.ring()
        }
    }

    var currentFile: TrackFile? { state.withLock { $0.file } }

    func serverIsBack() {
        returns.withLock { $0 &+= 1 }
        changes.ring()
    }

    var serverReturns: Int { returns.withLock(\.self) }
    var written: Int64 { state.withLock { $0.written } }
    var received: Int64 { state.withLock { $0.received } }
    var total: Int64? { state.withLock { $0.total } }
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    enum Difference {
        case none
        /// It is another version of the same length: most likely other tags in the room that was left for them.
        case version
        case length
    }

    func difference(total: Int64?, version: String?) -> Difference {
        state.withLock { state in
            guard state.written > 0 else { return .none }
            if let known = state.total, let total, known != total { return .length }
            if let known = state.version, let version, known != version { return .version }
            return .none
        }
    }

    /// Forgets what is on disk, and that it had begun; false if it is being read.
    func startOver() -> Bool {
        state.withLock { state in
            guard state.file == nil else { return false }
            (state.written, state.total, state.version, state.hasBegun) = (0, nil, nil, false)
            return true
        }
    }

    /// Takes note that the original comes instead of what the server was to make of it; before it has begun.
    func takesOriginal() { state.withLock { $0.form = TrackForm() } }

    func begin(total: Int64?, version: String?) {
        let waiters = state.withLock { state in
            state.total = total ?? state.total
            state.version = version ?? state.version
            state.hasBegun = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func advance(by count: Int64) {
        state.withLock { state in
            state.written += count
            state.received += count
            state.file?.advance(to: state.written, total: state.total)
        }
    }

    func end(_ outcome: Result<Void, TrackError>) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            switch outcome {
            case .success: state.file?.complete()
            case .failure(let error): state.file?.fail(error.message)
            }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

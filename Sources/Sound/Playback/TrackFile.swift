import Synchronization
import Glibc
package import MusicModel

/// A song's bytes on disk, complete or still growing while they are downloaded.
///
/// One writer (the download) advances it; readers (a deck's feeding thread) wait for bytes on threads of their own.
///
/// - Isolation: any thread; the state is behind a lock.
package final class TrackFile: Sendable {
    /// The known extent of the bytes.
    package struct Extent: Hashable, Sendable {
        /// How many bytes, from the start, can be read.
        package var available: Int64
        /// How many there will be, if known.
        package var total: Int64?
        /// Whether nothing more comes.
        package var isComplete: Bool
        /// Why nothing more comes although bytes are missing; nil while all is well.
        package var failure: String?
    }

    /// The outcome of waiting for bytes.
    package enum Wait: Hashable, Sendable {
        /// At least one byte at the offset can be read.
        case available
        /// The file ends at or before the offset.
        case end
        /// The bytes will not come; the text is for a person.
        case failed(String)
        /// `timeout` passed.
        case timedOut
    }

    /// The file's absolute path.
    package let path: String
    /// The file name extension or content type's short form, as a hint for the log (`flac`, `mp3`).
    package let suffix: String
    /// The part of the file that is the song; nil is all of it.
    package let part: SongRange?
    private let growth: Growth
    /// The file that this is a part of, which counts as open as long as its parts are.
    private let whole: TrackFile?

    /// The state that all parts of a file share.
    private final class Growth: Sendable {
        let extent: Mutex<Extent>
        let changed = ConditionSignal()

        init(_ extent: Extent) { self.extent = Mutex(extent) }
    }

    /// Describes a file that is being written.
    package init(path: String, suffix: String, available: Int64 = 0, total: Int64? = nil) {
        self.path = path
        self.suffix = suffix
        (part, whole) = (nil, nil)
        growth = Growth(Extent(available: available, total: total, isComplete: false, failure: nil))
    }

    /// Describes a complete file.
    package init(completePath path: String, suffix: String, size: Int64, part: SongRange? = nil) {
        self.part = part
        self.path = path
        self.suffix = suffix
        whole = nil
        growth = Growth(Extent(available: size, total: size, isComplete: true, failure: nil))
    }

    private init(_ part: SongRange, of whole: TrackFile) {
        (path, suffix, self.part, self.whole) = (whole.path, whole.suffix, part, whole)
        growth = whole.growth
    }

    /// A part of the file as a song of its own, which grows with it.
    package func limited(to part: SongRange) -> TrackFile { TrackFile(part, of: self) }

    /// Describes a complete file of this machine.
    ///
    /// - Throws: `RegularFile.Problem`.
    /// - Isolation: blocks for a read of the disk.
    package convenience init(regularFile path: String) throws(RegularFile.Problem) {
        let (descriptor, size) = try RegularFile.open(path)
        Glibc.close(descriptor)
        let name = path.split(separator: "/").last ?? ""
        let suffix = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        self.init(completePath: path, suffix: suffix, size: size)
    }

    /// The extent of the bytes now.
    package var current: Extent { growth.extent.withLock { $0 } }

    /// Tells readers how far the file has grown.
    package func advance(to available: Int64, total: Int64?) {
        growth.extent.withLock {
            $0.available = available
            if let total { $0.total = total }
        }
        growth.changed.broadcast()
    }

    /// Tells readers that the file is whole.
    package func complete() {
        growth.extent.withLock {
            $0.isComplete = true
            $0.total = $0.available
        }
        growth.changed.broadcast()
    }

    /// Tells readers that the missing bytes will not come.
    package func fail(_ message: String) {
        growth.extent.withLock { $0.failure = message }
        growth.changed.broadcast()
    }

    /// Wakes every waiting reader, so that one that was told to stop can look.
    package func wake() { growth.changed.broadcast() }

    /// Waits until a byte at `offset` can be read, or won't be.
    ///
    /// - Isolation: blocks the calling thread for at most `milliseconds`; never call it on an executor's thread.
    package func wait(for offset: Int64, milliseconds: Int) -> Wait {
        let deadline = ConditionSignal.deadline(milliseconds: milliseconds)
        while true {
            let seen = growth.changed.generation
            if let answer = growth.extent.withLock({ Self.answer($0, offset) }) { return answer }
            if !growth.changed.wait(since: seen, until: deadline) { return .timedOut }
        }
    }

    private static func answer(_ extent: Extent, _ offset: Int64) -> Wait? {
        if offset < extent.available { return .available }
        if extent.isComplete { return .end }
        if let failure = extent.failure { return .failed(failure) }
        return nil
    }
}

/// A broadcast that threads can wait for.
///
/// `@unchecked` because the pthread objects live in memory of their own, are made before the first use, and are
/// destroyed after the last.
final class ConditionSignal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count: UInt64 = 0

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    var generation: UInt64 {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return count
    }

    func broadcast() {
        pthread_mutex_lock(mutex)
        count &+= 1
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until a broadcast after `generation`; false when the deadline came first.
    func wait(since generation: UInt64, until deadline: timespec) -> Bool {
        var deadline = deadline
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count == generation {
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return count != generation }
        }
        return true
    }

    static func deadline(milliseconds: Int) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let nanoseconds = now.tv_nsec + (milliseconds % 1000) * 1_000_000
        let seconds = now.tv_sec + milliseconds / 1000 + nanoseconds / 1_000_000_000
        return timespec(tv_sec: seconds, tv_nsec: nanoseconds % 1_000_000_000)
    }
}

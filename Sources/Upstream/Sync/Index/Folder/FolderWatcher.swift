import Coordination
import Glibc
import Logging
import MusicModel
import Synchronization

/// Hears from the kernel what changes in a music folder, and tells it when it has been quiet for a moment.
///
/// A walk watches each folder before it reads its names (`watch`), so that nothing falls between the two. However much
/// happens, the thread wakes once in `pause` while it does, and what it tells is a few paths, or the whole folder.
/// - Isolation: any thread; a thread of its own waits for the kernel.
final class FolderWatcher: Sendable {
    struct Pace: Sendable {
        /// Changes are gathered until nothing has changed for this time.
        var quiet = Duration.seconds(1)
        /// But no longer than this.
        var maxWait = Duration.seconds(15)
    }

    private struct State {
        var folders: [Int32: String] = [:]
        /// True if the system gives no more watches, and if the log says so.
        var (isFull, isTold) = (false, false)
        var isStopped = false
    }

    /// More changed places than these are told as the whole folder.
    private static let maxPaths = 32
    private static let interest = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)

    private let root: String
    private let names: FileNames
    private let pace: Pace
    private let inotify: Int32
    /// A pipe whose other end is closed when the thread is to end.
    private let end: (reading: Int32, writing: Int32)
    private let report: @Sendable (Set<String>) -> Void
    private let logger: Logger
    private let state = Mutex(State())

    /// Begins to listen; nil where the system has no descriptor or thread for it. `report` is told the changed paths
    /// below the music folder; the empty path is all of it.
    init?(
        root: String, names: FileNames = .inUse, pace: Pace = Pace(), logger: Logger,
        report: @escaping @Sendable (Set<String>) -> Void
    ) {
        (self.root, self.names, self.pace, self.report, self.logger) = (root, names, pace, report, logger)
        inotify = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        let pipe = try? PipeEnds()
        let hasPipe = pipe != nil
        end = (pipe?.reading ?? -1, pipe?.writing ?? -1)
        let isStarted = inotify >= 0 && hasPipe && BlockingThread.start("folder watch") { [self] in run() }
        guard isStarted else {
            closeDescriptors()
            if hasPipe { close(end.writing) }
            return nil
        }
    }

    func watch(_ folder: String) {
        let path = DiskPath(folder.isEmpty ? root : "\(root)/\(folder)", names: names)
        let isFullNow = state.withLock { state in
            // A walk through all of it tries again.
            if folder.isEmpty { (state.isTold, state.isFull) = (state.isFull, false) }
            guard !state.isStopped, !state.isFull else { return false }
            let watch = path.withCString { inotify_add_watch(inotify, $0, Self.interest | UInt32(IN_ONLYDIR)) }
            if watch >= 0 { state.folders[watch] = folder }
            state.isFull = watch < 0 && errno == ENOSPC
            return state.isFull && !state.isTold
        }
        if isFullNow {
            logger.warning(
                """
                \(root) has more folders than the system can watch, so some changes are noticed later; raise \
                fs.inotify.max_user_watches (sysctl)
                """)
        }
    }

    /// True if all folders that were asked for are watched.
    var isComplete: Bool { state.withLock { !$0.isFull } }

    /// Ends the thread soon; nothing is told any more.
    func stop() {
        let wasRunning = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        if wasRunning { close(end.writing) }
    }

    private func closeDescriptors() {
        if inotify >= 0 { close(inotify) }
        if end.reading >= 0 { close(end.reading) }
    }

    // MARK: The thread

    private func run() {
        while waitForEvents() {
            var changed: Set<String> = []
            let deadline = ContinuousClock.now + pace.maxWait
            repeat {
                drain(into: &changed)
                if !pause() { return finish() }
            } while hasEvents && ContinuousClock.now < deadline
            drain(into: &changed)
            if !changed.isEmpty { report(changed.count > Self.maxPaths ? [""] : changed) }
        }
        finish()
    }

    /// Closes under the lock, so that no watch is added to a descriptor that has become another's.
    private func finish() {
        let wasRunning = state.withLock { state in
            defer { state.isStopped = true }
            closeDescriptors()
            return !state.isStopped
        }
        if wasRunning { close(end.writing) }
    }

    /// Waits until something happens; false when the thread is to end.
    private func waitForEvents() -> Bool {
        var waited = [
            pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
            pollfd(fd: end.reading, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waited, 2, -1) < 0 { if errno != EINTR { return false } }
        return waited[1].revents == 0
    }

    /// Lets things happen for a while; false when the thread is to end.
    private func pause() -> Bool {
        var waited = pollfd(fd: end.reading, events: Int16(POLLIN), revents: 0)
        return poll(&waited, 1, Int32(saturating: pace.quiet / .milliseconds(1))) <= 0
    }

    private var hasEvents: Bool {
        var waited = pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)
        return poll(&waited, 1, 0) > 0
    }

    private func drain(into changed: inout Set<String>) {
        let size = 64 << 10
        withUnsafeTemporaryAllocation(byteCount: size, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let count = read(inotify, buffer.baseAddress, size)
                guard count > 0 else { return }
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &changed)
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ changed: inout Set<String>) {
        let head = MemoryLayout<inotify_event>.size
        var index = 0
        while index + head <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: index, as: inotify_event.self)
            let name = bytes[(index + head)..<min(bytes.count, index + head + Int(event.len))].prefix { $0 != 0 }
            take(event, named: names.text(Array(name)), &changed)
            index += head + Int(event.len)
        }
    }

    private func take(_ event: inotify_event, named name: String?, _ changed: inout Set<String>) {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            changed = [""]
            return
        }
        if event.mask & UInt32(IN_IGNORED) != 0 {
            return state.withLock { $0.folders[event.wd] = nil }
        }
        guard changed.count <= Self.maxPaths, let name, !name.isEmpty,
            let folder = state.withLock({ $0.folders[event.wd] })
        else { return }
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        if IgnoreRules.fileNames.contains(name) {
            changed.insert(folder)
        } else if FolderWalk.isVisible(name), concerns(event.mask, path) {
            changed.insert(path)
        }
    }

    /// True if an event may change what is in the library.
    private func concerns(_ mask: UInt32, _ path: String) -> Bool {
        if mask & UInt32(IN_ISDIR) != 0 { return mask & UInt32(IN_ATTRIB) == 0 }
        let suffix = path.pathSuffix
        guard
            FolderWalk.musicSuffixes.contains(suffix) || FolderWalk.playlistSuffixes.contains(suffix)
                // A link has any name and may lead to a folder.
                || suffix.isEmpty
        else { return false }
        guard mask & UInt32(IN_CREATE) != 0 else { return true }
        // A file that is only begun reports its end; links are complete from the beginning.
        guard let status = DiskPath("\(root)/\(path)", names: names).linkStatus() else { return false }
        return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
    }
}

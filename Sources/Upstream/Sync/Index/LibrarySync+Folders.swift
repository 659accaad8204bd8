import Coordination
import Glibc
package import LibraryIndex
import Logging
import MusicModel
import Synchronization
import UserLibrary

struct MusicFolder {
    let scan: LocalFolderScan
    /// True if a client has mounted it; the others belong to the configuration.
    let isMountedByClient: Bool
    /// Failures in a row, which lengthen the pause before the next attempt.
    var failures = 0
    /// When it is due; nil is not before a client asks.
    var due: ContinuousClock.Instant?
    var running: Task<Void, any Error>?
    /// The paths that the kernel named since the last scan; nil is all of them, for a scan that nothing asked
    /// for.
    var changed: Set<String>?
    /// When the last scan ended, and how long it took.
    var lastScan = (end: ContinuousClock.now, length: Duration.zero)
}

extension LibrarySync {
    /// Scans the folders whose time has come, as a job.
    func scanDueFolders() async {
        let now = ContinuousClock.now
        let due = folders.filter { $0.due.map { $0 <= now } ?? false }.map(\.scan.mount)
        guard !due.isEmpty else { return }
        // A change that is noticed without a request is mostly small, and clients hear of it by the change that it
        // makes.
        let isShown = folders.contains { due.contains($0.scan.mount) && $0.changed == nil } && beginUnasked()
        for mount in due {
            let changed = folders.first { $0.scan.mount == mount }?.changed ?? [""]
            change(mount) { $0.changed = nil }
            for path in changed.contains("") ? [""] : changed.sorted() {
                await scanFolder(at: mount, below: path, rescan: false)
            }
        }
        if isShown { endUnasked() }
    }

    // MARK: Changes that are noticed

    /// Notes what the kernel said of a folder; it is scanned as soon as the last scan is some time ago.
    private func folderChanged(_ mount: String, _ paths: Set<String>) {
        let earliest = settings.folders.watching.pause
        change(mount) { folder in
            let gathered = folder.changed.map { $0.union(paths) } ?? paths
            folder.changed = folder.due != nil && folder.changed == nil ? [""] : gathered
            if folder.changed.map({ $0.count > 32 }) ?? false { folder.changed = [""] }
            // Work that no client asked for takes a fifth of the time, but half a minute is long to wait for a file.
            let rest = max(earliest, min(folder.lastScan.length * 4, .seconds(30)))
            let due = max(.now, folder.lastScan.end + rest)
            folder.due = min(folder.due ?? due, due)
        }
        alarm.ring()
    }

    /// Has the kernel tell of changes in a folder, where that is wanted and possible.
    private func watch(_ scan: LocalFolderScan) {
        guard settings.folders.watching.isOn, scan.watcher.withLock({ $0 == nil }) else { return }
        let mount = scan.mount
        let watcher = FolderWatcher(root: scan.root, pace: settings.folders.watching.pace, logger: logger) {
            [weak self] paths in
            Task { await self?.folderChanged(mount, paths) }
        }
        scan.take(watcher)
    }

    /// When a folder is checked again without a request: never where the kernel tells of all changes.
    private func nextCheck(at scan: LocalFolderScan) async -> ContinuousClock.Instant? {
        guard settings.folders.watching.isOn, let interval = settings.folders.watching.interval else { return nil }
        let root = scan.root
        let watching = settings.folders.watching
        let isSilent = (try? await onThread { watching.isSilent(root) }) ?? false
        let isComplete = scan.watcher.withLock { $0?.isComplete ?? false }
        return isSilent || !isComplete ? .now + interval : nil
    }

    func scanFolder(at mount: String, below path: String, rescan: Bool) async {
        guard let scan = folders.first(where: { $0.scan.mount == mount })?.scan else { return }
        let (phases, sync) = (syncPhases, FolderSync(scan: scan, observer: observer))
        let request = SyncRequest(force: rescan, acceptsLoss: rescan, start: path)
        // Before the walk, which has each folder watched.
        watch(scan)
        let task = Task { _ = try await phases.run(sync, request) }
        change(mount) { $0.running = task }
        let began = ContinuousClock.now
        // How long all of it takes says nothing of how long a part will.
        let isSmall = !path.isEmpty
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        change(mount) { folder in
            folder.running = nil
            folder.lastScan = (.now, isSmall ? .now - began : .zero)
        }
        if task.isCancelled { return }
        switch result {
        case .success:
            let next = await nextCheck(at: scan)
            // A change that was noticed meanwhile keeps its time.
            change(mount) { ($0.failures, $0.due) = (0, $0.changed == nil ? next : $0.due) }
        case .failure(let error): noteFailure(of: mount, error)
        }
    }

    private func noteFailure(of mount: String, _ error: any Error) {
        guard !(error is CancellationError) else { return }
        let settings = settings
        let logger = logger
        change(mount) { folder in
            if folder.failures == 0 { logger.error("can't read the music folder: \(chain: error)") }
            folder.failures += 1
            folder.due = .now + settings.retryDelay(after: folder.failures)
        }
    }

    private func change(_ mount: String, _ body: (inout MusicFolder) -> Void) {
        guard let index = folders.firstIndex(where: { $0.scan.mount == mount }) else { return }
        body(&folders[index])
    }
}

extension LibrarySync: LibraryMounting {
    /// Why a folder may not be mounted; nil if it may. A local client is on a Unix socket, and so has an account of
    /// this machine.
    package func refusal(of folder: String, isLocal: Bool) async -> MountRefusal? {
        let roots = settings.mountRoots
        let looking = { @Sendable () -> MountRefusal? in
            guard let path = DiskPath(folder).resolved(), let status = path.status() else { return .system(errno) }
            guard status.st_mode & S_IFMT == S_IFDIR else { return .system(ENOTDIR) }
            let isBelowRoot = roots.contains { root in DiskPath(root).resolved().map(path.isInside) ?? false }
            // First, so that clients of the network learn nothing of what is elsewhere.
            guard isLocal || isBelowRoot else { return .outsideOfRoots }
            guard path.allows(R_OK | X_OK) else { return .system(errno) }
            return PseudoFileSystem().has(device: UInt64(status.st_dev)) ? .noFolderOfMusic : nil
        }
        let refusal: MountRefusal?
        do { refusal = try await onThread(looking) } catch { return .system(EINTR) }
        let isNamedBelow = !folder.pathParts.contains("..") && roots.contains { folder.isPath(in: $0) }
        if case .system = refusal, !isLocal, !isNamedBelow { return .outsideOfRoots }
        return refusal
    }

    package func mount(_ folder: String, at name: String, of storage: NetworkStorage?) async throws {
        guard let reader = mountReader else { return }
        try await library.addMount(name, uri: storage?.uri ?? folder)
        let source = FolderSource(mount: name, musicDirectory: folder, reader: reader, isRemote: storage != nil)
        folders.append(
            MusicFolder(
                scan: LocalFolderScan(
                    source: source, links: settings.folders.links, cueSheets: settings.folders.cueSheets,
                    index: library.index,
                    logger: logger),
                isMountedByClient: true))
    }

    package func unmount(_ name: String) async throws -> Bool {
        guard let index = folders.firstIndex(where: { $0.scan.mount == name && $0.isMountedByClient }) else {
            return false
        }
        let folder = folders.remove(at: index)
        // A disk that hangs would let a walk wait without an end; it is left to itself, and can't write any more.
        folder.running?.cancel()
        folder.scan.watcher.withLock { $0.take() }?.stop()
        await folder.scan.stopWriting()
        try await library.removeMount(name)
        let known = try await library.index.knownSongs(mount: name)
        var outcome = SourceOutcome()
        outcome.add(try await library.index.apply(LibraryChanges(mount: name, removals: known.keys.sorted())))
        outcome.changedPlaylistFiles = try await library.index.replacePlaylistFiles([], mount: name)
        syncPhases.publish(outcome, of: "unmounted folder")
        return true
    }
}

import Glibc
public import LibraryIndex
import Logging
import MusicModel
import UserLibrary

/// A music folder with what the sync knows of it.
struct MusicFolder {
    let scan: LocalFolderScan
    /// Whether a client has mounted it; the others belong to the configuration.
    let isMountedByClient: Bool
    /// Failures in a row, which lengthen the pause before the next attempt.
    var failures = 0
    /// When it is due; nil is not before a client asks.
    var due: ContinuousClock.Instant?
    /// The scan that is under way.
    var running: Task<Void, any Error>?
}

extension LibrarySync {
    /// Scans the folders whose time has come, as a job.
    func scanDueFolders() async {
        let now = ContinuousClock.now
        let due = folders.filter { $0.due.map { $0 <= now } ?? false }.map(\.scan.mount)
        guard !due.isEmpty else { return }
        let isShown = beginUnasked()
        for mount in due { await scanFolder(at: mount, below: "", rescan: false) }
        if isShown { endUnasked() }
    }

    /// Scans a part of the folder of a mount.
    func scanFolder(at mount: String, below path: String, rescan: Bool) async {
        guard let scan = folders.first(where: { $0.scan.mount == mount })?.scan else { return }
        let (phases, sync) = (syncPhases(), FolderSync(scan: scan, observer: observer))
        let request = SyncRequest(force: rescan, acceptsLoss: rescan, start: path)
        let task = Task { _ = try await phases.run(sync, request) }
        change(mount) { $0.running = task }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        change(mount) { $0.running = nil }
        if task.isCancelled { return }
        switch result {
        case .success: change(mount) { ($0.failures, $0.due) = (0, nil) }
        case .failure(let error): noteFailure(of: mount, error)
        }
    }

    private func noteFailure(of mount: String, _ error: any Error) {
        guard !(error is CancellationError) else { return }
        let settings = settings
        let logger = logger
        change(mount) { folder in
            if folder.failures == 0 { logger.error("the music folder is not read: \(error)") }
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
    /// Why a folder may not be mounted; nil if it may.
    ///
    /// - Parameter isLocal: whether the client is on a Unix socket, and so has an account of this machine.
    public func refusal(of folder: String, isLocal: Bool) async -> MountRefusal? {
        let roots = settings.mountRoots
        let looking = { @Sendable () -> MountRefusal? in
            guard let path = FolderWalk.realPath(folder) else { return .system(errno) }
            var status = stat()
            guard stat(path, &status) == 0 else { return .system(errno) }
            guard status.st_mode & S_IFMT == S_IFDIR else { return .system(ENOTDIR) }
            let isBelowRoot = roots.compactMap { FolderWalk.realPath($0) }.contains { root in
                path == root || path.hasPrefix(root == "/" ? "/" : root + "/")
            }
            // First, so that clients of the network learn nothing of what is elsewhere.
            guard isLocal || isBelowRoot else { return .outsideOfRoots }
            guard access(path, R_OK | X_OK) == 0 else { return .system(errno) }
            return PseudoFileSystem().has(device: UInt64(status.st_dev)) ? .noFolderOfMusic : nil
        }
        let refusal: MountRefusal?
        do { refusal = try await onThread(looking) } catch { return .system(EINTR) }
        switch refusal {
        case .system? where !isLocal && !isNamedBelow(roots, folder): return .outsideOfRoots
        default: return refusal
        }
    }

    /// Whether a path looks as if it lay below one of the folders.
    private nonisolated func isNamedBelow(_ roots: [String], _ path: String) -> Bool {
        !path.split(separator: "/").contains("..") && roots.contains { FolderPlan.isBelow($0, path) || $0 == "/" }
    }

    /// Adds a folder below the mount `name` and keeps it; it is scanned when it is updated.
    ///
    /// - Throws: `LibraryError` when it can't be kept.
    public func mount(_ folder: String, at name: String) async throws {
        guard let reader = mountReader else { return }
        try await library.addMount(name, uri: folder)
        let source = FolderSource(mount: name, musicDirectory: folder, reader: reader)
        folders.append(
            MusicFolder(
                scan: LocalFolderScan(source: source, links: settings.links, index: library.index, logger: logger),
                isMountedByClient: true))
    }

    /// Takes a mounted folder and its songs out again; false if no client mounted one by that name.
    ///
    /// - Throws: `LibraryError` when the index can't be written; the folder stays forgotten.
    public func unmount(_ name: String) async throws -> Bool {
        guard let index = folders.firstIndex(where: { $0.scan.mount == name && $0.isMountedByClient }) else {
            return false
        }
        let folder = folders.remove(at: index)
        // A disk that hangs would let a walk wait for ever; it is left to itself, and can't write any more.
        folder.running?.cancel()
        await folder.scan.retire()
        try await library.removeMount(name)
        let known = try await library.index.knownSongs(mount: name)
        var outcome = SourceOutcome()
        outcome.add(try await library.index.apply(LibraryChanges(mount: name, removals: known.keys.sorted())))
        outcome.changedPlaylistFiles = try await library.index.replacePlaylistFiles([], mount: name)
        syncPhases().publish(outcome, of: "unmounted folder")
        return true
    }
}

import Coordination
import Extensions
import Glibc
import LibraryIndex
import Logging
import MusicModel

/// Has the system mount the network storages of all mounts, and mounts them again whenever they are away.
///
/// Nothing is known here of songs: those stay in the index while a storage is away, and are read again when it is back.
actor StorageKeeper: StorageService {
    struct Patience: Sendable {
        /// For a storage to be mounted.
        var limit = Duration.seconds(30)
        /// From one look at a storage that is there to the next.
        var check = Duration.seconds(60)
        /// After failures in a row.
        var retries = Backoff()
        /// For a volume that is busy, before it is unmounted once more.
        var unmounts = [Duration.zero, .seconds(5), .seconds(30), .seconds(120)]
    }

    private struct Attachment {
        let address: StorageAddress
        /// True while a client waits for it.
        var isPending = false
        var isThere = false
        var failures = 0
        var due: ContinuousClock.Instant
    }

    private let provider: any StorageProvider
    private let links: StorageLinks
    private let patience: Patience
    private let logger: Logger
    private let clock: any ServiceClock
    private let alarm: Alarm
    /// By the names of their mounts.
    private var attachments: [String: Attachment] = [:]
    private var leaving: [StorageVolume: Task<Void, Never>] = [:]
    /// Storages that are no longer mounts, and whose volumes the program has mounted and not unmounted yet.
    private var parted: [StorageVolume: Set<StorageAddress>] = [:]

    /// Mounts nothing before it is told to. The folder is that of the links to the storages.
    init(
        provider: any StorageProvider, folder: String, patience: Patience = Patience(),
        clock: any ServiceClock = ContinuousClock(), logger: Logger
    ) {
        self.clock = clock
        alarm = Alarm(clock: clock)
        self.provider = provider
        links = StorageLinks(in: folder)
        LinkBoundary.keep(folder)
        self.patience = patience
        self.logger = logger
    }

    /// Mounts through GIO, as far as this machine can.
    init(folder: String, logger: Logger) {
        self.init(provider: GIOStorages(), folder: folder, logger: logger)
    }

    nonisolated func storage(at uri: String) -> NetworkStorage? {
        StorageAddress(uri).map { NetworkStorage(uri: uri, shown: $0.shown, folder: links.path(of: $0)) }
    }

    func attach(_ storage: NetworkStorage, at name: String) async throws {
        guard let address = StorageAddress(storage.uri) else { throw StorageFailure.notFound }
        guard attachments[name] == nil else { throw StorageFailure.nameTaken }
        guard !attachments.values.contains(where: { $0.address.shown == address.shown }) else {
            throw StorageFailure.mountedAlready
        }
        attachments[name] = Attachment(address: address, isPending: true, due: clock.now + patience.check)
        do { _ = try await bring(address) } catch {
            attachments[name] = nil
            release(address)
            throw error
        }
        change(name) { ($0.isPending, $0.isThere, $0.due) = (false, true, clock.now + patience.check) }
        logger.info("\(address) is mounted as \(name)")
        alarm.ring()
    }

    func keep(_ uri: String, at name: String) {
        guard let address = StorageAddress(uri), attachments[name] == nil else { return }
        attachments[name] = Attachment(address: address, due: clock.now)
        alarm.ring()
    }

    func detach(_ name: String) {
        if let address = attachments.removeValue(forKey: name)?.address { release(address) }
    }

    // MARK: Unmounting

    /// True while a volume is being unmounted, or will be after a pause.
    var isUnmounting: Bool { !leaving.isEmpty }

    private func isMounted(_ address: StorageAddress) -> Bool {
        attachments.values.contains { $0.address.shown == address.shown }
    }

    /// Notes that the program has mounted a storage's volume, which goes at once where the time was over before.
    private func own(_ address: StorageAddress) {
        links.own(address)
        release(address)
    }

    /// Removes the link of a storage that no mount needs any more. Its volume is unmounted if the program had mounted
    /// it, with the last mount that is a part of it.
    private func release(_ address: StorageAddress) {
        guard !isMounted(address), links.remove(address) else { return }
        let volume = address.volume
        parted[volume, default: []].insert(address)
        if let other = attachments.values.first(where: { $0.address.volume == volume }) {
            return links.own(other.address)
        }
        let before = leaving[volume]
        before?.cancel()
        leaving[volume] = Task {
            await before?.value
            await self.unmount(volume)
        }
    }

    private func unmount(_ volume: StorageVolume) async {
        for pause in patience.unmounts {
            do { try await clock.sleep(for: pause) } catch { return }
            for address in parted[volume] ?? [] {
                if await unmount(address) { parted[volume]?.remove(address) }
            }
            guard !Task.isCancelled else { return }
            if parted[volume]?.isEmpty ?? true { break }
        }
        if parted[volume]?.isEmpty ?? true {
            parted[volume] = nil
        } else {
            logger.info("\(volume.backend)://\(volume.place) is still in use, and stays mounted in the system")
        }
        leaving[volume] = nil
    }

    /// Unmounts the volume of a storage; false where that can't be done now.
    private func unmount(_ address: StorageAddress) async -> Bool {
        let provider = provider
        let failure = await withTimeLimit(patience.limit, clock: clock) { () -> StorageFailure? in
            do throws(StorageFailure) {
                try await provider.unmount(address)
                return nil
            } catch { return error }
        }
        if case .some(.none) = failure { return true }
        logger.debug("\(address) can't be unmounted yet: \(failure.flatMap { $0 }?.description ?? "no answer")")
        return false
    }

    /// Ends the unmounting of a volume that a mount needs again.
    private func hold(_ volume: StorageVolume) async {
        guard let task = leaving[volume] else { return }
        task.cancel()
        await task.value
        if leaving[volume] == task { leaving[volume] = nil }
    }

    // MARK: Keeping storages mounted

    func run(isBack: @escaping @Sendable (_ mount: String) -> Void) async {
        while !Task.isCancelled {
            await attachDue(isBack: isBack)
            await alarm.wait(until: attachments.values.filter { !$0.isPending }.map(\.due).min())
        }
    }

    func attachDue() async { await attachDue { _ in } }

    func attachDue(isBack: @escaping @Sendable (_ mount: String) -> Void) async {
        let now = clock.now
        let due = attachments.filter { !$0.value.isPending && $0.value.due <= now }.map(\.key)
        await withTaskGroup(of: Void.self) { group in
            for name in due { group.addTask { await self.check(name, isBack: isBack) } }
        }
    }

    private func check(_ name: String, isBack: @Sendable (_ mount: String) -> Void) async {
        guard let address = attachments[name]?.address else { return }
        do {
            let isNew = try await bring(address, looksInside: attachments[name]?.isThere != true)
            guard let attachment = attachments[name], attachment.address == address else {
                return release(address)
            }
            if isNew || !attachment.isThere {
                logger.info("\(address) is mounted as \(name)")
                isBack(name)
            }
            change(name) { ($0.isThere, $0.failures, $0.due) = (true, 0, clock.now + patience.check) }
        } catch {
            guard !Task.isCancelled, let failures = attachments[name]?.failures else { return }
            if failures == 0 {
                logger.warning("\(address) can't be mounted as \(name), its songs stay in the library: \(error)")
            }
            change(name) {
                $0.isThere = false
                $0.failures = min($0.failures + 1, 1000)
                $0.due = clock.now + patience.retries.pause(after: $0.failures)
            }
        }
    }

    private func change(_ name: String, _ body: (inout Attachment) -> Void) {
        guard var attachment = attachments[name] else { return }
        body(&attachment)
        attachments[name] = attachment
    }

    /// Has the system mount a storage, and leads its link there; true if it was not mounted before. With `looksInside`
    /// its folder is read also where it was, which asks the server.
    private func bring(
        _ address: StorageAddress, looksInside: Bool = true
    ) async throws(StorageFailure) -> Bool {
        await hold(address.volume)
        let (provider, seconds) = (provider, patience.limit.components.seconds)
        let result = await withTimeLimit(patience.limit, clock: clock) {
            () -> Result<(target: String?, isNew: Bool), StorageFailure> in
            do throws(StorageFailure) {
                let folder = try await provider.mount(address)
                if folder.isNew { await self.own(address) }
                guard looksInside || folder.isNew else { return .success((nil, false)) }
                return .success((try await Self.target(of: folder), folder.isNew))
            } catch { return .failure(error) }
        }
        guard let result else { throw .timedOut(seconds: Int(clamping: seconds)) }
        let (target, isNew) = try result.get()
        // The volume is still the one that was to be unmounted.
        if !isNew, parted[address.volume]?.isEmpty == false { links.own(address) }
        if let target { try links.lead(address, to: target) }
        return isNew
    }

    /// The path without links of a folder that can be read. The server answers for it, which may take its time.
    private static func target(of folder: ProvidedFolder) async throws(StorageFailure) -> String {
        guard let path = folder.path, let volume = folder.volume else { throw .noFolder }
        let found: (code: Int32, target: String?)
        do {
            found = try await onThread { () -> (code: Int32, target: String?) in
                guard let handle = opendir(path) else { return (errno, nil) }
                closedir(handle)
                // A server may call a link what is no folder of its own.
                guard let target = resolved(path), let root = resolved(volume), target.isPath(in: root) else {
                    return (EXDEV, nil)
                }
                return (0, target)
            }
        } catch { throw .cancelled }
        switch found {
        case (0, let target?): return target
        case (ENOENT, _): throw .notFound
        case (EACCES, _), (EPERM, _): throw .refusedLogin
        case (EXDEV, _): throw .other("the folder is a link that leads out of the storage")
        case (let code, _): throw .other(String(cString: strerror(code)))
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }
}

/// Mounts network storages in the system.
protocol StorageProvider: Sendable {
    /// Mounts a storage, or finds it mounted.
    ///
    /// It may take any time, and ends early when its task is cancelled; a volume that it has mounted by then stays, and
    /// is told.
    func mount(_ address: StorageAddress) async throws(StorageFailure) -> ProvidedFolder
    /// Unmounts the volume of a storage, unless another program uses it; one that isn't mounted is fine.
    func unmount(_ address: StorageAddress) async throws(StorageFailure)
}

/// The folder of a storage that is mounted.
struct ProvidedFolder: Hashable, Sendable {
    /// Its absolute path; nil when the system shows the volume as no folder.
    var path: String?
    /// The absolute path of the folder of all that the server shows there.
    var volume: String?
    /// True if this call mounted it, and no other program had before.
    var isNew: Bool
}

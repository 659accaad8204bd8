import Coordination
import Glibc
package import LibraryIndex
package import Logging
import MusicModel

/// Has the system mount the network storages of all mounts, and mounts them again whenever they are away.
///
/// Nothing is known here of songs: those stay in the index while a storage is away, and are read again when it is back.
/// - Isolation: its own actor; `storage(at:)` may be called from anywhere and returns at once.
package actor StorageKeeper: StorageMounting {
    /// How long it waits.
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

    /// The storage of a mount.
    private struct Attachment {
        let address: StorageAddress
        /// Whether a client still waits for it.
        var isPending = false
        var isThere = false
        var failures = 0
        var due = ContinuousClock.now
    }

    private let provider: any StorageProvider
    private let links: StorageLinks
    private let patience: Patience
    private let logger: Logger
    private let alarm = Alarm()
    /// By the names of their mounts.
    private var attachments: [String: Attachment] = [:]
    /// The volumes that are being unmounted.
    private var leaving: [StorageAddress: Task<Void, Never>] = [:]

    /// Mounts nothing before it is told to.
    ///
    /// - Parameter folder: where the links to the storages are kept.
    init(provider: any StorageProvider, folder: String, patience: Patience = Patience(), logger: Logger) {
        self.provider = provider
        links = StorageLinks(in: folder)
        LinkBoundary.keep(folder)
        self.patience = patience
        self.logger = logger
    }

    /// Mounts through GIO, as far as this machine can.
    package init(folder: String, logger: Logger) {
        self.init(provider: GIOStorages(), folder: folder, logger: logger)
    }

    /// The storage that an address names; nil for all that is none.
    package nonisolated func storage(at uri: String) -> NetworkStorage? {
        StorageAddress(uri).map { NetworkStorage(uri: uri, shown: $0.shown, folder: links.path(of: $0)) }
    }

    /// Mounts a storage for a client that waits, and keeps it mounted.
    ///
    /// - Throws: `StorageFailure`; nothing is kept then.
    package func attach(_ storage: NetworkStorage, at name: String) async throws {
        guard let address = StorageAddress(storage.uri) else { throw StorageFailure.notFound }
        guard attachments[name] == nil else { throw StorageFailure.nameTaken }
        guard !attachments.values.contains(where: { $0.address.shown == address.shown }) else {
            throw StorageFailure.mountedAlready
        }
        attachments[name] = Attachment(address: address, isPending: true, due: .now + patience.check)
        do { _ = try await bring(address) } catch {
            attachments[name] = nil
            throw error
        }
        change(name) { ($0.isPending, $0.isThere, $0.due) = (false, true, .now + patience.check) }
        logger.info("\(address) is mounted as \(name)")
        alarm.ring()
    }

    /// Keeps a storage mounted that was attached before a restart.
    package func keep(_ uri: String, at name: String) {
        guard let address = StorageAddress(uri), attachments[name] == nil else { return }
        attachments[name] = Attachment(address: address)
        alarm.ring()
    }

    /// Lets a storage go; its volume is unmounted in the background if the program had mounted it.
    package func detach(_ name: String) {
        if let address = attachments.removeValue(forKey: name)?.address { release(address) }
    }

    /// Removes the link of a storage that no mount needs any more, and unmounts its volume.
    private func release(_ address: StorageAddress) {
        guard !attachments.values.contains(where: { $0.address == address }), links.remove(address) else { return }
        leaving[address]?.cancel()
        leaving[address] = Task { await self.unmount(address) }
    }

    private func unmount(_ address: StorageAddress) async {
        for pause in patience.unmounts {
            do { try await Task.sleep(for: pause) } catch { return }
            let (provider, limit) = (provider, patience.limit)
            let failure = await withTimeLimit(limit) { () -> StorageFailure? in
                do throws(StorageFailure) {
                    try await provider.unmount(address)
                    return nil
                } catch { return error }
            }
            guard !Task.isCancelled else { return }
            switch failure {
            case .some(.none): return leaving[address] = nil
            case .some(.some(let reason)): logger.debug("\(address) can't be unmounted yet: \(reason)")
            case .none: logger.debug("\(address) can't be unmounted yet")
            }
        }
        logger.info("\(address) is still in use, and stays mounted in the system")
        leaving[address] = nil
    }

    // MARK: Keeping storages mounted

    /// Mounts storages that are away, until the task is cancelled.
    ///
    /// - Parameter isBack: called with the name of a mount whose storage is there again; it must not block.
    package func run(isBack: @escaping @Sendable (_ mount: String) -> Void) async {
        while !Task.isCancelled {
            await attachDue(isBack: isBack)
            await alarm.wait(until: attachments.values.filter { !$0.isPending }.map(\.due).min())
        }
    }

    /// Mounts every storage whose time has come, all at once.
    package func attachDue(isBack: @escaping @Sendable (_ mount: String) -> Void = { _ in }) async {
        let now = ContinuousClock.now
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
            change(name) { ($0.isThere, $0.failures, $0.due) = (true, 0, .now + patience.check) }
        } catch {
            guard !Task.isCancelled, let failures = attachments[name]?.failures else { return }
            if failures == 0 {
                logger.warning("\(address) can't be mounted as \(name), its songs stay in the library: \(error)")
            }
            change(name) {
                $0.isThere = false
                $0.failures = min($0.failures + 1, 1000)
                $0.due = .now + patience.retries.pause(after: $0.failures)
            }
        }
    }

    private func change(_ name: String, _ body: (inout Attachment) -> Void) {
        guard var attachment = attachments[name] else { return }
        body(&attachment)
        attachments[name] = attachment
    }

    /// Has the system mount a storage, and leads its link there.
    ///
    /// - Parameter looksInside: whether its folder is read also where it was mounted before, which asks the server.
    /// - Returns: whether it was not mounted before.
    private func bring(
        _ address: StorageAddress, looksInside: Bool = true
    ) async throws(StorageFailure) -> Bool {
        let leaving = leaving.removeValue(forKey: address)
        leaving?.cancel()
        await leaving?.value
        let (provider, seconds) = (provider, patience.limit.components.seconds)
        let result = await withTimeLimit(patience.limit) { () -> Result<ProvidedFolder, StorageFailure> in
            do throws(StorageFailure) {
                let folder = try await provider.mount(address)
                do throws(StorageFailure) {
                    if looksInside || folder.isNew { try await Self.requireFolder(folder.path) }
                } catch {
                    if folder.isNew { try? await provider.unmount(address) }
                    throw error
                }
                return .success(folder)
            } catch { return .failure(error) }
        }
        guard let result else { throw .timedOut(seconds: Int(clamping: seconds)) }
        let folder = try result.get()
        try links.lead(address, to: folder.path, isOwn: folder.isNew || leaving != nil)
        return folder.isNew
    }

    /// Makes sure that a folder can be read. The server answers for it, which may take its time.
    private static func requireFolder(_ path: String) async throws(StorageFailure) {
        let code: Int32
        do {
            code = try await onThread {
                guard let handle = opendir(path) else { return errno }
                closedir(handle)
                return 0
            }
        } catch { throw .cancelled }
        switch code {
        case 0: return
        case ENOENT: throw .notFound
        case EACCES, EPERM: throw .refusedLogin
        case let code: throw .other(String(cString: strerror(code)))
        }
    }
}

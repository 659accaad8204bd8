import CGIO
import Coordination
import Foundation
import Glibc
import LibraryIndex
import MusicModel
import Supervision
import Synchronization

/// Mounts storages by GIO, whose backends are GVfs's services on the session's bus, and shows them by its FUSE daemon.
///
/// Everything that GIO does runs on a thread of its own, which begins with the first storage: a process without any has
/// neither that nor GVfs's client in it.
final class GIOStorages: StorageProvider {
    private let loop = BusLoop()
    private let hasThread = Mutex(false)
    /// How long GVfs's FUSE daemon may take to begin.
    private static let maxStart = Duration.seconds(3)

    func mount(_ address: StorageAddress) async throws(StorageFailure) -> ProvidedFolder {
        try await call { call, answer in answer(GIOSession.requireBackend(address.backend, call)) }
        let isNew = try await call { call, answer in GIOVolume(address, call).mount(answer) }
        let path = await path(of: address)
        let shown = GIOSession.folder
        let volume = path?.path(below: shown ?? "/").flatMap { $0.pathParts.first }.map { "\(shown ?? "")/\($0)" }
        return ProvidedFolder(path: path, volume: volume, isNew: isNew)
    }

    func unmount(_ address: StorageAddress) async throws(StorageFailure) {
        try await call { call, answer in answer(GIOSession.requireBackend(address.backend, call)) }
        try await call { call, answer in GIOVolume(address, call).unmount(answer) }
    }

    /// The folder of a volume that is mounted; nil where there is none.
    private func path(of address: StorageAddress) async -> String? {
        // GIO remembers a volume without a folder, so it is asked only when the daemon is there.
        let end = ContinuousClock.now + Self.maxStart
        while ContinuousClock.now < end,
            (try? await call({ _, answer in answer(.success(GIOSession.showsFolders)) })) != true
        {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return nil }
        }
        return (try? await call { call, answer in answer(.success(GIOVolume(address, call).path)) }) ?? nil
    }

    /// Has the loop's thread begin with something, and waits for its answer. Its cancellation is the call's.
    private func call<Value: Sendable>(
        _ begin: @escaping @Sendable (GIOCall, @escaping (Result<Value, StorageFailure>) -> Void) -> Void
    ) async throws(StorageFailure) -> Value {
        guard startThread() else { throw .other(BlockingThread.missing) }
        let call = GIOCall()
        let result: Result<Value, StorageFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.perform { begin(call) { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            loop.perform { call.cancel() }
        }
        return try result.get()
    }

    private func startThread() -> Bool {
        hasThread.withLock { hasThread in
            if !hasThread { hasThread = loop.start("storages") { [loop] in loop.run() } }
            return hasThread
        }
    }
}

/// The way to cancel a call of GIO's.
///
/// `@unchecked Sendable`: the pointer is made once and freed with the last reference; GIO lets any thread use it.
final class GIOCall: @unchecked Sendable {
    let cancellable = g_cancellable_new()

    deinit { g_object_unref(cancellable) }

    func cancel() { g_cancellable_cancel(cancellable) }
}

/// The session that GVfs runs in; on the loop's thread.
enum GIOSession {
    static func requireBackend(_ scheme: String, _ call: GIOCall) -> Result<Void, StorageFailure> {
        // GLib would start a bus where there is none; Segue only uses what is there.
        guard SessionBus.address(ProcessInfo.processInfo.environment) != nil else {
            return .failure(.noSession("this process belongs to none"))
        }
        var error: UnsafeMutablePointer<GError>?
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, call.cancellable, &error) else {
            return .failure(.noSession(GIOError(taking: error).sentence))
        }
        // The reference stays: GVfs uses the same connection, and GIO would end the process together with the bus.
        g_dbus_connection_set_exit_on_close(bus, 0)
        guard g_dbus_connection_is_closed(bus) == 0 else {
            return .failure(.noSession("its bus has ended; restart Segue in the new one"))
        }
        var supported = g_vfs_get_supported_uri_schemes(g_vfs_get_default())
        while let name = supported?.pointee {
            if String(cString: name) == scheme { return .success(()) }
            supported = supported?.successor()
        }
        return .failure(.noBackend(scheme: scheme))
    }

    /// True if GVfs's FUSE daemon runs.
    static var showsFolders: Bool {
        guard let folder else { return false }
        var (outside, inside) = (Glibc.stat(), Glibc.stat())
        return stat(String(folder.pathFolder), &outside) == 0 && stat(folder, &inside) == 0
            && outside.st_dev != inside.st_dev
    }

    /// The folder in which GVfs's FUSE daemon shows all volumes, as GVfs chooses it; on any thread.
    static var folder: String? {
        guard let runtime = g_get_user_runtime_dir().map({ String(cString: $0) }),
            let cache = g_get_user_cache_dir().map({ String(cString: $0) }),
            let home = g_get_home_dir().map({ String(cString: $0) })
        else { return nil }
        return runtime == cache ? "\(home.withoutLastSlashes)/.gvfs" : "\(runtime.withoutLastSlashes)/gvfs"
    }
}

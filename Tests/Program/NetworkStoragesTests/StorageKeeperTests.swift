import Coordination
import Foundation
import LibraryIndex
import Logging
import Synchronization
import TestSupport
import Testing
@testable import NetworkStorages

/// A machine that mounts storages as it is told to.
private final class Machine: StorageProvider {
    struct State {
        /// What mounting fails with; nil mounts.
        var failure: StorageFailure?
        var hangs = false
        /// Shows no volume as a folder.
        var hidesFolders = false
        /// Takes longer than anyone waits once the volume is there.
        var hangsWhenMounted = false
        var mounted: Set<String> = []
        var busy = 0
        var attempts = 0
        var unmounts = 0
    }

    let state = Mutex(State())
    let clock = VirtualClock()
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "storages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Where the machine shows a storage.
    func place(of address: StorageAddress) -> String { folder.appending(path: "gvfs/\(address.fileName)").path }

    /// The volume of a storage: GVfs makes one of all that lies on a host of sftp.
    private func volume(of address: StorageAddress) -> String {
        address.backend == "sftp"
            ? address.shown.split(separator: "/").prefix(2).joined(separator: "//") : address.shown
    }

    func mount(_ address: StorageAddress) async throws(StorageFailure) -> ProvidedFolder {
        let (failure, hangs, hangsWhenMounted) = state.withLock { state in
            state.attempts += 1
            return (state.failure, state.hangs, state.hangsWhenMounted)
        }
        if hangs {
            do { try await Task.sleep(for: .seconds(600)) } catch { throw .cancelled }
        }
        if let failure { throw failure }
        let path = place(of: address)
        let shown = folder.appending(path: "gvfs").path
        try? FileManager.default.createDirectory(atPath: shown, withIntermediateDirectories: true)
        if address.shown.hasSuffix("link") {
            symlink(folder.path, path)
        } else if !address.shown.hasSuffix("missing") {
            mkdir(path, 0o700)
        }
        let isNew = state.withLock { $0.mounted.insert(volume(of: address)).inserted }
        if hangsWhenMounted {
            try? await Task.sleep(for: .seconds(600))
            return ProvidedFolder(path: nil, isNew: isNew)
        }
        if state.withLock(\.hidesFolders) { return ProvidedFolder(path: nil, isNew: isNew) }
        return ProvidedFolder(path: path, volume: shown, isNew: isNew)
    }

    func unmount(_ address: StorageAddress) async throws(StorageFailure) {
        if Task.isCancelled { throw .cancelled }
        let isBusy = state.withLock { state in
            state.unmounts += 1
            state.busy -= 1
            if state.busy < 0 { state.mounted.remove(volume(of: address)) }
            return state.busy >= 0
        }
        if isBusy { throw .other("busy") }
    }

    /// Lets the next pause pass, and no time limit.
    @discardableResult
    func passPause() async throws -> Duration { try await clock.passPause(upTo: .seconds(600)) }

    /// Lets pauses pass, and no time limit, until a condition holds.
    func passPauses(until what: String, _ condition: () -> Bool) async throws {
        try await clock.passPauses(until: what, upTo: .seconds(600)) { condition() }
    }

    /// The storages of a program on this machine.
    func storages(_ change: (inout StorageKeeper.Patience) -> Void = { _ in }) -> StorageKeeper {
        var patience = StorageKeeper.Patience()
        // Longer than all pauses, which are passed meanwhile.
        patience.limit = .seconds(86_400)
        change(&patience)
        return StorageKeeper(
            provider: self, folder: folder.appending(path: "links").path, patience: patience,
            clock: clock, logger: Logger(label: "test"))
    }
}

@Suite("Network storages", .enabled(if: testsEverything))
struct StorageKeeperTests {
    private let uri = "smb://me:secret@nas/music"

    @Test("A storage's files are at one path, wherever the system mounts it")
    func attach() async throws {
        let machine = try Machine()
        let storages = machine.storages()
        let storage = try #require(storages.storage(at: uri))
        #expect(storage.shown == "smb://nas/music" && storage.uri == uri)
        #expect(!"\(storage) \(String(reflecting: storage))".contains("secret"))
        try await storages.attach(storage, at: "nas")
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: storage.folder)
        #expect(target == machine.place(of: try #require(StorageAddress(uri))))
        let rights = try FileManager.default.attributesOfItem(atPath: machine.folder.path + "/links")
        #expect(rights[.posixPermissions] as? Int == 0o700)
        #expect(storages.storage(at: "/srv/music") == nil)
    }

    @Test("A name and a storage are mounted once, also while a client still waits for them")
    func once() async throws {
        let machine = try Machine()
        machine.state.withLock { $0.hangs = true }
        let storages = machine.storages()
        let storage = try #require(storages.storage(at: uri))
        let other = try #require(storages.storage(at: "smb://other/music"))
        let first = Task { try await storages.attach(storage, at: "nas") }
        #expect(await eventually { machine.state.withLock(\.attempts) == 1 })
        await #expect(throws: StorageFailure.nameTaken) { try await storages.attach(other, at: "nas") }
        let again = try #require(storages.storage(at: "smb://somebody@nas/music/"))
        await #expect(throws: StorageFailure.mountedAlready) { try await storages.attach(again, at: "disk") }
        first.cancel()
        await #expect(throws: StorageFailure.cancelled) { try await first.value }
        machine.state.withLock { $0.hangs = false }
        try await storages.attach(other, at: "nas")
    }

    @Test("A server that doesn't answer is given up after the limit, and nothing is kept")
    func limit() async throws {
        let machine = try Machine()
        machine.state.withLock { $0.hangs = true }
        let storages = machine.storages { $0.limit = .seconds(30) }
        let storage = try #require(storages.storage(at: uri))
        let attaching = Task { try await storages.attach(storage, at: "nas") }
        #expect(try await machine.clock.passPause() == .seconds(30))
        await #expect(throws: StorageFailure.timedOut(seconds: 30)) { try await attaching.value }
        #expect(!FileManager.default.fileExists(atPath: storage.folder))
        machine.state.withLock { $0.hangs = false }
        try await storages.attach(storage, at: "nas")
    }

    @Test("A folder that the server doesn't have is no storage, and its volume doesn't stay mounted")
    func missing() async throws {
        let machine = try Machine()
        let storages = machine.storages()
        let storage = try #require(storages.storage(at: "smb://nas/missing"))
        await #expect(throws: StorageFailure.notFound) { try await storages.attach(storage, at: "nas") }
        #expect(await eventually { machine.state.withLock(\.mounted).isEmpty })
    }

    @Test(
        "A storage of before a restart is mounted as soon as its server is there, and again whenever it was away")
    func restart() async throws {
        let machine = try Machine()
        machine.state.withLock { $0.failure = .unreachable("refused") }
        let storages = machine.storages()
        await storages.keep(uri, at: "nas")
        let back = Mutex<[String]>([])
        let running = Task { await storages.run { name in back.withLock { $0.append(name) } } }
        try await machine.passPauses(until: "attempts") { machine.state.withLock(\.attempts) > 4 }
        #expect(back.withLock { $0.isEmpty })
        machine.state.withLock { $0.failure = nil }
        try await machine.passPauses(until: "the mount") { back.withLock { $0 } == ["nas"] }
        let before = machine.state.withLock(\.attempts)
        try await machine.passPauses(until: "looks") { machine.state.withLock(\.attempts) > before + 3 }
        #expect(back.withLock { $0 } == ["nas"], "what stays mounted isn't read again")
        machine.state.withLock { $0.mounted = [] }
        try await machine.passPauses(until: "the mount") { back.withLock { $0 } == ["nas", "nas"] }
        running.cancel()
        await running.value
    }

    @Test("Pauses between attempts grow")
    func pauses() async throws {
        let machine = try Machine()
        machine.state.withLock { $0.failure = .unknownHost }
        let storages = machine.storages()
        await storages.keep(uri, at: "nas")
        let running = Task { await storages.run { _ in } }
        for seconds in [5, 10, 20, 40, 80, 160, 300, 300] {
            #expect(try await machine.passPause() == .seconds(seconds))
        }
        #expect(await eventually { machine.state.withLock(\.attempts) == 9 })
        running.cancel()
        await running.value
    }

    @Test("A volume is unmounted only if the program mounted it, also before a restart")
    func detach() async throws {
        let machine = try Machine()
        var storages = machine.storages()
        let storage = try #require(storages.storage(at: uri))
        try await storages.attach(storage, at: "nas")
        storages = machine.storages()
        await storages.keep(uri, at: "nas")
        await storages.attachDue()
        await storages.detach("nas")
        #expect(await eventually { machine.state.withLock(\.mounted).isEmpty })
        #expect(!FileManager.default.fileExists(atPath: storage.folder))

        machine.state.withLock { ($0.mounted, $0.unmounts) = (["smb://nas/music"], 0) }
        try await storages.attach(storage, at: "nas")
        await storages.detach("nas")
        try await storages.attach(storage, at: "nas")
        await storages.detach("nas")
        #expect(await !storages.isUnmounting)
        #expect(machine.state.withLock { $0.mounted == ["smb://nas/music"] && $0.unmounts == 0 })
    }

    @Test("A volume that is in use is unmounted later")
    func busy() async throws {
        let machine = try Machine()
        let storages = machine.storages()
        let storage = try #require(storages.storage(at: uri))
        try await storages.attach(storage, at: "nas")
        machine.state.withLock { $0.busy = 2 }
        await storages.detach("nas")
        #expect(try await machine.passPause() == .seconds(5))
        #expect(try await machine.passPause() == .seconds(30))
        #expect(await eventually { machine.state.withLock { $0.mounted.isEmpty && $0.unmounts == 3 } })
    }

    @Test("A folder that is a link of the server's to elsewhere on this machine is no storage")
    func linkAsRoot() async throws {
        let machine = try Machine()
        let storages = machine.storages()
        let storage = try #require(storages.storage(at: "smb://nas/link"))
        let error = await #expect(throws: StorageFailure.self) { try await storages.attach(storage, at: "nas") }
        #expect(error?.description.contains("leads out of the storage") == true)
        #expect(!FileManager.default.fileExists(atPath: storage.folder))
        #expect(await eventually { machine.state.withLock(\.mounted).isEmpty })
    }

    @Test("A volume that is there without a folder is unmounted, and the missing folder is what is told")
    func noFolder() async throws {
        let machine = try Machine()
        machine.state.withLock { ($0.hidesFolders, $0.busy) = (true, 1) }
        let storages = machine.storages()
        let storage = try #require(storages.storage(at: uri))
        await #expect(throws: StorageFailure.noFolder) { try await storages.attach(storage, at: "nas") }
        #expect(try await machine.passPause() == .seconds(5))
        #expect(await eventually { machine.state.withLock(\.mounted).isEmpty })
    }

    @Test("A volume stays as long as another storage is a part of it, and is unmounted with the last one")
    func sharedVolume() async throws {
        let machine = try Machine()
        let storages = machine.storages()
        for name in ["a", "b", "c"] {
            try await storages.attach(try #require(storages.storage(at: "sftp://me:x@host/\(name)")), at: name)
        }
        #expect(machine.state.withLock(\.mounted) == ["sftp://host"])
        await storages.detach("a")
        await storages.detach("c")
        #expect(await !storages.isUnmounting)
        #expect(machine.state.withLock { $0.mounted == ["sftp://host"] && $0.unmounts == 0 })
        await storages.detach("b")
        #expect(await eventually { machine.state.withLock(\.mounted).isEmpty })
    }

    @Test("A volume that is being unmounted stays where a storage of it is mounted with another password")
    func otherPassword() async throws {
        let machine = try Machine()
        let storages = machine.storages { $0.unmounts = [.zero, .seconds(60)] }
        try await storages.attach(try #require(storages.storage(at: "sftp://me:old@host/a")), at: "a")
        machine.state.withLock { $0.busy = 1 }
        await storages.detach("a")
        #expect(await eventually { machine.state.withLock(\.unmounts) == 1 })
        try await storages.attach(try #require(storages.storage(at: "sftp://me:new@host/b")), at: "b")
        #expect(await !storages.isUnmounting)
        #expect(machine.state.withLock { $0.mounted == ["sftp://host"] && $0.unmounts == 1 })
        await storages.detach("b")
        #expect(await eventually { machine.state.withLock(\.mounted).isEmpty }, "it is still the program's own")
    }

    @Test("A volume that was mounted when the time was over is unmounted")
    func tooLate() async throws {
        let machine = try Machine()
        machine.state.withLock { $0.hangsWhenMounted = true }
        let storages = machine.storages { $0.limit = .seconds(30) }
        let storage = try #require(storages.storage(at: uri))
        let attaching = Task { try await storages.attach(storage, at: "nas") }
        try await eventually("the volume") { machine.state.withLock { !$0.mounted.isEmpty } }
        #expect(try await machine.clock.passPause() == .seconds(30))
        await #expect(throws: StorageFailure.timedOut(seconds: 30)) { try await attaching.value }
        #expect(await eventually { machine.state.withLock(\.mounted).isEmpty })
    }

    @Test("No sentence of a failure is empty, or has a line's end in it")
    func sentences() {
        let failures: [StorageFailure] = [
            .nameTaken, .mountedAlready, .noSession("x"), .noBackend(scheme: "smb"), .noFolder, .needsLogin,
            .refusedLogin, .unknownHost, .unreachable("x"), .notFound, .untrusted("x"), .timedOut(seconds: 30),
            .cancelled, .other("x"),
        ]
        #expect(failures.allSatisfy { !$0.description.isEmpty && !$0.description.contains("\n") })
        #expect(StorageFailure.noBackend(scheme: "smb").description.contains("gvfs-backends"))
    }
}

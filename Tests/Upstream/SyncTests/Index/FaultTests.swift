@testable import Sync
import MusicModel
import Subsonic
import SyncBench
import Synchronization
import TestSupport
import Testing
import UserLibrary

@Suite("Sync with a server in trouble")
struct FaultTests {
    @Test(
        "a fault leaves the index as it was, and the next sync mends it",
        arguments: [
            (.down, .unreachable), (.refuse, .unreachable), (.garbage, .unreachable), (.html, .unreachable),
            (.http500, .unreachable), (.wrongCredentials, .authFailed), (.cut(after: 2_000), .unreachable),
        ] as [(FakeFault.Mode, ConnectionStatus)])
    func faults(mode: FakeFault.Mode, status: ConnectionStatus) async throws {
        let bench = try await ServerBench(songs: 180)
        _ = try await bench.sync.syncOnce()
        let before = try await bench.library.allIDs()
        bench.server.change { $0.add(20) }
        bench.recorder.reset()
        try await bench.server.setFaults(FakeFault(mode))
        await #expect(throws: SubsonicError.self) { try await bench.sync.syncOnce() }
        await #expect(throws: SubsonicError.self) { try await bench.sync.syncOnce() }
        #expect(try await bench.library.allIDs() == before)
        #expect(bench.recorder.now.subsystems.isEmpty)
        #expect(bench.recorder.now.connections == [status], "once per change")
        try await bench.server.setFaults()
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.isInStep())
        #expect(bench.recorder.now.connections == [status, .connected])
        #expect(!bench.log.all.contains { $0.contains("secret") || $0.contains("?u=") })
        let trouble = try #require(bench.log.all.first { $0.contains("\(status.rawValue): ") })
        #expect(trouble.contains(" <- ") && trouble.contains("[Subsonic/"), "the log says why")
        #expect(mode != .http500 || trouble.contains("HTTP 500"))
        await bench.stop()
    }

    @Test(
        "a server that takes no more requests for a while is not away",
        arguments: [FakeFault.Mode.status(503), .rateLimited(retryAfter: nil)])
    func limits(mode: FakeFault.Mode) async throws {
        let bench = try await ServerBench(songs: 180)
        _ = try await bench.sync.syncOnce()
        bench.server.change { $0.add(20) }
        bench.recorder.reset()
        try await bench.server.setFaults(FakeFault(mode))
        await #expect(throws: SubsonicError.self) { try await bench.sync.syncOnce() }
        #expect(bench.recorder.now.connections.isEmpty)
        #expect(bench.log.all.contains { $0.contains("checking the library later") })
        try await bench.server.setFaults()
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.isInStep())
        #expect(bench.recorder.now.connections.isEmpty)
        await bench.stop()
    }

    @Test("a proxy's refusal is not laid to the password")
    func proxySentences() {
        let sentence = ConnectionSentence(address: "http://a", identity: nil)
        for code in [SubsonicError.Code.unauthorized, .notPermitted] {
            let error = SubsonicError(code, "A proxy in front of http://a asks for a login (HTTP 401); headers.")
            let trouble = sentence.trouble(error)
            #expect(trouble.contains("A proxy in front of http://a") && !trouble.contains("password"))
            #expect(!trouble.contains("gives this user"))
            #expect(ConnectionStatus(error) == .authFailed)
        }
    }

    @Test("a walk that breaks off in the middle changes nothing")
    func brokenWalk() async throws {
        let bench = try await ServerBench()
        _ = try await bench.sync.syncOnce()
        let before = try await bench.library.allSongs()
        bench.server.change { $0.touch(200) }
        let poisoned = bench.server.songs[300].id
        bench.server.edit(poisoned) { $0.rawJSON = "{ no JSON" }
        bench.recorder.reset()
        await #expect(throws: SubsonicError.self) { try await bench.sync.syncOnce() }
        #expect((50...300).contains(try #require(bench.recorder.now.lastProgress).done))
        #expect(try await bench.library.allSongs() == before)
        #expect(bench.recorder.now.subsystems.isEmpty)
        bench.server.edit(poisoned) { $0.rawJSON = nil }
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.isInStep())
        await bench.stop()
    }

    @Test("a first sync that breaks off keeps what it has, and the next one completes it")
    func brokenFirstSync() async throws {
        let bench = try await ServerBench(songs: 600)
        let poisoned = bench.server.songs[450].id
        bench.server.edit(poisoned) { $0.rawJSON = "{ no JSON" }
        await #expect(throws: SubsonicError.self) { try await bench.sync.syncOnce() }
        let ids = try await bench.library.allIDs()
        #expect([200, 300, 400].contains(ids.count), "whole batches of 100")
        #expect(bench.recorder.now.subsystems.contains(.database))
        bench.server.edit(poisoned) { $0.rawJSON = nil }
        #expect(try await bench.sync.syncOnce().added == 600 - ids.count)
        #expect(try await bench.isInStep())
        let later = try await bench.library.allIDs()
        #expect(ids.allSatisfy { later[$0.key] == $0.value })
        await bench.stop()
    }

    @Test("a library that moves under the walk is read again until it adds up")
    func movingLibrary() async throws {
        let isDone = Mutex(false)
        let bench = try await ServerBench(songs: 420) { server, done in
            guard done >= 100, !isDone.withLock({ $0 }) else { return }
            isDone.withLock { $0 = true }
            // A deletion near the start shifts everything: a page boundary loses a song.
            server.edit(server.songs[3].id) { $0.isMissing = true }
        }
        let summary = try await bench.sync.syncOnce()
        #expect(summary.songs == 419)
        #expect(try await bench.isInStep())
        #expect(bench.log.all.contains { $0.contains("reading it again (1 of 3)") })
        await bench.stop()
    }

    @Test("a library that never stands still is not marked as complete, and loses nothing")
    func restlessLibrary() async throws {
        let isRestless = Mutex(false)
        let bench = try await ServerBench(songs: 200) { server, _ in
            if isRestless.withLock({ $0 }) { server.scan() }
        }
        _ = try await bench.sync.syncOnce()
        isRestless.withLock { $0 = true }
        bench.server.change { $0.remove(10) }
        await #expect(throws: SyncPostponed.self) { try await bench.sync.syncOnce() }
        #expect(try await bench.library.allIDs().count == 200)
        isRestless.withLock { $0 = false }
        #expect(try await bench.sync.syncOnce().removed == 10)
        await bench.stop()
    }

    @Test("while the server scans, a known library stays as it is, and an unknown one comes as it goes")
    func scanning() async throws {
        let bench = try await ServerBench(songs: 200)
        bench.server.isScanning = true
        await #expect(throws: SyncPostponed.self) { try await bench.sync.syncOnce() }
        #expect(try await bench.library.allIDs().count >= 100, "whole batches are there")
        bench.server.isScanning = false
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.isInStep())
        bench.server.change { $0.remove(10) }
        bench.server.isScanning = true
        await #expect(throws: SyncPostponed.self) { try await bench.sync.syncOnce() }
        #expect(try await bench.library.allIDs().count == 200)
        await bench.stop()
    }
}

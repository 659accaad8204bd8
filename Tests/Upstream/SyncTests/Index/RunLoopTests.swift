@testable import Sync
import LibrarySamples
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@Suite("The service")
struct RunLoopTests {
    @Test("changes on the server arrive at the interval")
    func interval() async throws {
        let bench = try await ServerBench(songs: 120)
        try await bench.whileRunning {
            try await eventually("the first sync") { try await bench.isInStep() && bench.sync.runningJob == nil }
            let heard = bench.recorder.now
            #expect(heard.connections == [.checking, .connected])
            #expect(heard.subsystems.first == .update)
            bench.server.change { $0.touch(3) }
            try await eventually("the touched songs") { try await bench.isInStep() }
            let looks = bench.calls.filter { $0 == "getScanStatus" }.count
            try await eventually("more looks") { bench.calls.filter { $0 == "getScanStatus" }.count > looks + 3 }
            #expect(
                bench.recorder.now.subsystems.filter { $0 == .update }.count == 2, "only the first sync shows as a job")
        }
    }

    @Test("an outage and refused credentials are told once each, and end by themselves")
    func outage() async throws {
        let bench = try await ServerBench(songs: 60)
        try await bench.whileRunning {
            try await eventually("the first sync") { try await bench.isInStep() }
            try await bench.server.setFaults(FakeFault(.down))
            try await eventually("the outage") { await bench.sync.connectionStatus == .unreachable }
            let tries = bench.calls.count
            try await eventually("further tries") { bench.calls.count > tries + 3 }
            try await bench.server.setFaults(FakeFault(.wrongCredentials))
            try await eventually("the refusal") { await bench.sync.connectionStatus == .authFailed }
            // Before the server is back: the sync that finds it has to bring them.
            bench.server.change { $0.add(2) }
            try await bench.server.setFaults()
            try await eventually("the return") { await bench.sync.connectionStatus == .connected }
            #expect(try await bench.isInStep())
            #expect(bench.recorder.now.connections == [.checking, .connected, .unreachable, .authFailed, .connected])
            #expect(bench.log.all.filter { $0.hasPrefix("warning: unreachable: Navidrome 0.63.2 at") }.count == 1)
            #expect(bench.log.all.contains { $0.hasPrefix("error: auth_failed") && $0.contains("segue login") })
            #expect(bench.log.all.filter { $0.contains("(live: everything is live)") }.count == 2)
        }
    }

    @Test("a server that hangs is told as soon as any call waits for it, and not when its next sync is due")
    func hung() async throws {
        let bench = try await ServerBench(songs: 20, settings: Self.quiet, doubt: .milliseconds(50))
        try await bench.whileRunning {
            try await eventually("the first sync") {
                let isConnected = await bench.sync.connectionStatus == .connected
                return try await bench.isInStep() && isConnected
            }
            try await bench.server.setFaults(FakeFault(.held))
            bench.client.reachability.whenDoubted { [sync = bench.sync] in Task { await sync.checkConnection() } }
            let song = Task { [client = bench.client] in try await client.song(id: "s1") }
            try await eventually("the outage") { await bench.sync.connectionStatus == .unreachable }
            #expect(bench.log.all.contains { $0.hasPrefix("warning: unreachable:") && $0.contains("in time") })
            try await bench.server.setFaults()
            try await eventually("the return") { await bench.sync.connectionStatus == .connected }
            _ = try await song.value
        }
    }

    @Test("a call that fails has the server asked, which is away only where it does not answer that")
    func oneFailure() async throws {
        let bench = try await ServerBench(songs: 20, settings: Self.quiet)
        bench.client.reachability.whenDoubted { [sync = bench.sync] in Task { await sync.checkConnection() } }
        try await bench.whileRunning {
            try await eventually("the first sync") {
                let isConnected = await bench.sync.connectionStatus == .connected
                return try await bench.isInStep() && isConnected
            }
            let pings = bench.calls.count { $0 == "ping" }
            try await bench.server.setFaults(FakeFault(.down, match: "getSong"))
            await #expect(throws: SubsonicError.self) { try await bench.client.song(id: "s1") }
            try await eventually("the question") { bench.calls.count { $0 == "ping" } > pings }
            await bench.sync.checkConnection()
            #expect(bench.recorder.now.connections == [.checking, .connected])
            try await bench.server.setFaults(FakeFault(.down))
            await #expect(throws: SubsonicError.self) { try await bench.client.song(id: "s1") }
            try await eventually("the outage") { await bench.sync.connectionStatus == .unreachable }
        }
    }

    /// Nothing looks for changes by itself.
    private static var quiet: SyncSettings {
        var settings = ServerBench.settings
        (settings.server.interval, settings.scanCheckInterval) = (.seconds(3_600), .seconds(3_600))
        return settings
    }

    @Test("update has the server scan, shows its job, and rescan scans everything")
    func update() async throws {
        var settings = ServerBench.settings
        settings.server.interval = .seconds(3_600)
        let bench = try await ServerBench(songs: 60, settings: settings)
        try await bench.whileRunning {
            try await eventually("the first sync") {
                try await bench.isInStep() && bench.sync.runningJob == nil
                    // The end of a job is told after it.
                    && bench.recorder.now.subsystems.count { $0 == .update } == 2
            }
            bench.server.change { $0.add(5) }
            bench.server.forgetRequests()
            bench.recorder.reset()
            let job = bench.sync.startUpdate(uri: "", rescan: false)
            #expect(bench.sync.runningJob == job)
            try await eventually("the job's end") {
                bench.sync.runningJob == nil && bench.recorder.now.subsystems.count == 3
            }
            #expect(bench.recorder.now.subsystems == [.update, .database, .update])
            #expect(try await bench.isInStep())
            #expect(bench.calls.contains("startScan"))
            _ = bench.sync.startUpdate(uri: "Somebody/Something", rescan: true)
            try await eventually("the rescan's end") {
                bench.server.requests.contains { $0.call == "startScan" && $0["fullScan"] == "true" }
                    && bench.sync.runningJob == nil
            }
        }
    }

    @Test("update waits for a scan that begins late, but not without an end", arguments: [true, false])
    func lateScan(mayBeLate: Bool) async throws {
        var settings = ServerBench.settings
        settings.server.interval = .seconds(3_600)
        settings.maxScanWait = .seconds(60)
        settings.maxScanStart = mayBeLate ? .seconds(60) : .zero
        let bench = try await ServerBench(songs: 20, settings: settings)
        try await bench.whileRunning {
            try await eventually("the first sync") { try await bench.isInStep() && bench.sync.runningJob == nil }
            bench.server.scanDelay = mayBeLate ? 5 : 1_000_000
            bench.server.forgetRequests()
            bench.recorder.reset()
            _ = bench.sync.startUpdate(uri: "", rescan: false)
            try await eventually("the job's end") {
                bench.sync.runningJob == nil && bench.recorder.now.subsystems.last == .update
                    && bench.recorder.now.subsystems.count >= 2
            }
            // The server says "not scanning" five times before it begins, and is asked until it has ended.
            let calls = bench.calls.drop { $0 != "startScan" }.dropFirst()
            let asked = calls.prefix { $0 == "getScanStatus" }.count
            #expect(mayBeLate ? asked >= 8 : asked < 8)
            #expect(bench.server.owesScan == !mayBeLate)
            #expect(calls.contains("search3"))
        }
    }

    @Test("without any source the service says so and waits")
    func noSource() async throws {
        let state = try TemporaryFolder()
        let library = try Library(path: state.path + "/segue.db")
        let recorder = SyncRecorder()
        let sync = LibrarySync(
            library: library, server: nil, observer: recorder.observer, logger: LogLines().logger)
        let service = Task { [sync] in await sync.run() }
        try await eventually("the status") { recorder.now.connections == [.notConfigured] }
        _ = sync.startUpdate(uri: "", rescan: false)
        try await eventually("the empty job") { recorder.now.subsystems == [.update, .update] }
        #expect(sync.runningJob == nil)
        service.cancel()
        await service.value
    }

    @Test("server and folder side by side, each below its mount")
    func bothSources() async throws {
        let bench = try await ServerBench(songs: 40)
        let folder = try TemporaryFolder()
        try folder.write("Own/1.flac", "One")
        let sync = LibrarySync(
            library: bench.library, server: ServerSource(mount: "navidrome", client: bench.client),
            folder: FolderSource(mount: "local", musicDirectory: folder.path + "/", reader: FixedReader()),
            observer: bench.recorder.observer, logger: bench.log.logger)
        let summary = try await sync.syncOnce()
        #expect(summary.added == 41)
        let uris = try await bench.library.allIDs().keys
        #expect(uris.filter { $0.hasPrefix("navidrome/") }.count == 40)
        #expect(uris.filter { $0.hasPrefix("local/") } == ["local/Own/1.flac"])
        // A walk of one source takes nothing from the other.
        bench.server.change { $0.remove(1) }
        try folder.write("Own/2.flac", "Two")
        let second = try await sync.syncOnce()
        #expect(second.added == 1 && second.removed == 1)
        await bench.stop()
    }

    @Test("a folder that a client mounts is scanned by its update, kept, and taken out again with its songs")
    func mounting() async throws {
        let state = try TemporaryFolder()
        let (root, stick) = (try TemporaryFolder(), try TemporaryFolder())
        try root.write("Own/1.flac", "One")
        try stick.write("Rock/2.flac", "Two")
        try stick.write("3.flac", "Three")
        let library = try Library(path: state.path + "/segue.db")
        let recorder = SyncRecorder()
        let sync = LibrarySync(
            library: library, server: nil,
            folder: FolderSource(mount: "", musicDirectory: root.path, reader: FixedReader()),
            mountReader: FixedReader(), observer: recorder.observer, logger: LogLines().logger)
        let service = Task { [sync] in await sync.run() }
        try await eventually("the folder's own song") { try await library.allIDs().count == 1 }
        try await sync.mount(stick.path, at: "usb", of: nil)
        _ = sync.startUpdate(uri: "usb", rescan: false)
        try await eventually("the mounted songs") {
            try await library.allIDs().keys.sorted() == ["Own/1.flac", "usb/3.flac", "usb/Rock/2.flac"]
        }
        #expect(try library.savedMounts().map { [$0.name, $0.uri] } == [["usb", stick.path]])
        let mounted = try await library.allIDs().filter { $0.key.hasPrefix("usb/") }.values
        #expect(try await sync.unmount("") == false)
        #expect(try await sync.unmount("other") == false)
        #expect(try await sync.unmount("usb"))
        #expect(try await library.allIDs().keys.sorted() == ["Own/1.flac"])
        #expect(recorder.now.removed.isSuperset(of: mounted))
        #expect(try library.savedMounts().isEmpty)
        _ = sync.startUpdate(uri: "usb", rescan: false)
        try await eventually("the empty job") { sync.runningJob == nil }
        #expect(try await library.allIDs().count == 1)
        service.cancel()
        await service.value
    }
}

private struct FixedReader: TagReading {
    func read(path: String) throws -> ScannedTags { ScannedTags(tags: [TagValue(.title, "Title")]) }
}

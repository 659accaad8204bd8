import LibraryIndex
@testable import Sync
import MusicModel
import Subsonic
import SyncBench
import Synchronization
import TestSupport
import Testing
import UserLibrary

@Suite("Navidrome's events and what replaces them")
struct EventTests {
    /// Only events, or looks at the scan status, can make anything appear.
    private static func settings(check: Duration) -> SyncSettings {
        var settings = ServerBench.settings
        settings.server.interval = .seconds(3_600)
        settings.scanCheckInterval = check
        settings.expectedChangeInterval = .milliseconds(10)
        return settings
    }

    /// Waits until the first sync is over and the events are heard.
    private func waitUntilIdle(_ bench: ServerBench, listeners: Int = 1) async throws {
        try await eventually("the first sync") { try await bench.isInStep() && bench.sync.runningJob == nil }
        try await eventually("the event stream") { bench.server.listenerCount == listeners }
        // Opening the stream makes the sync look once more.
        if listeners > 0 {
            try await eventually("the look after that") { bench.calls.filter { $0 == "getScanStatus" }.count >= 3 }
        }
        bench.recorder.reset()
        bench.server.forgetRequests()
    }

    @Test("ten changed songs appear when the server says so, long before the interval, with one database event")
    func changes() async throws {
        let bench = try await ServerBench(settings: Self.settings(check: .seconds(3_600)), hearsEvents: true)
        try await bench.whileRunning {
            try await waitUntilIdle(bench)
            let touched = bench.server.change { $0.touch(10) }
            try await eventually("the touched songs") { try await bench.isInStep() }
            try await eventually("the event") { !bench.recorder.now.subsystems.isEmpty }
            #expect(bench.recorder.now.updated.count == touched.count)
            bench.server.change { $0.add(3) }
            try await eventually("the new songs") { try await bench.isInStep() }
            try await eventually("both events") { bench.recorder.now.subsystems.count >= 2 }
            #expect(bench.recorder.now.subsystems == [.database, .database])
        }
    }

    @Test("a library that the user is given appears although no event tells of it")
    func rights() async throws {
        var settings = Self.settings(check: .milliseconds(20))
        settings.rightsCheckInterval = .milliseconds(50)
        let bench = try await ServerBench(settings: settings, hearsEvents: true)
        bench.server.edit(bench.server.songs[0].id) { $0.libraryID = 2 }
        try await bench.whileRunning {
            try await waitUntilIdle(bench)
            bench.server.libraries = [1, 2]
            try await eventually("its song") { try await bench.isInStep() }
            bench.server.libraries = [2]
            try await eventually("the other's end") { try await bench.isInStep() }
        }
    }

    @Test("a scan that found nothing raises no event and writes nothing")
    func nothing() async throws {
        let bench = try await ServerBench(settings: Self.settings(check: .seconds(3_600)), hearsEvents: true)
        try await bench.whileRunning {
            try await waitUntilIdle(bench)
            let before = try await bench.library.index.statistics()
            // Again and again: a scan during a look is part of that look.
            try await eventually("the walk") {
                bench.server.scan()
                return bench.calls.filter { $0 == "getScanStatus" }.count >= 2
            }
            #expect(bench.recorder.now.subsystems.isEmpty)
            #expect(try await bench.library.index.statistics() == before)
        }
    }

    @Test("what happens while the events are not heard arrives when they are heard again")
    func broken() async throws {
        let bench = try await ServerBench(settings: Self.settings(check: .seconds(3_600)), hearsEvents: true)
        try await bench.whileRunning {
            try await waitUntilIdle(bench)
            try await bench.server.setFaults(FakeFault(.refuse))
            try await eventually("the broken stream") { bench.server.listenerCount == 0 }
            bench.server.change { $0.remove(5) }
            try await bench.server.setFaults()
            try await eventually("the lost songs") { try await bench.isInStep() }
            try await eventually("the stream again") { bench.server.listenerCount == 1 }
        }
    }

    @Test("streams that end at once don't have everything looked at again, until one brings an event")
    func shortStreams() async throws {
        let bench = try await ServerBench(
            songs: 60, settings: Self.settings(check: .seconds(3_600)), hearsEvents: true)
        func heard() -> Int { bench.log.all.count { $0.contains("receiving the server's events") } }
        try await bench.whileRunning {
            try await waitUntilIdle(bench)
            for attempt in 1...6 {
                // Closes every connection, and faults nothing after that.
                try await bench.server.setFaults(FakeFault(.down, count: 0))
                try await eventually("the stream again") {
                    bench.server.requests.count { $0.path == "/api/events" } >= attempt
                        && bench.server.listenerCount == 1
                }
            }
            #expect(heard() <= 2)
            let before = heard()
            try await eventually("a stream that brings an event") {
                bench.server.scan()
                return heard() > before
            }
            bench.server.change { $0.touch(10) }
            try await eventually("the touched songs") { try await bench.isInStep() }
        }
    }

    @Test("lost events delay a change until the interval, and no longer")
    func lost() async throws {
        var settings = Self.settings(check: .seconds(3_600))
        settings.server.interval = .milliseconds(200)
        let bench = try await ServerBench(songs: 120, settings: settings, hearsEvents: true)
        try await bench.whileRunning {
            try await waitUntilIdle(bench)
            bench.server.losesEvents = true
            bench.server.change { $0.touch(10) }
            try await eventually("the touched songs") { try await bench.isInStep() }
        }
    }

    @Test("without events small looks at the scan status notice a change before the interval")
    func polling() async throws {
        let bench = try await ServerBench(settings: Self.settings(check: .milliseconds(20)))
        try await bench.whileRunning {
            try await waitUntilIdle(bench, listeners: 0)
            try await eventually("some looks") { bench.calls.count > 5 }
            #expect(Set(bench.calls) == ["getScanStatus", "getMusicFolders"], "nothing else is asked for")
            bench.server.change { $0.touch(10) }
            try await eventually("the touched songs") { try await bench.isInStep() }
            try await eventually("the event") { bench.recorder.now.subsystems == [.database] }
        }
    }

    @Test("a scan that runs is waited for, and its result comes at once")
    func scanning() async throws {
        let bench = try await ServerBench(settings: Self.settings(check: .milliseconds(20)), hearsEvents: true)
        try await bench.whileRunning {
            try await waitUntilIdle(bench)
            bench.server.isScanning = true
            bench.server.announce("scanStatus", #"{"scanning":true,"count":1}"#)
            bench.server.losesEvents = true
            bench.server.change { $0.touch(10) }
            bench.server.losesEvents = false
            bench.server.announce("refreshResource", #"{"*":"*"}"#)
            try await eventually("looks that find a scan") { bench.calls.filter { $0 == "getScanStatus" }.count > 3 }
            #expect(!bench.calls.contains("search3"))
            bench.server.isScanning = false
            bench.server.announce("scanStatus", #"{"scanning":false,"count":420}"#)
            try await eventually("the touched songs") { try await bench.isInStep() }
        }
    }

    @Test("a server without events is looked at in intervals, and not asked for events again")
    func otherServer() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        var settings = Self.settings(check: .milliseconds(20))
        settings.server.interval = .milliseconds(20)
        let bench = try await ServerBench(songs: 60, options: options, settings: settings, hearsEvents: true)
        try await bench.whileRunning {
            try await eventually("the attempt") { bench.log.all.contains { $0.contains("no event stream") } }
            #expect(bench.server.requests.contains { $0.path == "/auth/login" })
            // A request that a busy machine cuts off is sent once more; what it tells is final.
            let seen = bench.server.requests.count
            try await eventually("more looks") { bench.server.requests.count > seen + 20 }
            #expect(!bench.server.requests.dropFirst(seen).contains { $0.path == "/auth/login" })
            #expect(bench.log.all.filter { $0.contains("no event stream") }.count == 1)
        }
    }

    @Test("a credential that is stored while the server refuses the old one is taken without a restart")
    func newCredential() async throws {
        var settings = ServerBench.settings
        settings.server.interval = .seconds(3_600)
        let stored = Mutex<SubsonicSettings.Credential?>(nil)
        let bench = try await ServerBench(
            songs: 60, settings: settings, storedCredential: { stored.withLock { $0 } })
        try await bench.client.use(.token(salt: "abcdef", token: "wrong"))
        try await bench.whileRunning {
            try await eventually("the refusal") { await bench.sync.connectionStatus == .authFailed }
            let sentence = try #require(bench.recorder.now.sentences.last)
            #expect(sentence.contains("does not accept the password; run `segue login http://127.0.0.1:"))
            stored.withLock { $0 = SubsonicSettings.makeToken(password: "secret") }
            try await eventually("the return") { await bench.sync.connectionStatus == .connected }
            #expect(try await bench.isInStep())
        }
    }
}

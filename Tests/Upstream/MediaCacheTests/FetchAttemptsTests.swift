import Foundation
import Playback
import Subsonic
import TestSupport
import Testing

@testable import MediaCache

@Suite("Attempts to fetch a song")
struct FetchAttemptsTests {
    @Test("three from the first byte that get no further than one before are enough")
    func inVain() {
        var attempts = FetchAttempts(reached: 0)
        var progress: [Bool] = []
        for place: Int64 in [200, 0, 200, 100] {
            attempts.begin()
            attempts.connected(at: 0)
            progress.append(attempts.ended(at: place))
        }
        #expect(progress == [true, false, false, false])
        #expect(attempts.areHopeless)
    }

    @Test("those that go on where one broke, or reach no server, may be as many as it takes")
    func patient() {
        var attempts = FetchAttempts(reached: 0)
        attempts.begin()
        attempts.connected(at: 0)
        var progress = [attempts.ended(at: 200)]
        for _ in 1...50 {
            attempts.begin()
            progress.append(attempts.ended(at: 200))
            attempts.begin()
            attempts.connected(at: 200)
            progress.append(attempts.ended(at: 200))
        }
        #expect(progress.count { $0 } == 1)
        #expect(!attempts.areHopeless)
    }

    @Test("one that gets further than all before it makes good for those")
    func further() {
        var attempts = FetchAttempts(reached: 100)
        for place: Int64 in [50, 100, 101, 60, 101] {
            attempts.begin()
            attempts.connected(at: 0)
            _ = attempts.ended(at: place)
        }
        #expect(!attempts.areHopeless)
    }

    @Test("a song of which a server announces more than it sends, each time from its beginning, is given up")
    func neverWhole() async throws {
        var options = FakeOptions()
        options.ignoresRanges = true
        try await CacheHarness.run(options: options) { harness in
            try await harness.server.setFaults(FakeFault(.cut(after: 200_000), match: "stream"))
            let file = try await harness.cache().open(song(1))
            let wasWhole = await isWhole(file)
            #expect(!wasWhole)
            #expect(file.current.failure == FetchAttempts.problem)
            #expect(harness.streamRequests(1).count >= 4)
            #expect(await eventually { harness.files.isEmpty })
        }
    }

    @Test("a song that is another file each time it is asked for is given up")
    func changesForEver() async throws {
        try await CacheHarness.run { harness in
            let fetching = try LastByteTests.Fetching(harness)
            defer { close(fetching.file) }
            try await harness.server.setFaults(FakeFault(.cut(after: 200_000), match: "stream"))
            let id = harness.server.songs[0].id
            let error = await #expect(throws: TrackError.self) {
                try await fetching.fetcher(harness) {
                    // It is asked with each piece that comes.
                    harness.server.edit(id) { $0.soundMilliseconds = ($0.soundMilliseconds ?? 3000) + 10 }
                    return true
                }.run()
            }
            #expect(error?.message == FetchAttempts.problem)
        }
    }

    @Test("a song that has to begin anew is not handed out before it has")
    func beginsAnew() async throws {
        try await CacheHarness.run { harness in
            let fetching = try LastByteTests.Fetching(harness)
            defer { close(fetching.file) }
            let download = fetching.download
            download.begin(total: 5, version: nil)
            download.advance(by: 2)
            let isEmpty = download.startOver()
            #expect(isEmpty)
            #expect(!download.hasBegun)
        }
    }
}

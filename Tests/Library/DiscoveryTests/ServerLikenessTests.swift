import Discovery
import Foundation
import LibraryIndex
import LibrarySamples
import Logging
import MusicModel
import Synchronization
import TestSupport
import Testing
import UserLibrary

@Suite("What the server finds alike", .timeLimit(.minutes(1)))
final class ServerLikenessTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "likeness-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "segue.db").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A server whose answers are counted.
    private final class Server: Sendable {
        struct Away: Error {}
        let asked = Mutex<[SongID]>([])
        let isAway: Bool

        init(isAway: Bool = false) { self.isAway = isAway }

        func answer(_ song: SongID) throws -> [SongID: Float] {
            asked.withLock { $0.append(song) }
            if isAway { throw Away() }
            return [SongID(rawValue: song.rawValue + 100): 0.5]
        }
    }

    private func song(_ number: Int64) -> SongID { SongID(rawValue: number) }

    private func likeness(_ server: Server) throws -> ServerLikeness {
        ServerLikeness(
            { try server.answer($0) }, library: try Library(path: path), pause: .zero, log: Logger(label: "test"))
    }

    @Test("nothing is known at first, each song is asked for once, and then it is known")
    func once() async throws {
        let server = Server()
        let likeness = try likeness(server)
        let (stream, told) = AsyncStream<Void>.makeStream()
        let before = await likeness.related(to: [song(1)]) { told.yield() }
        #expect(before.isEmpty)
        for await _ in stream { break }
        for _ in 0..<3 { #expect(await likeness.related(to: [song(1)]) == [song(101): 0.5]) }
        #expect(server.asked.withLock { $0 } == [song(1)])
        let first = await likeness.related(to: [song(1), song(2)]) { told.yield() }
        #expect(first == [song(101): 0.5])
        for await _ in stream { break }
        #expect(await likeness.related(to: [song(1), song(2)]).count == 2)
    }

    @Test("an answer is known for a day, also behind a restart, and a failure is none")
    func restart() async throws {
        /// The songs like one, once they are known, to a program that begins then; and how many were asked for.
        func related(to number: Int64, at now: Int64, isAway: Bool = false) async throws -> (songs: Int, asked: Int) {
            let library = try Library(path: path)
            let server = Server(isAway: isAway)
            let likeness = ServerLikeness(
                { try server.answer($0) }, library: library, pause: .zero, now: { now }, log: Logger(label: "test"))
            var found: [SongID: Float] = [:]
            try await eventually("an answer") {
                found = await likeness.related(to: [song(number)])
                return !found.isEmpty || isAway && server.asked.withLock { !$0.isEmpty }
            }
            try library.close()
            return (found.count, server.asked.withLock { $0.count })
        }
        let now: Int64 = 1_790_000_000
        #expect(try await related(to: 1, at: now) == (1, 1))
        #expect(try await related(to: 1, at: now + 86_000) == (1, 0))
        #expect(try await related(to: 2, at: now + 86_000, isAway: true) == (0, 1))
        #expect(try await related(to: 2, at: now + 86_000) == (1, 1), "a failure is not kept")
        #expect(try await related(to: 1, at: now + 86_400) == (1, 1), "a day later it is asked for again")
        #expect(try await related(to: 1, at: now - 5) == (1, 1), "nothing is known by a clock that went back")
    }

    @Test("a server that fails is not asked again, neither for that song nor for another")
    func failure() async throws {
        let server = Server(isAway: true)
        let likeness = try likeness(server)
        while server.asked.withLock({ $0.isEmpty }) {
            #expect(await likeness.related(to: [song(1)]).isEmpty)
            await Task.yield()
        }
        for number in 0..<100 {
            #expect(await likeness.related(to: [song(Int64(number % 3 + 1)), song(9)]).isEmpty)
            await Task.yield()
        }
        #expect(server.asked.withLock { $0.count } == 1)
    }
}

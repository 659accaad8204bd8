import Discovery
import Logging
import MusicModel
import Synchronization
import Testing

@Suite("What the server finds alike", .timeLimit(.minutes(1)))
struct ServerLikenessTests {
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

    private func likeness(_ server: Server) -> ServerLikeness {
        ServerLikeness({ try server.answer($0) }, pause: .zero, log: Logger(label: "test"))
    }

    @Test("nothing is known at first, each song is asked for once, and then it is known")
    func once() async throws {
        let server = Server()
        let likeness = likeness(server)
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

    @Test("a server that fails is not asked again, neither for that song nor for another")
    func failure() async throws {
        let server = Server(isAway: true)
        let likeness = likeness(server)
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

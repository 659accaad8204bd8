import NIOCore
import ServerLoop
import Synchronization
import TestSupport
import Testing

@testable import MPDCommands

@Suite("Pictures")
struct PictureTests {
    private let song = "\"Anna Ärger/Blau/01 - Himmel.flac\""

    @Test("All chunks of a transfer come from the same bytes, though the picture changes meanwhile")
    func pinned() async throws {
        let desk = try await Desk()
        desk.pictures.setChanges()
        _ = await desk.ask("binarylimit 200")
        let first = await desk.ask("albumart \(song) 0")
        let second = await desk.ask("albumart \(song) 200")
        let third = await desk.ask("albumart \(song) 400")
        #expect(first.first == "size: 512" && second.first == "size: 512" && third[1] == "binary: 112")
        #expect(first[2].hasPrefix("0102") && second[2].hasPrefix("c9ca") && third[2].hasPrefix("9192"))
        #expect(await desk.ask("albumart \(song) 512") == ["size: 512", "binary: 0", "", "OK"])
        #expect(desk.pictures.fetches == 1)
        #expect(await desk.ask("albumart \(song) 0")[2].hasPrefix("0203"), "a new transfer sees the new picture")
        try await desk.close()
    }

    @Test("A folder's own URI is taken, with and without a slash")
    func folders() async throws {
        let desk = try await Desk()
        for uri in ["Anna Ärger/Blau/", "Anna Ärger/Blau", "Anna Ärger/Blau/gone.flac"] {
            #expect(await desk.ask("albumart \"\(uri)\" 510") == ["size: 512", "binary: 2", "feff", "OK"])
        }
        #expect(await desk.ask("albumart \"Bob/\" 0") == ["ACK [50@0] {albumart} No file exists"])
        #expect(await desk.ask("albumart \"Bob//\" 0") == ["ACK [2@0] {albumart} Bad relative path"])
        #expect(await desk.ask("albumart \"http://example.org/a\" 0") == ["ACK [50@0] {albumart} No file exists"])
        try await desk.close()
    }

    @Test("readpicture tells the type, and is silent without a picture")
    func types() async throws {
        let desk = try await Desk()
        _ = await desk.ask("binarylimit 64")
        let answer = await desk.ask("readpicture \"Café/Straße.flac\" 0")
        #expect(answer.prefix(3) == ["size: 512", "type: image/jpeg", "binary: 64"])
        #expect(
            await desk.ask("readpicture \"Café/Straße.flac\" 512") == [
                "size: 512", "type: image/jpeg", "binary: 0", "", "OK",
            ])
        #expect(await desk.ask("readpicture \"Café/Straße.flac\" 513") == ["ACK [2@0] {readpicture} Bad file offset"])
        #expect(await desk.ask("readpicture root.flac 0") == ["OK"])
        #expect(await desk.ask("readpicture \"http://example.org/a\" 0") == ["OK"])
        try await desk.close()
    }

    @Test("Clients that fetch the same picture share it, and all pictures together have a limit")
    @ServerActor
    func shared() async throws {
        let transfers = PictureTransfers(life: .seconds(3600), capacity: 1000)
        func picture(_ number: UInt8, _ size: Int = 400) async throws -> Picture? {
            try await transfers.fetch("\(number)") { ([UInt8](repeating: number, count: size), nil, nil) }
        }
        let first = try await picture(1)
        #expect(try await picture(1) === first)
        #expect(transfers.size == 400)
        for number in UInt8(2)...10 { _ = try await picture(number) }
        #expect(transfers.size == 800)
        _ = try await picture(11, 5000)
        #expect(transfers.size == 5000)
    }

    @Test("A picture that is fetched again is compared beside the loop")
    @ServerActor
    func compared() async throws {
        let onLoop = Mutex<[Bool]>([])
        let transfers = PictureTransfers { one, other in
            onLoop.withLock { $0.append(ServerActor.eventLoop.inEventLoop) }
            return one == other
        }
        func fetch(_ last: UInt8) async throws -> Picture? { try await transfers.fetch("x") { ([7, last], nil, nil) } }
        let first = try await fetch(1)
        #expect(try await fetch(1) === first && transfers.size == 2)
        #expect(try await fetch(2) !== first && transfers.size == 4)
        #expect(onLoop.withLock { $0 } == [false, false])
    }

    @Test("A picture that is no longer fetched is given up")
    @ServerActor
    func life() async throws {
        let transfers = PictureTransfers(life: .milliseconds(20))
        #expect(try await transfers.fetch("x") { ([1, 2, 3], nil, nil) }?.bytes == [1, 2, 3])
        try await eventually("its end") { @ServerActor in transfers.size == 0 }
    }

    @Test("A picture that is on its way is fetched once, and no longer than a client waits for it")
    @ServerActor
    func onItsWay() async throws {
        let transfers = PictureTransfers()
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = Atomic(false)
        let fetch: @ServerActor @Sendable () async throws -> FoundCover? = {
            start.yield()
            do { try await Task.sleep(for: .seconds(3600)) } catch { isCancelled.store(true, ordering: .relaxed) }
            try Task.checkCancellation()
            return nil
        }
        let first = Task { @ServerActor in try await transfers.fetch("x", fetch) }
        let second = Task { @ServerActor in try await transfers.fetch("x", fetch) }
        for await _ in starts { break }
        first.cancel()
        // Behind what the cancellation has the loop do.
        await withCheckedContinuation { continuation in ServerActor.after(.zero) { continuation.resume() } }
        let isEarly = isCancelled.load(ordering: .relaxed)
        #expect(!isEarly)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await #expect(throws: CancellationError.self) { try await second.value }
        start.finish()
        var more = 0
        for await _ in starts { more += 1 }
        #expect(more == 0)
    }

    @Test("albumart and readpicture of one song don't take each other's bytes")
    func apart() async throws {
        let desk = try await Desk()
        _ = await desk.ask("binarylimit 64")
        _ = await desk.ask("readpicture \"Café/Straße.flac\" 0")
        #expect(await desk.ask("albumart \"Café/Straße.flac\" 64") == ["ACK [50@0] {albumart} No file exists"])
        try await desk.close()
    }
}

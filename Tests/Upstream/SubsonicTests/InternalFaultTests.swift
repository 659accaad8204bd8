import TestSupport
import Testing

@testable import Subsonic

@Suite("Faults of the server that come with code 0")
struct InternalFaultTests {
    private static let calls: [@Sendable (SubsonicClient) async throws -> Void] = [
        { _ = try await $0.ping() },
        { _ = try await $0.extensions() },
        { _ = try await $0.scanStatus() },
        { _ = try await $0.songs(offset: 0, count: 5) },
        { _ = try await $0.starred() },
        { _ = try await $0.radioStations() },
        { _ = try await $0.bookmarks() },
        { _ = try await $0.lyrics(songID: "a") },
        { _ = try await $0.lyrics(artist: "a", title: "b") },
        { _ = try await $0.similarArtists(id: "a", count: 5) },
        { _ = try await $0.topSongs(artist: "a", count: 5) },
        { _ = try await $0.coverArt(id: "a", size: 60) },
        { _ = try await $0.placeholderArt(size: 60) },
        { _ = try await $0.stream(id: "a") },
        { try await $0.setRating(3, of: "a") },
    ]

    @Test("an internal fault is a failure of the server that passes, and no call takes it for an absence")
    func internalFaults() async throws {
        try await withServer(retries: 0) { server, client in
            try await server.setFaults(FakeFault(.internalError))
            for (place, call) in Self.calls.enumerated() {
                let error = await failure { try await call(client) }
                #expect(error?.code == .server(status: 500), "call \(place)")
                #expect(error?.isTransient == true && error?.isAbsence == false)
                #expect(error?.message.contains("database is locked") == true)
            }
        }
    }

    @Test(
        "other messages of internal faults are understood, too",
        arguments: ["Internal error", "internal error", "Internal Server Error: disk I/O error"])
    func messages(text: String) async throws {
        try await withServer(retries: 0) { server, client in
            server.setAnswer(of: "getBookmarks", Self.refusal(text))
            let error = await failure { _ = try await client.bookmarks() }
            #expect(error?.code == .server(status: 500))
        }
    }

    @Test("an internal fault is tried again, with pauses")
    func retried() async throws {
        try await withServer { server, client in
            _ = try await client.ping()
            server.forgetRequests()
            try await server.setFaults(FakeFault(.internalError, count: 2))
            #expect(try await client.radioStations() == [])
            #expect(server.requests.count == 3)
        }
    }

    @Test("a call is absent only where the server says that it doesn't know it")
    func absence() async throws {
        try await withServer(retries: 0) { server, client in
            for text in ["Unknown method", "Not supported by this server"] {
                server.setAnswer(of: "getInternetRadioStations", Self.refusal(text))
                let stations = try await client.radioStations()
                #expect(stations == nil)
            }
            server.setAnswer(of: "getInternetRadioStations", Self.refusal("unknown error"))
            let error = await failure { _ = try await client.radioStations() }
            #expect(error?.code == .refused(code: 0) && error?.isAbsence == false)
        }
    }

    @Test("a song whose file is gone fails at once, and is not asked for again")
    func goneFile() async throws {
        try await withServer { server, client in
            _ = try await client.ping()
            let gone = server.change { $0.remove(1) }
            server.forgetRequests()
            let error = await failure { _ = try await client.stream(id: gone[0]) }
            #expect(error?.isTransient == false)
            #expect(server.requests.count == 1)
        }
    }

    private static func refusal(_ message: String) -> [UInt8] {
        Array(#"{"subsonic-response":{"status":"failed","error":{"code":0,"message":"\#(message)"}}}"#.utf8)
    }
}

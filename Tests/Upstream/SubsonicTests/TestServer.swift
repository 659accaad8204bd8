import Foundation
import Subsonic
import TestSupport

/// Longer than answers take on a machine that builds beside the tests.
let longTimeouts = SubsonicSettings.Timeouts(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600))

/// Settings for a fake server, with pauses too short to be noticed.
///
/// - Parameter patience: how long it waits for answers.
func settings(
    _ server: FakeNavidrome, password: String = "secret", retries: Int = 2, patience: Duration = .seconds(600)
) -> SubsonicSettings {
    SubsonicSettings(
        url: server.url, username: "admin", credential: .password(password),
        timeouts: .init(connect: .seconds(600), answer: patience, idle: patience),
        retries: .init(count: retries, firstDelay: .milliseconds(1), maxDelay: .milliseconds(20)))
}

/// Runs a test with a fake server and a client of it, and ends both.
func withServer(
    songs: Int = 30, options: FakeOptions = FakeOptions(), retries: Int = 2, patience: Duration = .seconds(600),
    _ body: (FakeNavidrome, SubsonicClient) async throws -> Void
) async throws {
    let server = try await FakeNavidrome.start(songs: songs, options: options)
    try await withClient(settings(server, retries: retries, patience: patience)) { client in
        try await body(server, client)
    }
    await server.stop()
}

/// Runs a test with a client, and ends it.
func withClient(
    _ settings: SubsonicSettings, log: LogLines = LogLines(), _ body: (SubsonicClient) async throws -> Void
) async throws {
    let client = SubsonicClient(settings, log: log.logger)
    do {
        try await body(client)
    } catch {
        await client.shutDown()
        throw error
    }
    await client.shutDown()
}

/// A recorded answer.
func fixture(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return Array(try Data(contentsOf: folder.appending(path: "\(name).json")))
}

/// The error that a call ends with; nil if it ends well.
func failure(_ body: () async throws -> Void) async -> SubsonicError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? SubsonicError
    }
}

import Foundation
import InProcessServer
import LibraryIndex
import MPDCommands
import MPDProtocol
import MusicModel
import NIOCore
import Playback
import ServerLoop
import TestSupport
import Testing
import UserLibrary

@testable import MPDSessions

/// A server with the test commands on a port of its own.
@ServerActor
final class TestServer {
    let server: MPDServer
    let hub: IdleHub
    /// The only partition at first.
    let partition: Partition
    let address: SocketAddress

    private init(server: MPDServer, hub: IdleHub, partition: Partition, address: SocketAddress) {
        self.server = server
        self.hub = hub
        self.partition = partition
        self.address = address
    }

    /// Runs `body` against a server and stops it.
    nonisolated static func with(
        _ addresses: [ListenerAddress] = [.tcp(host: "127.0.0.1", port: 0)],
        _ change: (inout MPDServerOptions) -> Void = { _ in }, _ body: (TestServer) async throws -> Void
    ) async throws {
        var options = MPDServerOptions()
        change(&options)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("segue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Library(path: folder.appendingPathComponent("segue.db").path)
        defer { try? library.close() }
        let server = try await start(library, addresses, options)
        do {
            try await body(server)
        } catch {
            await server.server.shutDown()
            throw error
        }
        await server.server.shutDown()
    }

    private static func start(
        _ library: Library, _ addresses: [ListenerAddress], _ options: MPDServerOptions
    ) async throws -> TestServer {
        let hub = IdleHub()
        let player = Player(engine: SilentEngine(), provider: nil) { _ in }
        let partition = Partition(name: "default", player: player)
        let context = ServerContext(
            ServerParts(library: library, updating: NoUpdates(), pictures: NoPictures()),
            partitions: [partition], clients: hub)
        let server = MPDServer(
            context: context, hub: hub, commands: testCommands, options: options)
        try await server.listen(on: addresses)
        let address = try #require(server.boundAddresses.first)
        return TestServer(server: server, hub: hub, partition: partition, address: address)
    }

    /// How many clients are connected.
    var clientCount: Int { server.clientCount }

    /// Waits until so many clients are connected.
    func waitForClients(_ count: Int) async throws {
        try await eventually("\(count) clients") { @ServerActor in server.clientCount == count }
    }

    /// Waits until so many clients wait in `idle`.
    func waitForIdle(_ count: Int = 1) async throws {
        try await eventually("\(count) in idle") { @ServerActor in hub.connected.count { $0.idleMask != nil } == count }
    }

    /// Waits until so many bytes of command lists have come.
    func waitForLists(_ size: Int) async throws {
        try await eventually("\(size) bytes of lists") { @ServerActor in server.listMemory == size }
    }
}

private final class NoUpdates: LibraryUpdating {
    var runningJob: Int? { nil }

    func startUpdate(uri: String, rescan: Bool) -> Int? { 1 }
}

private final class NoPictures: PictureProviding {
    func albumArt(for uri: String) async throws -> FoundCover? { nil }

    func cover(inFolder path: String) async throws -> FoundCover? { nil }

    func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? { nil }
}

/// An engine that plays nothing.
private final class SilentEngine: StillEngine {
    let events = AsyncStream<AudioEngineEvent> { $0.finish() }

    func start(_ track: EngineTrack, at position: Duration, paused: Bool) {}
}

import Foundation
import LibraryIndex
import MPDProtocol
import MusicModel
import NIOCore
import Playback
import ServerLoop
import TestSupport
import Testing
import UserLibrary

@testable import MPDCommands

/// A server without sockets: request lines in, answer lines out.
@ServerActor
final class Desk {
    private(set) var context: ServerContext
    let client: ClientState
    let engine: SilentEngine
    let updating = NumberedUpdates()
    let partitions = SilentPartitions()
    let pictures = FolderPictures()
    private let folder: URL
    let clients = NotedClients()
    private var playing: Task<Void, Never>?

    /// Opens a fresh library with `songs`.
    init(
        songs: [IndexedSong] = FixtureSongs.all, permission: Permission = .everything, isLocal: Bool = false,
        user: UInt32 = 0
    )
        async throws
    {
        folder = FileManager.default.temporaryDirectory.appending(path: "commands-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let library = try Library(path: folder.appending(path: "segue.db").path)
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: songs))
        engine = SilentEngine()
        let clients = clients
        let player = Player(engine: engine, provider: nil, clock: VirtualClock()) { clients.events.append($0) }
        let partition = Partition(name: "default", player: player)
        var parts = ServerParts(library: library, updating: updating, pictures: pictures)
        parts.partitionHost = partitions
        context = ServerContext(parts, partitions: [partition], clients: clients)
        client = ClientState(
            permission: permission, partition: partition, isLocal: isLocal, peer: isLocal ? .localUser(user) : .unknown)
        playing = Task { @ServerActor in await player.run() }
    }

    /// Puts the server together anew, with something that it did not have.
    func reassemble(_ change: @Sendable (inout ServerParts, inout ServerFacts) -> Void) {
        var (parts, facts) = (context.parts, context.facts)
        change(&parts, &facts)
        context = ServerContext(parts, facts: facts, partitions: context.partitions, clients: clients)
    }

    /// Ends the player and removes the database.
    func close() throws {
        playing?.cancel()
        try context.library.close()
        try FileManager.default.removeItem(at: folder)
    }

    /// Another client of the same partition.
    func newClient(permission: Permission = .everything) -> ClientState {
        ClientState(permission: permission, partition: client.partition, isLocal: false)
    }

    /// What clients were told since the last call.
    func takeEvents() -> Subsystem {
        defer { clients.events = [] }
        return clients.events.reduce(into: []) { $0.formUnion($1) }
    }

    /// Sends a line and returns the lines of its answer; binary chunks are in hexadecimal digits.
    func ask(_ line: String, as client: ClientState? = nil) async -> [String] {
        let sink = CollectingSink()
        var response = ResponseWriter(sink: sink)
        do {
            try await run(line, client: client ?? self.client, response: &response)
            response.ok()
        } catch let refusal as Refusal {
            response.ack(refusal.ack, index: 0, command: refusal.command)
        } catch {
            Issue.record(error)
        }
        sink.bytes.writeImmutableBuffer(response.buffer)
        return Self.lines(of: sink.bytes)
    }

    private struct Refusal: Error {
        var ack: AckError
        var command: String
    }

    private func run(_ line: String, client: ClientState, response: inout ResponseWriter) async throws {
        let words = try Tokenizer.split(ArraySlice(line.utf8))
        guard let command = CommandTable.byName[words.name] else {
            throw Refusal(ack: AckError(.unknown, "unknown command \"\(words.name)\""), command: "")
        }
        do {
            let context = CommandContext(server: context, client: client)
            try await command.action(words.arguments, permission: client.permission)
                .run(in: context, response: &response)
        } catch {
            throw Refusal(ack: AckError.mapping(error), command: command.name)
        }
    }

    private static func lines(of bytes: ByteBuffer) -> [String] {
        var rest = bytes.readableBytesView[...]
        var lines: [String] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            lines.append(line)
            rest = rest[(end + 1)...]
            if line.hasPrefix("binary: "), let count = Int(line.dropFirst(8)) {
                let digits = rest.prefix(count).map { byte in
                    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
                }
                lines.append(digits.joined())
                rest = rest.dropFirst(count + 1)
            }
        }
        return lines
    }
}

/// Keeps what a writer hands on.
private final class CollectingSink: ResponseSink {
    var bytes = ByteBuffer()

    func send(_ bytes: ByteBuffer) async throws { self.bytes.writeImmutableBuffer(bytes) }
}

import MPDCommands
import MPDProtocol
import NIOCore
import Playback
import WebServer

/// An open page, which gets changes and sends commands, or a script that only follows events.
final class PageSocket: SocketOwner {
    private let request: APIRequest
    private let partition: Partition
    private let messages: AsyncStream<ByteBuffer>
    private let incoming: AsyncStream<ByteBuffer>.Continuation

    private static let maxWaiting = 64

    init(_ request: APIRequest, _ partition: Partition) {
        (self.request, self.partition) = (request, partition)
        (messages, incoming) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maxWaiting))
    }

    func opened(_ socket: MessageSocket) {
        let (request, partition, messages) = (request, partition, messages)
        Task { await request.api.feed.add(socket, request.client, partition) }
        Task { for await message in messages { await Self.carryOut(message, request, partition, socket) } }
    }

    func received(_ message: ByteBuffer, on socket: MessageSocket) {
        // A client that sends faster than commands run is disconnected.
        if case .dropped = incoming.yield(message) { socket.close() }
    }

    func closed(_ socket: MessageSocket) {
        incoming.finish()
        let feed = request.api.feed
        Task { await feed.remove(socket) }
    }

    @concurrent
    private static func carryOut(
        _ message: ByteBuffer, _ request: APIRequest, _ partition: Partition, _ socket: MessageSocket
    ) async {
        guard await request.client.isWelcome(request.api.parts) else { return socket.close() }
        var id: JSONValue?
        do {
            let value = try JSONValue(message)
            id = value["id"]
            switch value["type"]?.text {
            case "ping": return socket.post(ByteBuffer(string: "{\"type\":\"pong\"}"), replacing: "pong")
            case "resync":
                try await request.api.check(partition)
                return await request.api.feed.add(socket, request.client, partition)
            default: break
            }
            let commands = try CommandsResource.commands(value["mpd"])
            try await request.api.check(partition)
            let answers = try await request.run(commands, in: partition)
            socket.post(answer(id) { CommandsResource.write(answers, to: &$0) })
        } catch {
            let refusal = APIError(error)
            socket.post(answer(id) { json in json.object("error") { refusal.write(to: &$0) } })
        }
    }

    private static func answer(_ id: JSONValue?, _ body: (inout JSONWriter) -> Void) -> ByteBuffer {
        var json = JSONWriter()
        json.object { json in
            switch id {
            case .text(let text): json.field("id", text)
            case .number(let number): json.field("id", number)
            default: json.field("id", String?.none)
            }
            body(&json)
        }
        return json.buffer
    }
}

import MPDCommands
import MPDProtocol
import NIOCore
import NIOHTTP1
import ServerLoop

/// Runs MPD's commands for clients of the HTTP interface: the same types and the same permissions as on MPD's port.
struct CommandRunner: Sendable {
    /// The answer to one command.
    struct Answer: Sendable {
        /// Keys and values in their order.
        var pairs: [(key: String, value: String)] = []
        /// Bytes of an answer, such as a picture.
        var binary: ByteBuffer?
    }

    private let context: ServerContext
    private let entries: [String: CommandEntry]
    /// How long the commands of all pages together may hold the loop.
    private let loopShare: LoopShare

    /// How many commands a request may have.
    static let limit = 10_000
    /// How large all answers of a request may be together, in bytes.
    static let answerLimit = 8 << 20
    /// Commands that need a connection of their own to make sense, with their replacements.
    private static let refused = [
        "idle": "Use /api/socket or /api/events for changes.", "close": "There is nothing to close.",
        "password": "Use /api/session to sign in.", "subscribe": "Subscriptions need MPD's own port.",
        "unsubscribe": "Subscriptions need MPD's own port.", "readmessages": "Subscriptions need MPD's own port.",
    ]

    /// Runs commands of the table on the server's state.
    @ServerActor
    init(_ context: ServerContext) {
        self.context = context
        loopShare = LoopShare()
        entries = Dictionary(uniqueKeysWithValues: CommandTable.entries.map { ($0.name, $0) })
    }

    /// Runs commands one after the other; the first that fails ends it, as in a command list.
    ///
    /// - Throws: `APIError` with the command's error, and the place of the command as `field`.
    /// - Isolation: ServerActor; suspends like the commands.
    @ServerActor
    func run(_ commands: [[String]], as client: ClientState) async throws(APIError) -> [Answer] {
        guard commands.count <= Self.limit else {
            throw APIError(.payloadTooLarge, code: .playlistMax, "There are too many commands.")
        }
        var answers: [Answer] = []
        let sink = CollectingSink(limit: Self.answerLimit)
        var slice = -1
        loopShare.begin(&slice)
        for (index, words) in commands.enumerated() {
            do {
                answers.append(try await run(words, index, client, sink))
                if loopShare.isOver { await loopShare.giveLoopBack() }
            } catch {
                var refusal = APIError(error)
                refusal.field = refusal.field ?? (commands.count > 1 ? "\(index)" : nil)
                throw refusal
            }
        }
        return answers
    }

    @ServerActor
    private func run(
        _ words: [String], _ index: Int, _ client: ClientState, _ sink: CollectingSink
    ) async throws -> Answer {
        guard let name = words.first else { throw APIError.wrong("\(index)", "A command has no name.") }
        if let advice = Self.refused[name] { throw APIError(.badRequest, code: .unknown, advice) }
        guard let entry = entries[name] else { throw AckError(.unknown, "unknown command \"\(name)\"") }
        guard !words.contains(where: { $0.utf8.contains { $0 == 0 || $0 == 10 } }) else {
            throw APIError.wrong("\(index)", "A word has a line end in it.")
        }
        guard entry.isAllowed(with: client.permission) else {
            throw APIError.forbidden(entry.permission.subtracting(client.permission), isSignedIn: true)
        }
        let command = try entry.command(Array(words.dropFirst()), permission: client.permission)
        var response = ResponseWriter(sink: sink)
        try await command.run(
            in: CommandContext(server: context, client: client, index: index), response: &response)
        try await response.flush()
        return Answer(sink.take())
    }
}

/// Keeps an answer in memory, up to a limit.
private final class CollectingSink: ResponseSink {
    private var collected = ByteBuffer()
    private var left: Int

    init(limit: Int) { left = limit }

    @ServerActor func send(_ bytes: ByteBuffer) async throws {
        left -= bytes.readableBytes
        guard left >= 0 else {
            throw APIError(
                .payloadTooLarge, code: .system, "The answer is too large; ask for a part of it, with a window.")
        }
        collected.writeImmutableBuffer(bytes)
    }

    /// The bytes collected since the last time.
    func take() -> ByteBuffer {
        defer { collected = ByteBuffer() }
        return collected
    }
}

extension CommandRunner.Answer {
    /// Takes an answer's lines apart.
    fileprivate init(_ answer: ByteBuffer) {
        var rest = answer.readableBytesView
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A }
            rest = rest.dropFirst(line.count + 1)
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let key = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[line.index(after: colon)...].dropFirst(), as: UTF8.self)
            guard key == "binary", let size = Int(value), size <= rest.count else {
                pairs.append((key, value))
                continue
            }
            binary = ByteBuffer(bytes: rest.prefix(size))
            rest = rest.dropFirst(size + 1)
        }
    }
}

import Coordination
import MPDCommands
import MPDProtocol
import MusicModel
import NIOCore
import NIOHTTP1
import ServerLoop

/// Runs MPD's commands for clients of the HTTP interface: the same types and the same permissions as on MPD's port.
struct CommandRunner: Sendable {
    typealias Answer = CollectedAnswer.Contents

    private let context: ServerContext
    private let loopShare: LoopShare

    static let limit = 10_000
    /// How large all answers of a request may be together, in bytes.
    static let answerLimit = 8 << 20
    /// An answer of more bytes is parsed off the event loop.
    private static let longAnswer = 16 << 10
    /// How much an answer takes as bytes, as keys and values, and in JSON, for each of its bytes.
    private static let memoryOfByte = 4
    /// Commands that make sense only on a connection, with their replacements.
    private static let refused = [
        "idle": "Use /api/socket or /api/events for changes.", "close": "There is nothing to close.",
        "password": "Use /api/session to sign in.", "subscribe": "Subscriptions need MPD's own port.",
        "unsubscribe": "Subscriptions need MPD's own port.", "readmessages": "Subscriptions need MPD's own port.",
    ]

    @ServerActor
    init(_ context: ServerContext) {
        self.context = context
        loopShare = LoopShare()
    }

    /// Runs commands one after the other; the first that fails ends it, as in a command list, and is the error's
    /// `field`. A collector takes the songs that commands add, in place of the queue.
    @ServerActor
    func run(
        _ commands: [[String]], as client: ClientState, collector: SongCollector? = nil
    ) async throws(APIError) -> [Answer] {
        guard commands.count <= Self.limit else {
            throw APIError(.payloadTooLarge, code: .playlistMax, "There are too many commands.")
        }
        var answers: [Answer] = []
        let sink = CollectedAnswer(
            limit: Self.answerLimit,
            refusal: APIError(
                .payloadTooLarge, code: .system, "The answer is too large; ask for a part of it, with a window.")
        ) { [budget = self.context.memoryBudget] bytes in
            try await budget.reserve(bytes.multipliedClamped(by: Self.memoryOfByte), for: "a long answer over HTTP")
        }
        // Memory stays set aside until the answers are keys and values.
        defer { withExtendedLifetime(sink) {} }
        var long: [(index: Int, bytes: ByteBuffer)] = []
        var slice = -1
        loopShare.begin(&slice)
        for (index, words) in commands.enumerated() {
            do {
                let context = CommandContext(server: context, client: client, index: index, collector: collector)
                let bytes = try await run(words, context, sink)
                let isLong = bytes.readableBytes > Self.longAnswer
                if isLong { long.append((answers.count, bytes)) }
                answers.append(Answer(isLong ? ByteBuffer() : bytes))
                if loopShare.isOver { await loopShare.giveLoopBack() }
            } catch {
                var refusal = APIError(error)
                refusal.field = refusal.field ?? (commands.count > 1 ? "\(index)" : nil)
                throw refusal
            }
        }
        // Nothing comes between short answers and the caller, which may rely on what the commands left.
        guard !long.isEmpty else { return answers }
        for (index, answer) in await Self.parsed(long) { answers[index] = answer }
        return answers
    }

    @concurrent
    private static func parsed(_ answers: [(index: Int, bytes: ByteBuffer)]) async -> [(index: Int, Answer)] {
        answers.map { ($0.index, Answer($0.bytes)) }
    }

    @ServerActor
    private func run(_ words: [String], _ context: CommandContext, _ sink: CollectedAnswer) async throws -> ByteBuffer {
        let client = context.client
        guard let name = words.first else { throw APIError.wrong("\(context.index)", "A command has no name.") }
        if let advice = Self.refused[name] { throw APIError(.badRequest, code: .unknown, advice) }
        guard let command = CommandTable.byName[name] else { throw AckError(.unknown, "unknown command \"\(name)\"") }
        guard !words.contains(where: { $0.utf8.contains { $0 == 0 || $0 == 10 } }) else {
            throw APIError.wrong("\(context.index)", "A word has a line end in it.")
        }
        guard command.isAllowed(with: client.permission) else {
            throw APIError.forbidden(command.permission.subtracting(client.permission), isSignedIn: true)
        }
        let action = try command.action(Array(words.dropFirst()), permission: client.permission)
        var response = ResponseWriter(sink: sink)
        try await action.run(in: context, response: &response)
        try await response.flush()
        return sink.takeBytes()
    }
}

package import MPDProtocol
package import MusicModel
import ServerLoop

/// How a command ends if its client disconnects while it runs.
package enum ClientLoss: Hashable, Sendable {
    /// It is finished: an edit takes little time, and the client asked for it.
    case finishes
    /// It is cancelled unless it ends soon: an edit that has much to look up first. It changes all or nothing.
    case endsSoon
    /// It is cancelled: it only answers.
    case endsAtOnce
}

/// One command of the protocol: how it is called, what it needs, and what it does. A command is one declaration in the
/// file of its section plus its name in `CommandTable`. Permission checks, argument counts, the answers to `commands`
/// and `notcommands`, and the table in docs/protocol.md derive from what it declares.
package final class Command: Sendable {
    /// Runs within one turn of the event loop.
    package typealias ImmediateRun = @ServerActor @Sendable (CommandContext, inout ResponseWriter) throws -> Void
    /// Runs with pauses, and changes state only after the last of them.
    package typealias SuspendingRun = @ServerActor @Sendable (CommandContext, inout ResponseWriter) async throws -> Void

    /// A command with its arguments, ready to run. Runs answer without the closing `OK`, and throw for an ACK.
    package enum Action: Sendable {
        /// Answers from memory, inside the read of the client's socket.
        case immediate(ImmediateRun)
        /// Waits for the library, for files or for the client.
        case suspending(SuspendingRun)
        /// Waits for a change of these subsystems, which only a connection can do.
        case idle(Subsystem)
        /// Ends the connection, once the client has its answers.
        case close
    }

    /// The command's word on the wire.
    package let name: String
    /// The permission that a client needs to send it.
    package let permission: Permission
    /// How many arguments it takes.
    package let argumentCount: ClosedRange<Int>
    /// The arguments as a manual writes them, such as `{SONGPOS} {TIME}`.
    package let usage: String
    /// The version of MPD that brought it; nil for a command of ours, which docs/protocol.md describes.
    package let version: String?
    /// How it ends if its client disconnects while it runs.
    package let withoutClient: ClientLoss
    private let available: @ServerActor @Sendable (ServerContext) -> Bool
    private let parse: @Sendable (inout Arguments) throws -> Action

    /// Declares a command. Without `withoutClient` those that only read are cancelled, and all others finished;
    /// `commands` lists only those that are available. `parse` looks nothing up, and throws `AckError`.
    package init(
        _ name: String, _ permission: Permission, _ argumentCount: ClosedRange<Int> = 0...0, _ usage: String = "",
        since version: String? = nil, withoutClient: ClientLoss? = nil,
        isAvailable: @escaping @ServerActor @Sendable (ServerContext) -> Bool = { _ in true },
        parse: @escaping @Sendable (inout Arguments) throws -> Action
    ) {
        (self.name, self.permission, self.argumentCount, self.usage) = (name, permission, argumentCount, usage)
        (self.version, self.parse, available) = (version, parse, isAvailable)
        self.withoutClient = withoutClient ?? (permission == .read ? .endsAtOnce : .finishes)
    }

    /// Declares a command without arguments that answers from memory.
    static func immediate(
        _ name: String, _ permission: Permission, since version: String?,
        isAvailable: @escaping @ServerActor @Sendable (ServerContext) -> Bool = { _ in true },
        run: @escaping ImmediateRun
    ) -> Command {
        Command(name, permission, since: version, isAvailable: isAvailable) { _ in .immediate(run) }
    }

    /// Declares a command without arguments that waits for the library, for files or for the client.
    static func suspending(
        _ name: String, _ permission: Permission, since version: String?, run: @escaping SuspendingRun
    ) -> Command {
        Command(name, permission, since: version) { _ in .suspending(run) }
    }

    /// True if this server can do what the command asks for.
    @ServerActor package func isAvailable(in server: ServerContext) -> Bool { available(server) }

    /// True if a client with this permission may send the command.
    package func isAllowed(with permission: Permission) -> Bool { permission.isSuperset(of: self.permission) }

    /// Checks permission and argument count and parses the arguments; throws `AckError` with MPD's texts.
    package func action(_ arguments: [String], permission: Permission) throws -> Action {
        guard isAllowed(with: permission) else {
            throw AckError(.permission, "you don't have permission for \"\(name)\"")
        }
        guard argumentCount.contains(arguments.count) else {
            let isFixed = argumentCount.lowerBound == argumentCount.upperBound
            let isShort = arguments.count < argumentCount.lowerBound
            let problem = isFixed ? "wrong number of" : isShort ? "too few" : "too many"
            throw AckError(.argument, "\(problem) arguments for \"\(name)\"")
        }
        var remaining = Arguments(arguments)
        return try parse(&remaining)
    }
}

extension Command.Action {
    /// Runs it for a caller that is no connection, and waits for it; `idle` and `close` do nothing.
    @ServerActor
    package func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        switch self {
        case .immediate(let run): try run(context, &response)
        case .suspending(let run): try await run(context, &response)
        case .idle, .close: break
        }
    }
}

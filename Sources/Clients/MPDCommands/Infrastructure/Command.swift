package import MPDProtocol
package import MusicModel
package import ServerLoop

/// How a command ends whose client goes while it runs.
package enum ClientLoss: Hashable, Sendable {
    /// It is finished: an edit takes little time, and what a client asked for before it went is done.
    case finishes
    /// It is given up unless it ends soon: an edit that has much to look up first. It changes all or nothing.
    case endsSoon
    /// It is given up: it only answers.
    case endsAtOnce
}

/// Where a command comes from.
package enum CommandOrigin: Hashable, Sendable {
    /// MPD has had it since this version; clients may rely on it.
    case mpd(since: String)
    /// MPD has no such command; docs/protocol.md describes it.
    case segue
}

/// One command of the protocol: how it is called, what it needs, and what it does.
///
/// A command is one type in one file plus one line in `CommandTable`. Permission checks, argument counts, the answers
/// to `commands` and `notcommands`, and the table in docs/protocol.md derive from what it declares.
package protocol Command: Sendable {
    /// The command's word on the wire.
    static var name: StaticString { get }
    /// The permission that a client needs to send it.
    static var permission: Permission { get }
    /// How many arguments it takes.
    static var argumentCount: ClosedRange<Int> { get }
    /// The arguments as a manual writes them, such as `{SONGPOS} {TIME}`.
    static var usage: StaticString { get }
    /// The program that brought it, and since when.
    static var origin: CommandOrigin { get }
    /// How it ends when its client goes while it runs.
    static var withoutClient: ClientLoss { get }
    /// Whether this server can do what the command asks for; if not, `commands` doesn't list it.
    @ServerActor static func isAvailable(in server: ServerContext) -> Bool
    /// Parses the arguments; nothing is looked up yet.
    init(parsing arguments: inout Arguments) throws(AckError)
    /// Runs a command that need not wait for anything; a session asks for this first, inside the read of its socket.
    ///
    /// - Throws: anything; `AckError.mapping` turns it into an ACK.
    /// - Isolation: ServerActor; does not suspend.
    @ServerActor func attempt(in context: CommandContext, response: inout ResponseWriter) throws -> CommandAttempt
    /// Answers into `response`, without the closing `OK`.
    ///
    /// - Throws: anything; `AckError.mapping` turns it into an ACK.
    /// - Isolation: ServerActor; may suspend for the library or a flush, and changes state only after that.
    @ServerActor func run(in context: CommandContext, response: inout ResponseWriter) async throws
}

/// The result of a command that was attempted without waiting.
package enum CommandAttempt: Hashable, Sendable {
    /// It has answered, but for the closing `OK`.
    case done
    /// It has done nothing yet, and written nothing: `run` has to be waited for.
    case waits
    /// The client waits for a change of these subsystems.
    case idle(Subsystem)
    /// The connection ends, once the client has its answers.
    case closes
}

extension Command {
    /// Answers are for clients, edits are for good.
    package static var withoutClient: ClientLoss { permission == .read ? .endsAtOnce : .finishes }

    /// Most commands need nothing that a server may lack.
    @ServerActor package static func isAvailable(in server: ServerContext) -> Bool { true }

    /// Leaves everything to `run`.
    @ServerActor
    package func attempt(in context: CommandContext, response: inout ResponseWriter) throws -> CommandAttempt { .waits }
}

/// A command that never waits: not for the index, not for the client.
///
/// `status` is asked for several times a second by every client, and a task would cost more than the answer.
package protocol ImmediateCommand: Command {
    /// Answers into `response`, without the closing `OK`.
    ///
    /// - Throws: anything; `AckError.mapping` turns it into an ACK.
    /// - Isolation: ServerActor; does not suspend.
    @ServerActor func run(in context: CommandContext, response: inout ResponseWriter) throws
}

extension ImmediateCommand {
    /// Runs it.
    @ServerActor
    package func attempt(in context: CommandContext, response: inout ResponseWriter) throws -> CommandAttempt {
        try run(in: context, response: &response)
        return .done
    }
}

extension Command {
    /// The command's word on the wire, as a text.
    package static var word: String { "\(name)" }

    /// Whether a client with this permission may send the command.
    package static func isAllowed(with permission: Permission) -> Bool { permission.isSuperset(of: self.permission) }

    /// Checks permission and argument count and parses the arguments.
    ///
    /// - Throws: `AckError` with MPD's texts: code 4 without the permission, code 2 for a wrong count or argument.
    /// - Isolation: any; looks nothing up.
    /// - Source: MPD v0.24.13 src/command/AllCommands.cxx `command_check_request`.
    package static func parse(_ arguments: [String], permission: Permission) throws(AckError) -> Self {
        try check(arguments.count, permission)
        var remaining = Arguments(arguments)
        return try Self(parsing: &remaining)
    }

    private static func check(_ count: Int, _ permission: Permission) throws(AckError) {
        guard isAllowed(with: permission) else {
            throw AckError(.permission, "you don't have permission for \"\(word)\"")
        }
        if argumentCount.contains(count) { return }
        if argumentCount.lowerBound == argumentCount.upperBound {
            throw AckError(.argument, "wrong number of arguments for \"\(word)\"")
        }
        if count < argumentCount.lowerBound { throw AckError(.argument, "too few arguments for \"\(word)\"") }
        throw AckError(.argument, "too many arguments for \"\(word)\"")
    }
}

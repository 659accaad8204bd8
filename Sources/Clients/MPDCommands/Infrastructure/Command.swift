package import MPDProtocol
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
    /// Parses the arguments; nothing is looked up yet.
    init(parsing arguments: inout Arguments) throws(AckError)
    /// Answers into `response`, without the closing `OK`.
    ///
    /// - Throws: anything; `AckError.mapping` turns it into an ACK.
    /// - Isolation: ServerActor; may suspend for the library or a flush, and changes state only after that.
    @ServerActor func run(in context: CommandContext, response: inout ResponseWriter) async throws
}

extension Command {
    /// Answers are for clients, edits are for good.
    package static var withoutClient: ClientLoss { permission == .read ? .endsAtOnce : .finishes }
}

/// A command that never waits: not for the index, not for the client.
///
/// A session runs it inside the read of its socket, without a task. `status` is asked for several times a second by
/// every client, and a task would cost more than the answer.
package protocol ImmediateCommand: Command {
    /// Answers into `response`, without the closing `OK`.
    ///
    /// - Throws: anything; `AckError.mapping` turns it into an ACK.
    /// - Isolation: ServerActor; does not suspend.
    @ServerActor func run(in context: CommandContext, response: inout ResponseWriter) throws
}

/// A command that mostly needs not wait, because memory has its answer.
///
/// A session tries it without a task first, as with commands that never wait.
package protocol ReadyCommand: Command {
    /// Answers into `response`, without the closing `OK`, if nothing has to be waited for; false, with nothing written,
    /// where `run` has to.
    ///
    /// - Throws: anything; `AckError.mapping` turns it into an ACK.
    /// - Isolation: ServerActor; does not suspend.
    @ServerActor func runIfReady(in context: CommandContext, response: inout ResponseWriter) throws -> Bool
}

/// One row of the table: a command's type with what dispatching needs. A class, so that looking one up copies nothing.
package final class CommandEntry: Sendable {
    /// The command's word on the wire.
    package let name: String
    /// The type that parses the arguments, and then runs.
    package let type: any Command.Type
    /// How it ends when its client goes while it runs.
    package let withoutClient: ClientLoss
    /// The permission that a client needs to send it.
    package let permission: Permission
    private let argumentCount: ClosedRange<Int>
    private typealias AtOnce =
        @ServerActor @Sendable (inout Arguments, CommandContext, inout ResponseWriter) throws -> Bool
    private let atOnce: AtOnce?

    convenience init<Waiting: Command>(_ type: Waiting.Type) {
        self.init(type, atOnce: nil)
    }

    convenience init<Immediate: ImmediateCommand>(_ type: Immediate.Type) {
        self.init(type) { arguments, context, response in
            try Immediate(parsing: &arguments).run(in: context, response: &response)
            return true
        }
    }

    convenience init<Ready: ReadyCommand>(_ type: Ready.Type) {
        self.init(type) { arguments, context, response in
            try Ready(parsing: &arguments).runIfReady(in: context, response: &response)
        }
    }

    private init(_ type: any Command.Type, atOnce: AtOnce?) {
        self.type = type
        name = "\(type.name)"
        permission = type.permission
        withoutClient = type.withoutClient
        argumentCount = type.argumentCount
        self.atOnce = atOnce
    }

    /// Checks, parses and runs a command if nothing has to be waited for; false, with nothing done, otherwise.
    ///
    /// - Throws: what `command` and the command throw.
    /// - Isolation: ServerActor; does not suspend.
    @ServerActor
    package func runAtOnce(
        _ arguments: [String], in context: CommandContext, response: inout ResponseWriter
    ) throws -> Bool {
        guard let atOnce else { return false }
        try check(arguments.count, context.client.permission)
        var remaining = Arguments(arguments)
        return try atOnce(&remaining, context, &response)
    }

    /// Whether a client with this permission may send the command.
    package func isAllowed(with permission: Permission) -> Bool { permission.isSuperset(of: self.permission) }

    /// Checks permission and argument count and parses the arguments.
    ///
    /// - Throws: `AckError` with MPD's texts: code 4 without the permission, code 2 for a wrong count or argument.
    /// - Isolation: any; looks nothing up.
    /// - Source: MPD v0.24.13 src/command/AllCommands.cxx `command_check_request`.
    package func command(_ arguments: [String], permission: Permission) throws(AckError) -> any Command {
        try check(arguments.count, permission)
        var remaining = Arguments(arguments)
        return try type.init(parsing: &remaining)
    }

    private func check(_ count: Int, _ permission: Permission) throws(AckError) {
        guard isAllowed(with: permission) else {
            throw AckError(.permission, "you don't have permission for \"\(name)\"")
        }
        if argumentCount.contains(count) { return }
        if argumentCount.lowerBound == argumentCount.upperBound {
            throw AckError(.argument, "wrong number of arguments for \"\(name)\"")
        }
        if count < argumentCount.lowerBound { throw AckError(.argument, "too few arguments for \"\(name)\"") }
        throw AckError(.argument, "too many arguments for \"\(name)\"")
    }
}

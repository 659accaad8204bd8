public import MPDProtocol
public import ServerLoop

/// One command of the protocol: how it is called, what it needs, and what it does.
///
/// A command is one type in one file plus one line in `CommandTable`; permission checks, argument counts and the
/// `commands` answer derive from what it declares.
public protocol Command: Sendable {
    /// The command's word on the wire.
    static var name: StaticString { get }
    /// What a client needs to be allowed to send it.
    static var permission: Permission { get }
    /// How many arguments it takes.
    static var argumentCount: ClosedRange<Int> { get }
    /// The arguments as a manual writes them, such as `{SONGPOS} {TIME}`.
    static var usage: StaticString { get }
    /// Parses the arguments; nothing is looked up yet.
    init(parsing arguments: inout Arguments) throws(AckError)
    /// Answers into `response`, without the closing `OK`.
    ///
    /// - Throws: anything; `AckError.mapping` turns it into an ACK.
    /// - Isolation: ServerActor; may suspend for the library or a flush, and changes state only after that.
    @ServerActor func run(in context: CommandContext, response: inout ResponseWriter) async throws
}

/// One row of the table: a command's type with what dispatching needs.
public struct CommandEntry: Sendable {
    /// The command's word on the wire.
    public let name: String
    /// The command.
    public let type: any Command.Type

    init(_ type: any Command.Type) {
        self.type = type
        self.name = "\(type.name)"
    }

    /// Whether a client with this permission may send the command.
    public func isAllowed(with permission: Permission) -> Bool { permission.isSuperset(of: type.permission) }

    /// Checks permission and argument count and parses the arguments.
    ///
    /// - Throws: `AckError` with MPD's texts: code 4 without the permission, code 2 for a wrong count or argument.
    /// - Isolation: any; looks nothing up.
    /// - Source: MPD v0.24.13 src/command/AllCommands.cxx `command_check_request`.
    public func command(_ arguments: [String], permission: Permission) throws(AckError) -> any Command {
        guard isAllowed(with: permission) else {
            throw AckError(.permission, "you don't have permission for \"\(name)\"")
        }
        let expected = type.argumentCount
        if expected.lowerBound == expected.upperBound, arguments.count != expected.lowerBound {
            throw AckError(.argument, "wrong number of arguments for \"\(name)\"")
        }
        if arguments.count < expected.lowerBound {
            throw AckError(.argument, "too few arguments for \"\(name)\"")
        }
        if arguments.count > expected.upperBound {
            throw AckError(.argument, "too many arguments for \"\(name)\"")
        }
        var remaining = Arguments(arguments)
        return try type.init(parsing: &remaining)
    }
}

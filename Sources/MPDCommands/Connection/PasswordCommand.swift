import MPDProtocol
import ServerLoop

/// Gives the client the permissions that belong to a password.
///
/// - Wire: `password {PASSWORD}` → `OK`.
/// - Errors: ACK 3 for an unknown password, which changes nothing.
/// - Source: MPD v0.24.13 src/command/ClientCommands.cxx `handle_password`.
struct PasswordCommand: Command {
    static let name: StaticString = "password"
    static let permission = Permission.none
    static let argumentCount = 1...1
    static let usage: StaticString = "{PASSWORD}"

    private let password: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        password = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        guard let known = context.server.passwords.first(where: { $0.matches(password) }) else {
            throw AckError(.password, "incorrect password")
        }
        context.client.permission = known.permission
    }
}

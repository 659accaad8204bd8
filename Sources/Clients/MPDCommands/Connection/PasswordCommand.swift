import MPDProtocol
import ServerLoop

/// Gives the client the permissions that belong to a password.
///
/// - Wire: `password {PASSWORD}` → `OK`.
/// - Errors: ACK 3 for an unknown password, which changes nothing; it comes after a second, or later after many.
/// - Isolation: ServerActor; suspends while the password is checked, and this client's next commands wait.
/// - Source: MPD v0.24.13 src/command/ClientCommands.cxx `handle_password`.
struct PasswordCommand: Command {
    static let name: StaticString = "password"
    static let permission = Permission.none
    static let argumentCount = 1...1
    static let usage: StaticString = "{PASSWORD}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let password: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        password = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let client = context.client
        guard let grant = try await context.server.passwords?.grant(for: password, from: client.peer) else {
            throw AckError(.password, "incorrect password")
        }
        (client.permission, client.claim) = (grant.permission, .password(grant.entry))
    }
}

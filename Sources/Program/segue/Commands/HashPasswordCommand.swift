import ArgumentParser
import Foundation
import MPDProtocol
import MPDSessions
import Supervision
import SegueConfiguration

/// `segue password`: makes the lines for a password that clients can send.
struct HashPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Make a password for clients: prints the lines for the configuration.",
        discussion: """
            Asks for the password twice, or reads it from standard input. The output contains a key that scrypt \
            derived from it, not the password. Add the lines to the configuration; a running server reads them at \
            SIGHUP.
            """)

    @Option(
        name: .shortAndLong, parsing: .upToNextOption,
        help: "What clients with the password may do: read, add, player, control, admin.")
    var permissions: [String] = ["read", "add", "player", "control"]

    func validate() throws {
        let known = Permission.named.map(\.name)
        for permission in names where !known.contains(permission) {
            throw ValidationError("\"\(permission)\" is not one of \(known.joined(separator: ", ")).")
        }
    }

    /// The permissions, also where commas stand between them.
    private var names: [String] { permissions.flatMap { $0.split(separator: ",").map(String.init) } }

    func run() async throws {
        let password = try PasswordPrompt.readNew(
            "New password for clients: ", example: "printf %s SECRET | segue password")
        guard password.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw CommandFailure("the password contains a control character, which clients can't send.")
        }
        if password.count < 8 {
            FileHandle.standardError.write(
                Data("segue: the password is short; eight or more characters are harder to guess.\n".utf8))
        }
        let hash = try ScryptKey(password: password).text
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        print("[[server.password]]\nhash = \"\(hash)\"\npermissions = [\(list)]")
    }
}

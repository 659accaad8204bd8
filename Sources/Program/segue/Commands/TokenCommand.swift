import ArgumentParser
import Foundation
import MPDProtocol
import Supervision
import SegueConfiguration
import WebAPI
import WebServer

/// Options of commands that make secrets for the page.
struct SecretOptions: ParsableArguments {
    @OptionGroup var options: ConfigurationOptions

    @Option(help: "What it allows: read, add, player, control and admin, separated by commas.")
    var permissions = "read,add,player"

    /// The bits of what it allows.
    func permission() throws -> Permission {
        let names = permissions.split(separator: ",").map(String.init)
        guard let permission = Permission(names: names), !permission.isEmpty else {
            throw CommandFailure(
                "--permissions \(permissions): choose from read, add, player, control and admin, separated by commas",
                status: 2)
        }
        return permission
    }

    /// The configuration, and the file in which a running server finds what is made here.
    func secrets() throws -> (configuration: Configuration, secrets: IssuedSecrets) {
        let configuration = try options.loadForServing()
        try FolderOwner.become(of: configuration.server.stateDirectory)
        _ = try StateDirectory(creating: configuration.server.stateDirectory)
        return (configuration, IssuedSecrets(path: configuration.server.stateDirectory + "/web-tokens.json"))
    }
}

/// `segue token`: secrets for programs that use the HTTP interface.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make a token for a program that uses the HTTP interface.",
        discussion: """
            The token is printed once; Segue stores only a digest. Programs send it as \
            `Authorization: Bearer TOKEN`. A running server knows it at once.
            """)

    @OptionGroup var options: SecretOptions

    @Option(help: "Its name in the list.")
    var name = "script"

    @Flag(help: "List the tokens instead.")
    var list = false

    @Option(help: ArgumentHelp("Revoke a token by its id in the list.", valueName: "id"))
    var revoke: String?

    func run() throws {
        let (_, secrets) = try options.secrets()
        if list {
            for entry in secrets.all where entry.expires == nil {
                print(
                    "\(entry.id)  \(Permission(rawValue: entry.permissions).names.joined(separator: ","))  \(entry.name)"
                )
            }
        } else if let revoke {
            guard try secrets.remove(id: revoke) else {
                throw CommandFailure("there is no token \(revoke); segue token --list shows them")
            }
        } else {
            let permission = try options.permission()
            do {
                print(try secrets.add(name: name, permissions: permission.rawValue).secret)
            } catch {
                throw CommandFailure("can't save the token: \(error.localizedDescription)")
            }
        }
    }
}

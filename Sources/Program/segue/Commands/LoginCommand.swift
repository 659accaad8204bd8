import ArgumentParser
import Foundation
import Logging
import Supervision
import SegueConfiguration
import Subsonic

/// `segue login`: checks a user's password with the server and keeps a token made from it.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Sign in to your Navidrome and store a token, not the password.",
        discussion: """
            Asks for the password, or reads it from standard input; it is never an argument, which others could see in \
            the list of processes. Stores a token for `segue serve` in credentials.toml in the state directory, \
            readable only by you. A token for Navidrome's events is in the file session next to it, lasts two days, \
            and is renewed while Segue runs. A server waiting for a new password takes it within a minute.
            """)

    @Argument(help: "The server's address, such as http://127.0.0.1:4533") var url: String
    @Argument(help: "Your name on the server.") var user: String
    @Option(name: .shortAndLong, help: "The configuration file, for its state_directory.") var config: String?
    @Flag(help: "Don't ask before a token goes unencrypted over the internet.") var insecure = false

    mutating func run() async throws {
        let configuration = try stateConfiguration()
        let address = try Configuration.serverAddress(url)
        url = address.url
        if address.isExposed, !insecure { try confirmExposure() }
        try FolderOwner.become(of: configuration.server.stateDirectory)
        let state = try StateDirectory(creating: configuration.server.stateDirectory)
        let password = try PasswordPrompt.read(
            "Password of \(user): ", example: "printf %s SECRET | segue login URL USER")
        let credential = SubsonicSettings.makeToken(password: password)
        guard case .token(let salt, let token) = credential else { return }
        let identity = try await check(credential)
        try CredentialsFile(url: url, username: user, salt: salt, token: token).write(to: state.credentials)
        await keepSession(password: password, in: state)
        let server = [identity.type ?? "the server", identity.serverVersion].compactMap { $0 }.joined(separator: " ")
        print("Signed in to \(server) as \(user). Start with: segue serve")
    }

    /// Asks whether a token may go over the internet in clear.
    private func confirmExposure() throws {
        let warning =
            "\(url) is not encrypted and leaves your network: anyone who sees the traffic can use your account."
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(
                warning + " Write https:// if the server has it; to continue without, add --insecure.")
        }
        FileHandle.standardError.write(Data((warning + "\nType yes to continue without https: ").utf8))
        guard readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes" else {
            throw CommandFailure("nothing was sent. Write https:// in front of the address if the server has it.")
        }
    }

    /// Also signs in to Navidrome's own API, whose events tell of changes at once; other servers have none.
    private func keepSession(password: String, in state: StateDirectory) async {
        let file = SessionFile(path: state.session, url: url, username: user)
        let client = SubsonicClient(
            settings(.password(password)),
            log: Logger(label: "segue.login") { _ in SwiftLogNoOpLogHandler() })
        // Without it changes are noticed a few seconds later; nothing else is missing.
        _ = try? await NavidromeSession(client, renewed: { try? file.keep($0) }).signIn()
        await client.shutDown()
    }

    /// The configuration that names the state directory: the given one, the usual one, or the defaults.
    private func stateConfiguration() throws -> Configuration {
        let loader = ConfigurationLoader(
            path: config, environment: ProcessInfo.processInfo.environment, extensions: extensionSections)
        // Only where there is no file at all; one that is wrong may name another directory.
        return try loader.file() ?? loader.defaults()
    }

    /// The server to sign in to, behind the proxy of the configuration or the environment.
    private func settings(_ credential: SubsonicSettings.Credential) -> SubsonicSettings {
        var settings = SubsonicSettings(url: url, username: user, credential: credential)
        // A configuration that can't be read was complained about where the state directory was asked for.
        let configuration = try? stateConfiguration()
        settings.proxy = (configuration?.http ?? Configuration.HTTP()).proxyInUse
        // A key to the proxy of one server is nothing for another.
        if let navidrome = configuration?.navidrome, navidrome.url ?? url == url { settings.passProxies(navidrome) }
        return settings
    }

    private func check(_ credential: SubsonicSettings.Credential) async throws -> ServerIdentity {
        let client = SubsonicClient(
            settings(credential),
            log: Logger(label: "segue.login") { _ in SwiftLogNoOpLogHandler() })
        do {
            let identity = try await client.ping()
            await client.shutDown()
            return identity
        } catch let error as SubsonicError {
            await client.shutDown()
            if error.code == .credentialNotSupported {
                throw CommandFailure(
                    "this server accepts no tokens, so nothing safe can be stored. Put the password into a file and set "
                        + "navidrome.password_file in the configuration.")
            }
            throw CommandFailure("signing in failed: \(error.message)")
        }
    }
}

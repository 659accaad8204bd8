import ArgumentParser
import Foundation
import Logging
import MPDProtocol
import MPDSessions
import SegueConfiguration
import Subsonic
import Supervision
import WebAPI
import WebServer

struct SecretOptions: ParsableArguments {
    @OptionGroup var options: ConfigurationOptions

    @Option(help: "What it allows: read, add, player, control and admin, separated by commas.")
    var permissions = "read,add,player"

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
            } catch { throw CommandFailure("can't save the token: \(error.localizedDescription)") }
        }
    }
}

struct PairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Show a code to sign in a phone or another browser.",
        discussion: """
            The code is valid for one device and five minutes. Scan the picture with the phone's camera, or open the \
            address. The server has to run.
            """)

    @OptionGroup var options: SecretOptions

    func run() throws {
        let permission = try options.permission()
        let (configuration, secrets) = try options.secrets()
        guard let address = configuration.pageAddresses().first else {
            throw CommandFailure("there is no page: [web] listen is empty")
        }
        let code: String
        do {
            code = try secrets.add(name: "pair", permissions: permission.rawValue, lifetime: PairingCode.lifetime)
                .secret
        } catch { throw CommandFailure("can't save the code: \(error.localizedDescription)") }
        let url = "\(address)/#pair=\(code)"
        if isatty(STDOUT_FILENO) == 1, let picture = QRCode(url) { print(picture.halfBlocks) }
        print("\(url)\nValid for one device and five minutes; allows \(permission.names.joined(separator: ", ")).")
        if configuration.web.listen.allSatisfy({ !$0.isReachableFromOutside }) {
            FileHandle.standardError.write(
                Data("Only browsers on this machine reach the page: add \"0.0.0.0:6610\" under [web] listen.\n".utf8))
        }
    }
}

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
        let loader = ConfigurationLoader(
            path: config, environment: ProcessInfo.processInfo.environment, extensions: extensionSections)
        // The defaults only where there is no file at all; one that is wrong may name another directory.
        let configuration = try loader.file() ?? loader.defaults()
        let address = try Configuration.serverAddress(url)
        url = address.url
        if address.isExposed, !insecure { try confirmExposure() }
        try FolderOwner.become(of: configuration.server.stateDirectory)
        let state = try StateDirectory(creating: configuration.server.stateDirectory)
        let password = try PasswordPrompt.read(
            "Password of \(user): ", example: "printf %s SECRET | segue login URL USER")
        let credential = SubsonicSettings.makeToken(password: password)
        guard case .token(let salt, let token) = credential else { return }
        let identity = try await check(client(configuration, credential))
        try CredentialsFile(url: url, username: user, salt: salt, token: token).write(to: state.credentials)
        await keepSession(client(configuration, .password(password)), in: state)
        let server = [identity.type ?? "the server", identity.serverVersion].compactMap { $0 }.joined(separator: " ")
        print("Signed in to \(server) as \(user). Start with: segue serve")
    }

    private func confirmExposure() throws {
        let warning =
            "\(url) is not encrypted and leaves your network: anyone who sees the traffic can use your account."
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(warning + " Write https:// if the server has it; to continue without, add --insecure.")
        }
        FileHandle.standardError.write(Data((warning + "\nType yes to continue without https: ").utf8))
        guard readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes" else {
            throw CommandFailure("nothing was sent. Write https:// in front of the address if the server has it.")
        }
    }

    /// Also signs in to Navidrome's own API, whose events tell of changes at once; other servers have none.
    private func keepSession(_ client: SubsonicClient, in state: StateDirectory) async {
        let file = SessionFile(path: state.session, url: url, username: user)
        // Without it changes are noticed a few seconds later; nothing else is missing.
        _ = try? await NavidromeSession(client, renewed: { try? file.keep($0) }).signIn()
        await client.shutDown()
    }

    /// A client of the server to sign in to, behind the proxy of the configuration or the environment.
    private func client(_ configuration: Configuration, _ credential: SubsonicSettings.Credential) -> SubsonicClient {
        var settings = SubsonicSettings(url: url, username: user, credential: credential)
        settings.proxy = configuration.http.proxyInUse
        // A key to the proxy of one server is nothing for another.
        if let navidrome = configuration.navidrome, navidrome.url ?? url == url { settings.passProxies(navidrome) }
        return SubsonicClient(settings, log: Logger(label: "segue.login") { _ in SwiftLogNoOpLogHandler() })
    }

    private func check(_ client: SubsonicClient) async throws -> ServerIdentity {
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

import ArgumentParser
import AudioOutputs
import Diagnosis
import Extensions
import Foundation
import Logging
import MPDProtocol
import MPDSessions
import Outputs
import SegueConfiguration
import Subsonic
import Supervision
import WebServer

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration, the server, the sound and the machine.",
        discussion: """
            Checks the configuration, the library's server, folders, outputs and codecs, and the machine: which \
            programs hold the ports and the sound cards, whether sound servers, D-Bus and Avahi can be reached, limits, \
            room on the disk, the database, the clock. Only your own servers are asked. Run it as the user that runs \
            Segue; as root it becomes that user for everything but the looks at other programs.

            With --running it asks nothing but the running server whether it answers, for containers and monitoring: \
            at the first address under [server] listen, or at the one that is given.

            Ends with status 0 when everything that is needed works, else with 1.
            """)

    @Flag(help: "Only ask the running server whether it answers within three seconds.") var running = false
    @Argument(help: "With --running: host:port, [v6]:port, tls://host:port, the path of a Unix socket, or @name.")
    var address: String?
    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print the findings as JSON.") var json = false
    @Option(
        help: ArgumentHelp(
            "Also write them to a file that you can attach to a report; without secrets.", valueName: "file"))
    var report: String?

    func validate() throws {
        guard !running else { return }
        if address != nil { throw ValidationError("An address needs --running.") }
    }

    func run() async throws {
        StandardErrorLog.bootstrap(level: .critical)
        var found = CheckReport()
        found.isPrinting = !json
        if running {
            found.note(await RunningServer.finding(at: try serverAddress()))
        } else {
            try await check(&found)
        }
        if json { print(try found.json) }
        if found.failures > 0 { throw ExitCode(1) }
    }

    private func check(_ found: inout CheckReport) async throws {
        let loaded = try options.loader.load()
        let configuration = loaded.configuration
        configuration.useFileNames()
        var machine = MachineChecks(configuration)
        // Only root may read the files of other users' programs.
        machine.checkPrograms(&found)
        try FolderOwner.become(of: configuration.server.stateDirectory)
        let checks = ConfigurationChecks(
            configuration, settingsReport: loaded.settingsReport,
            server: {
                let state = try StateDirectory(creating: configuration.server.stateDirectory)
                return try SubsonicSettings.reaching(configuration, state: state)
                    .map { SubsonicClient($0, log: Logger(label: "segue.check")) }
            }, audio: { (EngineCheck.failure, Self.missingParts(configuration.outputs)) })
        await checks.run(&found)
        for part in extensions { await part.check(configuration, machine.system, &found) }
        machine.run(&found)
        guard let report else { return }
        let text = found.text(version: Segue.version, configuration)
        try PrivateFile.write(text, to: report)
        if !json { print("The report is in \(report). Read it before you send it to anyone.") }
    }

    /// The elements and plug-ins of GStreamer that are missing, in the order of importance.
    private static func missingParts(_ outputs: [OutputSpecification]) -> [Finding] {
        let elements = EngineCheck.missing().map {
            Finding(
                "audio", $0.isEssential ? .failure : .warning,
                "\($0.purpose) needs \($0.element): install \($0.package)")
        }
        return elements + EngineCheck.plugins(of: outputs).map { Finding("audio", .warning, $0) }
    }

    /// The given address, or the first that the server listens on; without any configuration the usual one.
    private func serverAddress() throws -> ListenerAddress {
        var loader = options.loader
        if let address {
            let environment = ["SEGUE_SERVER_LISTEN": address, "HOME": loader.environment["HOME"] ?? ""]
            loader = ConfigurationLoader(path: nil, environment: environment)
            return try loader.defaults().server.listen.first ?? .usual
        }
        return try loader.file()?.server.listen.first ?? .usual
    }
}

extension ListenerAddress {
    fileprivate static var usual: ListenerAddress { .tcp(host: "127.0.0.1", port: 6600) }
}

struct ShowStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what the running server plays and how it is.",
        discussion: "Asks the page's address under [web] listen. Ends with status 1 when there is no answer.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print all of it as JSON, as GET /api/status answers.")
    var json = false

    func run() async throws {
        let configuration = try options.loadForServing()
        let plain = configuration.web.listen.lazy.compactMap { address -> (host: String, port: Int)? in
            if case .tcp(let host, let port) = address.forClients { (host, port) } else { nil }
        }
        guard let address = plain.first else {
            throw CommandFailure(
                "[web] listen has no address without TLS, which segue status asks; see also segue check --running")
        }
        let answer = try await Self.ask(address, configuration)
        if json { return print(String(decoding: answer, as: UTF8.self)) }
        guard let status = ShownStatus(answer) else {
            throw CommandFailure("the answer can't be read; is it another version of Segue?")
        }
        print(status.text)
    }

    /// Asks, with a token of its own where that is needed: who may write the state directory may read the status.
    private static func ask(_ address: (host: String, port: Int), _ configuration: Configuration) async throws -> Data {
        do {
            let first = try await LocalRequest.get("/api/status", at: address)
            guard first.status == 401 else { return try first.body(of: address) }
            let secrets = IssuedSecrets(path: configuration.server.stateDirectory + "/web-tokens.json")
            let token = try secrets.add(name: "segue status", permissions: Permission.read.rawValue)
            defer {
                do { _ = try secrets.remove(id: token.id) } catch {
                    let text = "segue: take back the token \(token.id) with `segue token`: \(systemMessage(error))\n"
                    FileHandle.standardError.write(Data(text.utf8))
                }
            }
            return try await LocalRequest.get("/api/status", at: address, token: token.secret).body(of: address)
        } catch let error as LocalRequestError {
            throw CommandFailure(error.message)
        } catch {
            throw CommandFailure("no answer from \(address.host):\(address.port): \(error). Does segue serve run?")
        }
    }
}

import ArgumentParser
import AudioOutputs
import Diagnosis
import Extensions
import Foundation
import Logging
import MPDSessions
import SegueConfiguration
import Subsonic
import Supervision

/// `segue check`: finds what doesn't work and says how to mend it.
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
    @Argument(
        help: "With --running: host:port, [v6]:port, tls://host:port, the path of a Unix socket, or @name.")
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
        let probes = ConfigurationProbes(configuration)
        await ConfigurationChecks(configuration, probes, settingsReport: loaded.settingsReport).run(&found)
        for part in extensions { await part.check(configuration, machine.system, &found) }
        machine.run(&found)
        guard let report else { return }
        let text = found.text(version: Segue.version, configuration)
        try PrivateFile.write(text, to: report)
        if !json { print("The report is in \(report). Read it before you send it to anyone.") }
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

extension ConfigurationProbes {
    /// The questions to the real server, certificate and sound of a configuration.
    init(_ configuration: Configuration) {
        let log = Logger(label: "segue.check")
        self.init(
            certificate: { tls in
                let description = try await tls.check()
                return Description(expiry: description.expiry, warnings: description.warnings)
            },
            server: {
                let state = try StateDirectory(creating: configuration.server.stateDirectory)
                return try SubsonicSettings.reaching(configuration, state: state).map { SubsonicClient($0, log: log) }
            },
            audioFailure: { EngineCheck.failure },
            missingElements: {
                EngineCheck.missing().map {
                    MissingElement(
                        "\($0.purpose) needs \($0.element): install \($0.package)", isEssential: $0.isEssential)
                } + EngineCheck.plugins(of: configuration.outputs).map { MissingElement($0, isEssential: false) }
            })
    }
}

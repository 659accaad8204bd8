import ArgumentParser
import DBus
import Diagnosis
import Foundation
import Logging
import MediaCache
import Outputs
import ProcessControl
import SegueConfiguration
import ServiceLog
import StateFiles
import Subsonic
import WebAPI

/// `segue doctor`: what `segue check` checks, and what the machine gives the server.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find out why something doesn't work.",
        discussion: """
            Looks at all that `segue check` looks at, and at the machine: who holds the ports and the sound cards, \
            whether sound servers, D-Bus and Avahi can be reached, limits, room on the disk, the database, the clock. \
            Nothing is changed, and no one but your own server is asked. Run it as the user that runs Segue; as root \
            it becomes that user for everything but the looks at other programs.

            Ends with status 0 when all is well, with 1 when something must be mended, with 2 when something could be \
            better.
            """)

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print what was found as JSON.") var json = false
    @Option(
        help: ArgumentHelp(
            "Also write it to a file that you can attach to a report; without secrets.", valueName: "file"))
    var report: String?

    func run() async throws {
        StandardErrorLog.bootstrap(level: .critical)
        let configuration = try Failures.inOneLine { try options.load() }
        var found = CheckReport()
        found.isPrinting = !json
        var machine = MachineChecks(configuration)
        // Only root may read the files of other users' programs.
        machine.checkPrograms(&found)
        try FolderOwner.become(of: configuration.server.stateDirectory)
        await ConfigurationChecks(configuration).run(&found)
        await machine.run(&found)
        if json { print(try Self.text(of: found.findings)) }
        if let report { try Failures.inOneLine { try write(found, configuration, to: report) } }
        if found.failures > 0 { throw ExitCode(1) }
        if found.warnings > 0 { throw ExitCode(2) }
    }

    private static func text(of findings: [Finding]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(["findings": findings]), as: UTF8.self)
    }

    private func write(_ found: CheckReport, _ configuration: Configuration, to path: String) throws {
        var lines = ["Segue \(Segue.version), \(Self.system)", ""]
        lines += found.findings.map(CheckReport.line)
        for section in configuration.shownSections {
            lines += ["", "[\(section.name)]"]
            lines += section.keys.map { key, value in
                switch value {
                case .text(let text): "\(key) = \(text)"
                case .secret: "\(key) = (secret)"
                }
            }
        }
        try PrivateFile.write(lines.joined(separator: "\n") + "\n", to: path)
        if !json { print("The report is in \(path). Read it before you send it to anyone.") }
    }

    /// The system's name and the machine's kind, as far as they are known.
    private static var system: String {
        let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12) ?? "Linux"
        var information = utsname()
        uname(&information)
        let machine = withUnsafeBytes(of: &information.machine) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let kernel = withUnsafeBytes(of: &information.release) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let memory = ProcessInfo.processInfo.physicalMemory >> 20
        let processors = ProcessInfo.processInfo.processorCount
        return
            "\(name.trimmingPrefix("\"").prefix { $0 != "\"" }), \(kernel) on \(machine), \(processors) processors, \(memory) MiB"
    }
}

/// Checks the machine for a configuration.
private struct MachineChecks {
    private let configuration: Configuration
    private let system = SystemChecks(SystemPlaces(environment: ProcessInfo.processInfo.environment))
    /// The programs that play on each sound card.
    private var players: [String: [String]] = [:]

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// Whether an output that is switched on has this type.
    private func uses(_ type: OutputSpecification.Kind) -> Bool {
        configuration.outputs.contains { $0.type == type && $0.isEnabled }
    }

    /// Who holds ports and sound cards.
    mutating func checkPrograms(_ report: inout CheckReport) {
        for (addresses, name) in [(configuration.server.listen, "MPD clients"), (configuration.web.listen, "the page")]
        {
            for port in Set(addresses.compactMap(Self.port)).sorted() { report.note(system.port(port, for: name)) }
        }
        players = system.soundCardPlayers()
    }

    private static func port(of address: ListenAddress) -> Int? {
        switch address {
        case .host(_, let port), .tls(_, let port): port
        case .unix: nil
        }
    }

    /// Everything else, as the user that runs Segue.
    func run(_ report: inout CheckReport) async {
        for (type, name) in [(OutputSpecification.Kind.pulse, "pulse"), (.pipewire, "pipewire")] where uses(type) {
            report.note(system.soundServer(name))
        }
        let usesCards = uses(.alsa) || uses(.auto) && !system.hasSoundServer
        if usesCards { system.soundCards(heldBy: players).forEach { report.note($0) } }
        let findings =
            system.services(
                announces: configuration.isAnnounced, needsDesktop: configuration.desktop.enabled,
                sessionBus: BusConnection.sessionAddress(ProcessInfo.processInfo.environment))
            + system.limits(clients: configuration.server.maxConnections, needsRealTime: usesCards)
        findings.forEach { report.note($0) }
        checkRoom(&report)
        if let finding = DatabaseCheck.finding(at: configuration.server.stateDirectory + "/segue.db") {
            report.note(finding)
        }
        await checkClock(&report)
    }

    private func checkRoom(_ report: inout CheckReport) {
        let cache = configuration.cache
        if configuration.navidrome != nil {
            let folder = configuration.server.cacheDirectory
            let tracks = folder + "/tracks"
            let sizes = (try? FileManager.default.contentsOfDirectory(atPath: tracks)) ?? []
            let used = sizes.reduce(Int64(0)) { sum, name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: "\(tracks)/\(name)")
                return sum.addingReportingOverflow((attributes?[.size] as? Int64) ?? 0).partialValue
            }
            report.note(system.room(in: folder, for: "cache", wanted: cache.size, used: used, keepFree: cache.keepFree))
        }
        report.note(
            system.room(
                in: configuration.server.stateDirectory, for: "disk", wanted: 100_000_000, used: 0,
                keepFree: cache.keepFree))
    }

    private func checkClock(_ report: inout CheckReport) async {
        guard let state = try? StateDirectory(creating: configuration.server.stateDirectory),
            let settings = try? SubsonicSettings.reaching(configuration, state: state)
        else { return }
        let client = SubsonicClient(settings, log: Logger(label: "segue.doctor"))
        // A server that doesn't answer has been named by the checks before.
        if let time = try? await client.serverTime() {
            report.note(SystemChecks.clock(aheadOfServer: Date().timeIntervalSince(time)))
        }
        await client.shutDown()
    }
}

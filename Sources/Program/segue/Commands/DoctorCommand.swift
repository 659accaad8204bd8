import ArgumentParser
import Diagnosis
import Foundation
import Logging
import ProcessControl
import SegueConfiguration
import ServiceLog
import StateFiles
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
        let loaded = try Failures.inOneLine { try options.loader.load() }
        let configuration = loaded.configuration
        configuration.useFileNames()
        var found = CheckReport()
        found.isPrinting = !json
        var machine = MachineChecks(configuration, MachineProbes(configuration))
        // Only root may read the files of other users' programs.
        machine.checkPrograms(&found)
        try FolderOwner.become(of: configuration.server.stateDirectory)
        let probes = ConfigurationProbes(configuration)
        await ConfigurationChecks(configuration, probes, settingsReport: loaded.settingsReport).run(&found)
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

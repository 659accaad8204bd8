import ArgumentParser
import Diagnosis
import Logging
import ProcessControl
import SegueConfiguration
import ServiceLog
import StateFiles

/// `segue check`: checks everything that `serve` needs and says what to mend.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration, the server, the outputs and the codecs.",
        discussion: "Ends with status 0 when everything that is needed is there, else with 1.")

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        StandardErrorLog.bootstrap(level: .critical)
        let loaded = try Failures.inOneLine { try options.loader.load() }
        let configuration = loaded.configuration
        configuration.useFileNames()
        try FolderOwner.become(of: configuration.server.stateDirectory)
        var report = CheckReport()
        let probes = ConfigurationProbes(configuration)
        await ConfigurationChecks(configuration, probes, settingsReport: loaded.settingsReport).run(&report)
        if report.failures > 0 { throw ExitCode(1) }
    }
}

import ArgumentParser
import Diagnosis
import Foundation
import GStreamerAudio
import IndexSync
import Lidarr
import Logging
import MPDSessions
import Outputs
import ProcessControl
import SegueConfiguration
import ServiceLog
import StateFiles
import Subsonic
import Wishes

/// `segue check`: checks everything that `serve` needs and says what to mend.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration, the server, the outputs and the codecs.",
        discussion: "Ends with status 0 when everything that is needed is there, else with 1.")

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        StandardErrorLog.bootstrap(level: .critical)
        let configuration = try Failures.inOneLine { try options.load() }
        try FolderOwner.become(of: configuration.server.stateDirectory)
        var report = CheckReport()
        await ConfigurationChecks(configuration).run(&report)
        if report.failures > 0 { throw ExitCode(1) }
    }
}

/// Checks what the configuration names: folders, the server, certificates, outputs, codecs.
struct ConfigurationChecks {
    private let configuration: Configuration

    /// Checks a configuration that could be read.
    init(_ configuration: Configuration) { self.configuration = configuration }

    /// Adds what it finds to a report.
    func run(_ report: inout CheckReport) async {
        report.good("configuration", configuration.file ?? "none; what `segue login` stored is used")
        for warning in configuration.warnings { report.warn("configuration", warning) }
        for warning in configuration.securityWarnings() { report.warn("security", warning) }
        if let warning = CredentialsFile.warning(for: configuration) { report.warn("security", warning) }
        await checkCertificate(configuration, &report)
        checkDirectories(configuration, &report)
        await checkNavidrome(configuration, &report)
        await checkLidarr(configuration, &report)
        await checkPrompt(configuration, &report)
        checkLocal(configuration, &report)
        checkAudio(configuration, &report)
    }

    private func checkCertificate(_ configuration: Configuration, _ report: inout CheckReport) async {
        guard let tls = configuration.server.tls else { return }
        do {
            let description = try await CertificateFiles(tls).check()
            report.good("certificate", "\(tls.certificate), valid until \(description.expiry.ISO8601Format())")
            for warning in description.warnings { report.warn("certificate", warning) }
        } catch {
            report.bad("certificate", "\(error)")
        }
    }

    private func checkDirectories(_ configuration: Configuration, _ report: inout CheckReport) {
        for (name, path) in [
            ("state directory", configuration.server.stateDirectory),
            ("cache directory", configuration.server.cacheDirectory),
        ] {
            do {
                _ = try StateDirectory(creating: path)
                report.good(name, path)
            } catch let failure as CommandFailure {
                report.bad(name, failure.message)
            } catch {
                report.bad(name, "\(error)")
            }
        }
    }

    private func checkNavidrome(_ configuration: Configuration, _ report: inout CheckReport) async {
        guard configuration.navidrome != nil else {
            report.good("navidrome", "\(ConnectionStatus.notConfigured.rawValue): no [navidrome] in the configuration")
            return report.tier(.notConfigured)
        }
        do {
            let state = try StateDirectory(creating: configuration.server.stateDirectory)
            guard let settings = try SubsonicSettings.reaching(configuration, state: state) else { return }
            let client = SubsonicClient(settings, log: Logger(label: "segue.check"))
            await check(client, &report)
            await client.shutDown()
        } catch let failure as CommandFailure {
            report.bad("navidrome", failure.message)
        } catch {
            report.bad("navidrome", "\(error)")
        }
    }

    private func check(_ client: SubsonicClient, _ report: inout CheckReport) async {
        var sentence = ConnectionSentence(address: client.shownAddress, identity: nil)
        do {
            let identity = try await client.ping()
            sentence = ConnectionSentence(address: client.shownAddress, identity: identity)
            let connected = sentence.connected(api: identity.apiVersion)
            report.good("navidrome", "\(ConnectionStatus.connected.rawValue): \(connected)")
            let extensions = try await client.extensions()
            if extensions.isEmpty {
                report.warn("navidrome", "an older Subsonic server: fewer tags, no ReplayGain from the server")
            }
            if let status = try await client.scanStatus() {
                report.good(
                    "navidrome",
                    "\(status.count.map(String.init) ?? "?") songs\(status.isScanning ? ", scanning now" : "")")
            } else {
                report.warn(
                    "navidrome", "the server does not tell when it scanned, so every look walks the whole library")
            }
            report.tier(.connected)
        } catch {
            let error = error as? SubsonicError ?? SubsonicError(.unreachable, "\(error)")
            let status = ConnectionStatus(error)
            report.bad("navidrome", "\(status.rawValue): \(sentence.trouble(error))")
            report.tier(status)
        }
    }

    private func checkLidarr(_ configuration: Configuration, _ report: inout CheckReport) async {
        guard let lidarr = configuration.lidarr else { return }
        do {
            let client = LidarrClient(LidarrSettings(lidarr), log: Logger(label: "segue.check"))
            report.good("lidarr", "version \(try await client.check()) at \(lidarr.url)")
        } catch {
            report.bad("lidarr", "\(error)")
        }
    }

    private func checkPrompt(_ configuration: Configuration, _ report: inout CheckReport) async {
        guard let server = WishServer(configuration), let prompt = configuration.dj.prompt else { return }
        do {
            if try await server.check() == false {
                return report.warn("dj.prompt", "the server at \(prompt.url) has no model \(prompt.model ?? "")")
            }
            report.good("dj.prompt", "wishes in words go to \(prompt.url)")
        } catch {
            // Wishes are read by rules meanwhile.
            report.warn("dj.prompt", "\(error) at \(prompt.url); rules read wishes meanwhile")
        }
    }

    private func checkLocal(_ configuration: Configuration, _ report: inout CheckReport) {
        guard let folder = configuration.local?.musicDirectory else { return }
        report.note(SystemChecks.musicFolder(folder))
    }

    private func checkAudio(_ configuration: Configuration, _ report: inout CheckReport) {
        if let failure = EngineCheck.failure { return report.bad("audio", failure) }
        let missing = EngineCheck.missing()
        for item in missing {
            let text = "\(item.purpose) needs \(item.element): install \(item.package)"
            if item.isEssential { report.bad("audio", text) } else { report.warn("audio", text) }
        }
        if missing.isEmpty { report.good("audio", "every codec and output is there") }
        for output in configuration.outputs {
            report.good("output", "\(output.name) (\(output.type.rawValue))\(output.isEnabled ? "" : ", disabled")")
        }
    }
}

extension CheckReport {
    /// Says which features work at this status.
    fileprivate mutating func tier(_ status: ConnectionStatus) {
        good("tier", "\(status.tier.rawValue): \(status.tier.meaning)")
    }
}

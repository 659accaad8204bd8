import Foundation
import MPDSessions
import MusicModel
import Outputs
package import SegueConfiguration
package import Subsonic
import Sync

/// Checks what the configuration names: folders, the server, certificates, outputs, codecs.
package struct ConfigurationChecks: Sendable {
    private let configuration: Configuration
    private let settingsReport: String?
    private let server: @Sendable () throws -> SubsonicClient?
    private let audio: @Sendable () -> (failure: String?, missing: [Finding])

    /// Checks a configuration that could be read. `server` makes a client of the library's server, `audio` says why
    /// nothing plays at all and which parts are missing.
    package init(
        _ configuration: Configuration, settingsReport: String? = nil,
        server: @escaping @Sendable () throws -> SubsonicClient?,
        audio: @escaping @Sendable () -> (failure: String?, missing: [Finding])
    ) {
        (self.configuration, self.settingsReport, self.server, self.audio) = (
            configuration, settingsReport, server, audio
        )
    }

    /// Adds what it finds to a report; makes the folders that are missing, and changes nothing else.
    package func run(_ report: inout CheckReport) async {
        report.good("configuration", configuration.file ?? "none; what `segue login` stored is used")
        if let settingsReport { report.good("settings", settingsReport) }
        for warning in configuration.warnings { report.warn("configuration", warning) }
        for warning in configuration.securityWarnings() { report.warn("security", warning) }
        if let warning = CredentialsFile.warning(for: configuration) { report.warn("security", warning) }
        await checkCertificate(&report)
        checkDirectories(&report)
        await checkNavidrome(&report)
        if let folder = configuration.local?.musicDirectory { report.note(Self.musicFolder(folder)) }
        checkAudio(&report)
    }

    private func checkCertificate(_ report: inout CheckReport) async {
        guard let tls = configuration.server.options.certificate else { return }
        do {
            let description = try await tls.check()
            report.good("certificate", "\(tls.certificate), valid until \(description.expiry.ISO8601Format())")
            for warning in description.warnings { report.warn("certificate", warning) }
        } catch { report.bad("certificate", "\(error)") }
    }

    private func checkDirectories(_ report: inout CheckReport) {
        for (name, path) in [
            ("state directory", configuration.server.stateDirectory),
            ("cache directory", configuration.server.cacheDirectory),
        ] {
            do {
                _ = try StateDirectory(creating: path)
                report.good(name, path)
            } catch { report.bad(name, "\(error)") }
        }
    }

    private func checkNavidrome(_ report: inout CheckReport) async {
        guard configuration.navidrome != nil else {
            report.good("navidrome", "\(ConnectionStatus.notConfigured.rawValue): no [navidrome] in the configuration")
            return report.tier(.notConfigured)
        }
        do {
            guard let client = try server() else { return }
            await check(client, &report)
            await client.shutDown()
        } catch { report.bad("navidrome", "\(error)") }
    }

    private func check(_ client: SubsonicClient, _ report: inout CheckReport) async {
        var sentence = ConnectionSentence(address: client.shownAddress, identity: nil)
        do {
            let identity = try await client.ping()
            sentence = ConnectionSentence(address: client.shownAddress, identity: identity)
            let connected = sentence.connected(api: identity.apiVersion)
            report.good("navidrome", "\(ConnectionStatus.connected.rawValue): \(connected)")
            if let time = try? await client.serverTime() {
                report.note(SystemChecks.clock(aheadOfServer: Date().timeIntervalSince(time)))
            }
            try await checkAbilities(of: client, &report)
            report.tier(.connected)
        } catch {
            let error = error as? SubsonicError ?? SubsonicError(.unreachable, "\(error)")
            let status = ConnectionStatus(error)
            report.bad("navidrome", "\(status.rawValue): \(sentence.trouble(error))")
            report.tier(status)
        }
    }

    private func checkAbilities(of client: SubsonicClient, _ report: inout CheckReport) async throws {
        if try await client.extensions().isEmpty {
            report.warn("navidrome", "an older Subsonic server: fewer tags, no ReplayGain from the server")
        }
        let status = try await client.scanStatus()
        try await checkLists(of: client, counting: status?.count, &report)
        guard let status, status.lastScan != nil || status.isScanning else {
            return report.warn(
                "navidrome", "the server does not say when it scanned, so every check reads the whole library")
        }
        let count = status.count.map(String.init) ?? "?"
        report.good("navidrome", "\(count) songs\(status.isScanning ? ", scanning now" : "")")
    }

    private func checkLists(of client: SubsonicClient, counting count: Int?, _ report: inout CheckReport) async throws {
        guard count != 0, try await client.songs(offset: 0, count: 1).received == 0 else { return }
        if try await client.albums(ofType: "alphabeticalByName", offset: 0, count: 1).received > 0 {
            report.warn(
                "navidrome",
                "an empty search finds no songs, so they are read album by album, which takes longer")
        } else if let count {
            report.bad("navidrome", "the server reports \(count) songs, but lists none: can its user see a library?")
        }
    }

    /// Checks that a folder of music can be read; if not, gives the system's reason and the cure.
    static func musicFolder(_ path: String) -> Finding {
        guard DiskPath(path).list(atMost: 0) != nil else {
            let reason = String(cString: strerror(errno))
            return Finding(
                "music folder", .failure,
                "\(path) can't be read: \(reason). Correct local.music_directory, or its access rights.")
        }
        return Finding("music folder", .ok, path)
    }

    private func checkAudio(_ report: inout CheckReport) {
        let (failure, missing) = audio()
        if let failure { return report.bad("audio", failure) }
        for finding in missing { report.note(finding) }
        if missing.isEmpty { report.good("audio", "every codec and output is available") }
        for output in configuration.outputs {
            report.good("output", "\(output.name) (\(output.type.rawValue))\(output.isEnabled ? "" : ", disabled")")
        }
    }
}

extension CheckReport {
    fileprivate mutating func tier(_ status: ConnectionStatus) {
        good("tier", "\(status.tier.rawValue): \(status.tier.meaning)")
    }
}

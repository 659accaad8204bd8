import Logging
import MPDCommands
import MPDSessions
import MusicModel
import Supervision
import SegueConfiguration
import UnixSignals
import WebAPI
import WebServer

extension Daemon {
    /// Reads the configuration again at every SIGHUP.
    nonisolated func reloadOnHangUp() async {
        for await _ in process.signals.hangUps { await reload() }
    }

    /// Takes over what can change while the server runs, and says what can't.
    private func reload() async {
        let log = process.log
        guard let settings else {
            log.notice("SIGHUP: there is no configuration file to reread")
            return
        }
        process.manager.reloading()
        defer { process.manager.ready() }
        do {
            let loaded = try await Self.read(settings)
            await takeOver(loaded.configuration)
            if let warning = loaded.settingsWarning { log.warning("SIGHUP: \(warning)") }
            log.notice(
                "SIGHUP: reread log_level, passwords, permissions, the certificate and the page's settings"
            )
            let waiting = loaded.configuration.sectionsThatWaitForRestart(of: configuration)
            if !waiting.isEmpty {
                log.notice("SIGHUP: changes in \(waiting.joined(separator: ", ")) take effect after a restart")
            }
        } catch {
            log.error("SIGHUP: nothing was changed: \(chain: error)")
        }
    }

    /// Files are read off the loop, where a change on the page may be written at the same time.
    @concurrent
    private nonisolated static func read(_ settings: SettingsStore) async throws -> LoadedConfiguration {
        try settings.reload()
    }

    private func takeOver(_ new: Configuration) async {
        StandardErrorLog.level = new.server.logLevel
        passwords.replace(new.server.passwords.map(\.entry))
        server.access = new.server.options.access
        server.renewPermissions(passwords: passwords.fingerprints)
        web.endOldSessions(passwords)
        pageEvents.report(.access)
        await server.reloadCertificate(new.server.options.certificate)
    }
}

import Foundation
import Logging
import MPDCommands
import MPDServer
import SegueConfiguration
import UnixSignals

extension Daemon {
    /// Reads the configuration again at every SIGHUP.
    nonisolated func reloadOnHangUp() async {
        for await _ in signals.hangUps { await reload() }
    }

    /// Takes over what can change while the server runs, and says what can't.
    private func reload() async {
        guard let file = configuration.file else {
            log.notice("SIGHUP: there is no configuration file to read again")
            return
        }
        do {
            let new = try Configuration.load(path: file, environment: ProcessInfo.processInfo.environment)
            StandardErrorLog.level = Logger.Level(new.server.logLevel)
            passwords.replace(new.server.passwords.map { PasswordEntry($0) })
            server.access = AccessRules(new.server)
            await server.reloadCertificate(new.server.tls.map { CertificateFiles($0) })
            log.notice("SIGHUP: log_level, passwords, permissions and the certificate were read again")
            let waiting = sectionsThatChanged(new)
            if !waiting.isEmpty {
                log.notice("SIGHUP: changes in \(waiting.joined(separator: ", ")) take effect after a restart")
            }
        } catch {
            log.error("SIGHUP: nothing was changed: \(error)")
        }
    }

    private func sectionsThatChanged(_ new: Configuration) -> [String] {
        var old = configuration.server
        old.logLevel = new.server.logLevel
        old.passwords = new.server.passwords
        old.defaultPermissions = new.server.defaultPermissions
        old.localPermissions = new.server.localPermissions
        old.hostPermissions = new.server.hostPermissions
        // Files of another name are taken over too; only listeners are not.
        if old.tls != nil, new.server.tls != nil { old.tls = new.server.tls }
        let same: [(String, Bool)] = [
            ("[server]", old == new.server), ("[navidrome]", configuration.navidrome == new.navidrome),
            ("[local]", configuration.local == new.local), ("[cache]", configuration.cache == new.cache),
            ("[playback]", configuration.playback == new.playback),
            ("[[output]]", configuration.outputs == new.outputs),
            ("[[station]]", configuration.stations == new.stations),
        ]
        return same.filter { !$0.1 }.map(\.0)
    }
}

import Foundation
package import Logging
import MusicModel
package import Subsonic
import Synchronization

extension SubsonicSettings {
    /// The server of the configuration, with what `segue login` kept where that says less.
    package init(_ navidrome: Configuration.Navidrome, stored: CredentialsFile?) throws(StateFileError) {
        guard let url = navidrome.url ?? stored?.url, let username = navidrome.username ?? stored?.username else {
            throw StateFileError(
                "[navidrome] names no url and username. Add them, or run `segue login URL USER`, which stores them.")
        }
        let token = stored.flatMap { $0.url == url && $0.username == username ? $0.credential : nil }
        guard let credential = navidrome.password.map({ Credential.password($0.reveal()) }) ?? token else {
            throw StateFileError(
                "there is no password for \(username) at the server. Run `segue login \(url) \(username)`, or set "
                    + "navidrome.password_file or SEGUE_NAVIDROME_PASSWORD.")
        }
        self.init(url: url, username: username, credential: credential)
        passProxies(navidrome)
    }

    /// Takes over what lets requests through to the server.
    package mutating func passProxies(_ navidrome: Configuration.Navidrome) {
        headers = navidrome.headers.map { ($0.name, $0.value.reveal()) }
        certificate = navidrome.certificate
    }
}

/// Tells whether a login that `segue login` keeps later is for the server that this process uses.
package struct StoredLogin: Sendable {
    private let url: String?
    private let username: String?

    /// Notes the server and the user, with what was kept when the process began; nil where the configuration has a
    /// password of its own, which counts alone.
    package init?(_ navidrome: Configuration.Navidrome, atStart stored: CredentialsFile?) {
        guard navidrome.password == nil else { return nil }
        (url, username) = (navidrome.url ?? stored?.url, navidrome.username ?? stored?.username)
    }

    /// The token that is kept now; nil without one, and for one of another server or user.
    package func credential(in stored: CredentialsFile?) -> SubsonicSettings.Credential? {
        guard let stored, stored.url == url, stored.username == username else { return nil }
        return stored.credential
    }

    /// Reads what `segue login` has stored by now, each time it is asked; the log says why that can't be used.
    package static func reader(
        _ navidrome: Configuration.Navidrome?, state: StateDirectory, log: Logger
    ) -> @Sendable () -> SubsonicSettings.Credential? {
        let read = { @Sendable [path = state.credentials] () -> CredentialsFile? in
            do { return try CredentialsFile.read(from: path) } catch {
                log.warning("the login that was stored can't be used: \(chain: error)")
                return nil
            }
        }
        // The file that this process started with, for what the configuration leaves out.
        guard let login = navidrome.flatMap({ StoredLogin($0, atStart: read()) }) else { return { nil } }
        return { login.credential(in: read()) }
    }
}

extension NavidromeSession {
    /// A session that a token kept in the state directory carries on where no password is known.
    package convenience init(_ client: SubsonicClient, keptIn state: StateDirectory, for settings: SubsonicSettings) {
        if case .password = settings.credential {
            self.init(client)
        } else {
            let file = SessionFile(path: state.session, url: settings.url, username: settings.username)
            let log = Logger(label: "segue.navidrome")
            let keep = { @Sendable (token: String) in
                do { try file.keep(token) } catch {
                    log.warning("changes will be noticed a little later after a restart: \(chain: error)")
                }
            }
            self.init(client, token: file.token, renewed: keep)
        }
    }
}

/// Keeps the token of Navidrome's own API in the state directory, so that changes are heard of at once without a stored
/// password. It lasts for two days, is renewed while Segue runs, and can be read by its owner alone.
package final class SessionFile: Sendable {
    private let path: String
    private let url: String
    private let username: String
    /// When the file was written last; each answer of the server brings a fresh token, which need not all be kept.
    private let lastWritten = Mutex<ContinuousClock.Instant?>(nil)

    private static let pauseBetweenWrites = Duration.seconds(3600)

    /// Names the file, and the server and user whose token it keeps.
    package init(path: String, url: String, username: String) {
        self.path = path
        self.url = url
        self.username = username
    }

    /// The kept token; nil when there is none for this server and user.
    package var token: String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        return lines.count == 3 && lines[0] == url && lines[1] == username ? lines[2] : nil
    }

    /// Keeps a token; one that comes within an hour of the last is not worth a write. Without it changes are noticed a
    /// few seconds later.
    package func keep(_ token: String) throws {
        let now = ContinuousClock.now
        let isDue = lastWritten.withLock { last in
            if let last, now - last < Self.pauseBetweenWrites { return false }
            last = now
            return true
        }
        guard isDue, !token.contains("\n") else { return }
        let text = "# Written by Segue; lasts two days. Treat it like a password.\n\(url)\n\(username)\n\(token)\n"
        try PrivateFile.write(text, to: path)
    }
}

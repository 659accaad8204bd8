import Foundation
package import Logging
import MusicModel
package import Subsonic
import Synchronization

/// The credentials that `segue login` keeps: enough to log in again, but not the password.
package struct CredentialsFile: Sendable {
    /// The server's address.
    package var url: String
    /// The user's name.
    package var username: String
    /// The salt that the token was made with.
    package var salt: String
    /// MD5 of password and salt, as the Subsonic API wants it.
    package var token: String

    /// Collects what is kept.
    package init(url: String, username: String, salt: String, token: String) {
        (self.url, self.username, self.salt, self.token) = (url, username, salt, token)
    }

    /// Reads the file; nil when there is none.
    package static func read(from path: String) throws -> CredentialsFile? {
        let text: String
        do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
            if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
            throw StateFileError(
                "can't read \(path): \(systemMessage(error)). Make it readable for the user that Segue runs as.",
                cause: error)
        }
        // The parser's error is not kept beneath: it may quote the token.
        guard let values = try? TOMLText.read(text, file: path), let url = values["url"],
            let username = values["username"], let salt = values["salt"], let token = values["token"]
        else { throw StateFileError("\(path) can't be parsed. Run `segue login` again to rewrite it.") }
        return CredentialsFile(url: url, username: username, salt: salt, token: token)
    }

    var credential: SubsonicSettings.Credential { .token(salt: salt, token: token) }

    /// Writes the file so that only its owner can read it; an old one is replaced at once or not at all.
    package func write(to path: String) throws {
        let text =
            "# Written by `segue login`. Treat it like a password.\n"
            + TOMLText.write(["url": url, "username": username, "salt": salt, "token": token])
        try PrivateFile.write(text, to: path)
    }
}

extension CredentialsFile {
    /// True if `segue login` has stored something in a state directory.
    package static func exists(in stateDirectory: String) -> Bool {
        FileManager.default.fileExists(atPath: stateDirectory + "/credentials.toml")
    }

    /// The warning about a stored address that is used in place of one in the configuration; nil if there is none.
    package static func warning(for configuration: Configuration) -> String? {
        guard let navidrome = configuration.navidrome, navidrome.url == nil,
            let stored = try? read(from: configuration.server.stateDirectory + "/credentials.toml"),
            let address = try? Configuration.serverAddress(stored.url), address.isExposed
        else { return nil }
        return "the server's address of `segue login` is not encrypted and leaves the private network; sign in again "
            + "with https, or others can read the token"
    }
}

extension Configuration {
    /// Why there is nothing to play from, or no login for the server, and the cure; nil when nothing is missing.
    package func missingSource(_ state: StateDirectory) -> String? {
        guard let navidrome else {
            guard local == nil else { return nil }
            return "There is no music yet: run `segue login URL USER` with your Navidrome's address and your name, "
                + "or add [local] with music_directory to the configuration. Segue waits for it."
        }
        do {
            _ = try SubsonicSettings(navidrome, stored: try CredentialsFile.read(from: state.credentials))
            return nil
        } catch { return (error as? StateFileError)?.message ?? "\(error)" }
    }
}

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

/// A login that `segue login` keeps while the server runs.
package enum StoredLogin {
    /// Reads the token that is kept by now, each time it is asked; the log says why it can't be used. It is nil for
    /// another server or user than the process began with, and beside a password in the configuration.
    package static func reader(
        _ navidrome: Configuration.Navidrome?, state: StateDirectory, log: Logger
    ) -> @Sendable () -> SubsonicSettings.Credential? {
        guard let navidrome, navidrome.password == nil else { return { nil } }
        let read = { @Sendable [path = state.credentials] () -> CredentialsFile? in
            do { return try CredentialsFile.read(from: path) } catch {
                log.warning("the login that was stored can't be used: \(chain: error)")
                return nil
            }
        }
        let stored = read()
        let (url, username) = (navidrome.url ?? stored?.url, navidrome.username ?? stored?.username)
        return { read().flatMap { $0.url == url && $0.username == username ? $0.credential : nil } }
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

package import Logging
import MusicModel
package import Subsonic

/// The login at the server: the configuration's, and the one that `segue login` kept where the configuration says less.
package struct ServerLogin: Sendable {
    /// The server's address.
    package let url: String
    /// The user's name.
    package let username: String
    /// A password of the configuration, or a token that was kept.
    package let credential: SubsonicSettings.Credential

    /// Puts both together.
    ///
    /// - Throws: `StateFileError` when there is no address, or no secret for the address and the user.
    package init(_ navidrome: Configuration.Navidrome, stored: CredentialsFile?) throws(StateFileError) {
        guard let url = navidrome.url ?? stored?.url, let username = navidrome.username ?? stored?.username else {
            throw StateFileError(
                "[navidrome] names no url and username. Add them, or run `segue login URL USER`, which stores them.")
        }
        (self.url, self.username) = (url, username)
        if let password = navidrome.password {
            credential = .password(password.reveal())
        } else if let stored, stored.url == url, stored.username == username {
            credential = .token(salt: stored.salt, token: stored.token)
        } else {
            throw StateFileError(
                "there is no password for \(username) at the server. Run `segue login \(url) \(username)`, or set "
                    + "navidrome.password_file or SEGUE_NAVIDROME_PASSWORD.")
        }
    }
}

/// Tells whether a login that `segue login` keeps later is for the server that this process uses.
package struct StoredLogin: Sendable {
    private let url: String?
    private let username: String?

    /// Notes the server and the user.
    ///
    /// - Parameter stored: what was kept when the process began, for what the configuration leaves out.
    /// - Returns: nil where the configuration has a password of its own, which counts alone.
    package init?(_ navidrome: Configuration.Navidrome, atStart stored: CredentialsFile?) {
        guard navidrome.password == nil else { return nil }
        (url, username) = (navidrome.url ?? stored?.url, navidrome.username ?? stored?.username)
    }

    /// The token that is kept now; nil without one, and for one of another server or user.
    package func credential(in stored: CredentialsFile?) -> SubsonicSettings.Credential? {
        guard let stored, stored.url == url, stored.username == username else { return nil }
        return .token(salt: stored.salt, token: stored.token)
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

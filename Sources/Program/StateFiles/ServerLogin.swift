package import MusicModel
package import SegueConfiguration

/// The login at the server: the configuration's, and the one that `segue login` kept where the configuration says less.
package struct ServerLogin: Hashable, Sendable {
    /// The proof that it is the user.
    package enum Secret: Hashable, Sendable {
        case password(MusicModel.Secret)
        case token(salt: String, token: String)
    }

    /// The server's address.
    package let url: String
    /// The user's name.
    package let username: String
    /// A password of the configuration, or a token that was kept.
    package let secret: Secret

    /// Puts both together.
    ///
    /// - Throws: `StateFileError` when there is no address, or no secret for the address and the user.
    package init(_ navidrome: Configuration.Navidrome, stored: CredentialsFile?) throws(StateFileError) {
        guard let url = navidrome.url ?? stored?.url, let username = navidrome.username ?? stored?.username else {
            throw StateFileError(
                "[navidrome] names no url and username. Add them, or run `segue login URL USER`, which keeps them.")
        }
        (self.url, self.username) = (url, username)
        if let password = navidrome.password {
            secret = .password(password)
        } else if let stored, stored.url == url, stored.username == username {
            secret = .token(salt: stored.salt, token: stored.token)
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
    package func token(in stored: CredentialsFile?) -> (salt: String, token: String)? {
        guard let stored, stored.url == url, stored.username == username else { return nil }
        return (stored.salt, stored.token)
    }
}

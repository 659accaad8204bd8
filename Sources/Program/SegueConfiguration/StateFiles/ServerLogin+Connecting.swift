import Logging
import MusicModel
package import Subsonic

extension NavidromeSession {
    /// A session that a token kept in the state directory carries on where no password is known.
    package convenience init(
        _ client: SubsonicClient, keptIn state: StateDirectory, for settings: SubsonicSettings
    ) {
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

extension SubsonicSettings {
    /// The server of the configuration, with the credential that `segue login` kept where the configuration has none.
    ///
    /// - Throws: `StateFileError` when there is no credential.
    package init(_ navidrome: Configuration.Navidrome, state: StateDirectory) throws {
        let login = try ServerLogin(navidrome, stored: try CredentialsFile.read(from: state.credentials))
        self.init(url: login.url, username: login.username, credential: login.credential)
        passProxies(navidrome)
    }

    /// Takes over what lets requests through to the server.
    package mutating func passProxies(_ navidrome: Configuration.Navidrome) {
        headers = navidrome.headers.map { ($0.name, $0.value.reveal()) }
        certificate = navidrome.certificate
    }
}

import Foundation
import Subsonic

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

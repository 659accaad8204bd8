import Foundation

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
        self.url = url
        self.username = username
        self.salt = salt
        self.token = token
    }

    /// Reads the file; nil when there is none.
    ///
    /// - Throws: `StateFileError` when it can't be read or understood.
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
        else {
            throw StateFileError("\(path) can't be parsed. Run `segue login` again to rewrite it.")
        }
        return CredentialsFile(url: url, username: username, salt: salt, token: token)
    }

    /// Writes the file so that only its owner can read it; an old one is replaced at once or not at all.
    package func write(to path: String) throws {
        let text =
            "# Written by `segue login`. Treat it like a password.\n"
            + TOMLText.write(["url": url, "username": username, "salt": salt, "token": token])
        try PrivateFile.write(text, to: path)
    }
}

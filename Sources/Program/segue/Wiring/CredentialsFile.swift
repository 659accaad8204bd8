import Foundation
import SegueConfiguration

/// What `segue login` keeps: enough to log in again, but not the password.
struct CredentialsFile {
    /// The server's address.
    var url: String
    /// The user's name.
    var username: String
    /// The salt that the token was made with.
    var salt: String
    /// MD5 of password and salt, as the Subsonic API wants it.
    var token: String

    /// Whether `segue login` has stored something in a state directory.
    static func exists(in stateDirectory: String) -> Bool {
        FileManager.default.fileExists(atPath: stateDirectory + "/credentials.toml")
    }

    /// Reads the file; nil when there is none.
    static func read(from path: String) throws -> CredentialsFile? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        guard let values = try? TOMLStrings.read(text, file: path), let url = values["url"],
            let username = values["username"], let salt = values["salt"], let token = values["token"]
        else {
            throw CommandFailure("\(path) can't be understood. Run `segue login` again; it writes the file anew.")
        }
        return CredentialsFile(url: url, username: username, salt: salt, token: token)
    }

    /// What is to be said about a stored address that is used in place of one in the configuration; nil if nothing.
    static func warning(for configuration: Configuration) -> String? {
        guard let navidrome = configuration.navidrome, navidrome.url == nil,
            let stored = try? read(from: configuration.server.stateDirectory + "/credentials.toml"),
            let address = try? Configuration.serverAddress(stored.url), address.isExposed
        else { return nil }
        return "the server's address of `segue login` is not encrypted and leaves the private network; sign in again "
            + "with https, or the token can be read on the way"
    }

    /// Writes the file so that only its owner can read it; an old one is replaced at once or not at all.
    func write(to path: String) throws {
        let text =
            "# Written by `segue login`. Treat it like a password.\n"
            + TOMLStrings.write(["url": url, "username": username, "salt": salt, "token": token])
        try PrivateFile.write(text, to: path)
    }
}

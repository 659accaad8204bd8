import Foundation

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

/// A configuration without anything to play from, or without the login for its server.
package struct MissingSource {
    /// The cause and the cure, in a sentence for a person.
    package let advice: String

    /// Finds out what is missing; nil when nothing is.
    package init?(_ configuration: Configuration, state: StateDirectory) {
        if let navidrome = configuration.navidrome {
            do {
                _ = try ServerLogin(navidrome, stored: try CredentialsFile.read(from: state.credentials))
                return nil
            } catch {
                advice = (error as? StateFileError)?.message ?? "\(error)"
            }
        } else if configuration.local == nil {
            advice =
                "There is no music yet: run `segue login URL USER` with your Navidrome's address and your name, "
                + "or add [local] with music_directory to the configuration. Segue waits for it."
        } else {
            return nil
        }
    }
}

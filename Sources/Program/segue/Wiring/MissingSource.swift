import Foundation
import SegueConfiguration
import StateFiles
import Subsonic

/// A configuration without anything to play from, or without the login for its server.
struct MissingSource {
    /// The cause and the cure, in a sentence for a person.
    let advice: String

    /// Finds out what is missing; nil when nothing is.
    init?(_ configuration: Configuration, state: StateDirectory) {
        if let navidrome = configuration.navidrome {
            do {
                _ = try SubsonicSettings(navidrome, state: state)
                return nil
            } catch {
                advice = Failures.known(error)?.message ?? "\(error)"
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

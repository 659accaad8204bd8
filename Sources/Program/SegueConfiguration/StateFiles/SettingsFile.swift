import Foundation
import MusicModel

/// The file `settings.toml` of a state directory, in which the page keeps what is set there.
package enum SettingsFile {
    /// The bytes that it may have; the page writes some hundred.
    private static let limit = 64 << 10

    /// The file of a state directory.
    package static func path(in stateDirectory: String) -> String { stateDirectory + "/settings.toml" }

    /// Reads it. A file that can't be read is a trouble to be told, and never an error.
    package static func read(in stateDirectory: String, hasLogin: Bool = false) -> KeptSettings {
        var kept = KeptSettings(file: path(in: stateDirectory), hasLogin: hasLogin)
        do {
            kept.text = String(validating: try RegularFile.read(kept.file, upTo: limit), as: UTF8.self)
            if kept.text == nil { kept.trouble = "it is not UTF-8 text" }
        } catch RegularFile.Problem.missing {
        } catch {
            kept.trouble = "it can't be read: \(error)"
        }
        return kept
    }
}

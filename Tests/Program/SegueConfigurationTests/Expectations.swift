import SegueConfiguration
import Testing

/// Parses a text as `segue.toml` for a user whose folder is `/home/me`.
func parse(_ text: String, _ environment: [String: String] = [:]) throws -> Configuration {
    try Configuration.parse(
        text, file: "segue.toml", environment: environment.merging(["HOME": "/home/me"]) { given, _ in given })
}

/// The description of the error that a text ends in; nil when it is accepted.
func complaint(_ text: String, _ environment: [String: String] = [:]) -> String? {
    do {
        _ = try parse(text, environment)
        return nil
    } catch {
        return "\(error)"
    }
}

/// A text, and what is said about it.
struct Wrong: Sendable, CustomTestStringConvertible {
    let text: String
    let says: String

    init(_ text: String, _ says: String) {
        self.text = text
        self.says = says
    }

    var testDescription: String { says }
}

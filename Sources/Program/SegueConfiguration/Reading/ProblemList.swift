import MusicModel

/// Collects everything that is wrong, so that the first line of the file that is wrong gets reported.
final class ProblemList {
    private let file: String
    private var errors: [ConfigurationError] = []
    /// The keys with values that each section may have, by the section's name; known once the section was read.
    private(set) var settings: [String: Set<String>] = [:]
    /// Of these, the keys with a default.
    private(set) var defaults: [String: Set<String>] = [:]

    /// The keys that the page may set, with their values, in the order of the lines that read them.
    private(set) var writable: [Setting] = []
    /// The sections of which there may be several.
    private(set) var lists: Set<String> = []
    /// Warnings of what is allowed but risky, each a sentence.
    var warnings: [String] = []
    /// True where the file itself has a secret in it.
    var holdsSecrets = false
    /// The paths of files that secrets come from.
    var secretFiles: [String] = []

    /// Starts an empty list for a file.
    init(file: String) { self.file = file }

    /// Notes that a node's key or value is wrong.
    func add(_ node: Node, _ message: String) {
        if let variable = node.variable {
            add(variable: variable, message)
        } else if let file = node.file {
            // Its lines are no people's; they come after those of the configuration file.
            errors.append(ConfigurationError(code: .value, file: file, key: node.path, message: message))
        } else {
            add(key: node.path, line: node.line, message)
        }
    }

    /// Notes that a key is wrong.
    func add(key: String, line: Int?, _ message: String) {
        let known = file.isEmpty ? nil : file
        errors.append(ConfigurationError(code: .value, file: known, line: line, key: key, message: message))
    }

    /// Notes that an environment variable is wrong.
    func add(variable: String, _ message: String) {
        errors.append(ConfigurationError(code: .value, file: "environment", key: variable, message: message))
    }

    /// Notes which keys a section may have.
    func note(settings keys: Set<String>, of section: String) { settings[section, default: []].formUnion(keys) }

    func note(default key: String, of section: String) { defaults[section, default: []].insert(key) }

    /// Notes the value of a key that the page may set.
    func note(_ setting: Setting) { writable.append(setting) }

    /// Notes a section of which there may be several.
    func note(list section: String) { lists.insert(section) }

    /// Throws what is first in the file; the environment and what has no line come last.
    func throwFirst() throws(ConfigurationError) {
        var first: ConfigurationError?
        for error in errors where first == nil || (error.line ?? .max) < (first?.line ?? .max) { first = error }
        if let first { throw first }
    }
}

/// The problem with a value, without its position.
package struct ValueComplaint: Error {
    /// The sentence after the key's name.
    let message: String

    /// Makes a complaint.
    package init(_ message: String) { self.message = message }
}

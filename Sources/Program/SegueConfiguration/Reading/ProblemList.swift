package import MusicModel

/// Collects everything that is wrong, so that the first line of the file that is wrong gets reported.
final class ProblemList {
    private let file: String
    private var errors: [ConfigurationError] = []
    /// The keys with values that each section may have, by the section's name; known once the section was read.
    var settings: [String: Set<String>] = [:]
    /// Of these, the keys with a default.
    var defaults: [String: Set<String>] = [:]

    /// The keys that the page may set, with their values, in the order of the lines that read them.
    var writable: [Setting] = []
    /// The sections of which there may be several.
    var lists: Set<String> = []
    var warnings: [String] = []
    var holdsSecrets = false
    var secretFiles: [String] = []

    init(file: String) { self.file = file }

    func add(_ node: Node, _ message: String) {
        if let variable = node.variable {
            add(variable: variable, message)
        } else if let file = node.file {
            // Its lines are no people's; they come after those of the configuration file.
            errors.append(ConfigurationError(file: file, key: node.path, message: message))
        } else {
            add(key: node.path, line: node.line, message)
        }
    }

    func add(key: String, line: Int?, _ message: String) {
        let known = file.isEmpty ? nil : file
        errors.append(ConfigurationError(file: known, line: line, key: key, message: message))
    }

    func add(variable: String, _ message: String) {
        errors.append(ConfigurationError(file: "environment", key: variable, message: message))
    }

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

/// A value of the configuration with its position, so that every complaint can name it.
package struct Node: Sendable {
    indirect enum Value: Sendable {
        case string(String)
        case integer(Int)
        case number(Double)
        case boolean(Bool)
        case array([Node])
        case table([String: Node])
        /// From the environment, where everything is text.
        case text(String)
    }

    var value: Value
    /// The key with its sections, such as `server.listen`.
    var path: String
    var line: Int?
    /// The environment variable that the value comes from.
    var variable: String?
    /// The file that the value comes from, where that is not the configuration file.
    var file: String?

    /// The value in words; strings are quoted unless they may be secrets.
    func found(isSecret: Bool) -> String {
        switch value {
        case .string(let text), .text(let text): isSecret ? "a text" : "\"\(text)\""
        case .integer(let number): isSecret ? "a number" : "the number \(number)"
        case .number(let number): isSecret ? "a number" : "the number \(number)"
        case .boolean(let flag): "\(flag)"
        case .array: "a list"
        case .table: "a section"
        }
    }
}

/// Why a configuration can't be used; its description is one line that says what to change.
package struct ConfigurationError: ChainedError, Hashable, Sendable {
    /// The file as it was given, or `environment`.
    package var file: String?
    /// The line in the file, counted from 1.
    package var line: Int?
    /// The key, such as `server.listen`, or the environment variable.
    package var key: String?
    /// The error and the cure; never the text of a secret.
    package var message: String
    package let origin: ErrorOrigin

    /// Describes some trouble; the cause is never an error that quotes the file, which may hold passwords.
    package init(
        file: String? = nil, line: Int? = nil, key: String? = nil, message: String,
        cause: (any Error)? = nil, sourceFile: StaticString = #fileID, sourceLine: UInt = #line
    ) {
        (self.file, self.line, self.key, self.message) = (file, line, key, message)
        origin = ErrorOrigin(cause, file: sourceFile, line: sourceLine)
    }

    /// For example `segue.toml:12: server.listne: unknown key; did you mean server.listen?`.
    package var description: String {
        var text = ""
        if let file {
            text += file
            if let line { text += ":\(line)" }
            text += ": "
        }
        if let key { text += key + ": " }
        return text + message
    }
}

import MusicModel

/// How the page may set a key. Such a key is useful without a text editor, and harmless in the hands of any
/// administrator over the network: it names no address, host, path, program, password, permission or output, and does
/// not let the disk fill up.
enum PageAccess {
    /// The running server takes a new value over at once.
    case atOnce
    /// A new value counts after a restart.
    case afterRestart
}

/// The keys that the lines of all sections declare.
package enum DeclaredKeys {
    private static let declared: (keys: [String: Set<String>], writable: [String], lists: Set<String>) = {
        let problems = ProblemList(file: "")
        let nothing = Node(value: .table([:]), path: "")
        _ = ConfigurationReader(directories: DefaultDirectories(environment: [:]), problems: problems).read(nothing)
        return (problems.settings, problems.writable.map(\.key), problems.lists)
    }()

    /// All keys of single sections, by section.
    static let all = declared.keys.filter { !$0.key.isEmpty }.mapValues { $0.sorted() }

    /// The keys that the page may set, in the order in which they are shown.
    package static var writable: [String] { declared.writable }

    /// Says why the page may not set a key; nil when it may.
    static func refusal(of key: String) -> SettingRefusal? {
        if writable.contains(key) { return nil }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let section = parts.dropLast().joined(separator: ".")
        let isKnown = all[section]?.contains(parts.last ?? "") == true
        if isKnown || declared.lists.contains(where: { key == $0 || key.hasPrefix($0 + ".") }) {
            return SettingRefusal(
                .forbidden, key, "\(key) can only be set in the configuration file or the environment.")
        }
        let guess = Suggestion.nearest(to: key, among: writable).map { "; did you mean \($0)?" } ?? "."
        return SettingRefusal(.unknown, key, "The configuration has no key of this name\(guess)")
    }
}

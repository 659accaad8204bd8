import MusicModel

/// How the page may set a key. Such a key is useful without a text editor, and harmless in the hands of any
/// administrator over the network: it names no address, host, path, program, password, permission or output, and does
/// not let the disk fill up.
package enum PageAccess {
    /// The running server takes a new value over at once.
    case atOnce
    /// A new value counts after a restart.
    case afterRestart
}

/// The keys that the lines of all sections declare.
package struct DeclaredKeys: Sendable {
    /// All keys of single sections, by section.
    let all: [String: [String]]
    /// The keys that the page may set, in the order in which they are shown.
    package let writable: [String]
    private let lists: Set<String>
    /// The sections that extensions declare.
    let extensions: [any ExtensionSection.Type]

    /// Collects the program's, and those that extensions declare.
    package init(_ extensions: [any ExtensionSection.Type] = []) {
        self.extensions = extensions
        let problems = ProblemList(file: "")
        let directories = DefaultDirectories(environment: [:])
        _ = ConfigurationReader(directories: directories, problems: problems, extensions: extensions)
            .read(Node(value: .table([:]), path: ""))
        all = problems.settings.filter { !$0.key.isEmpty }.mapValues { $0.sorted() }
        (writable, lists) = (problems.writable.map(\.key), problems.lists)
    }

    /// Says why the page may not set a key; nil when it may.
    func refusal(of key: String) -> SettingRefusal? {
        if writable.contains(key) { return nil }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let section = parts.dropLast().joined(separator: ".")
        let isKnown = all[section]?.contains(parts.last ?? "") == true
        if isKnown || lists.contains(where: { key == $0 || key.hasPrefix($0 + ".") }) {
            return SettingRefusal(
                .forbidden, key, "\(key) can only be set in the configuration file or the environment.")
        }
        let guess = Suggestion.nearest(to: key, among: writable).map { "; did you mean \($0)?" } ?? "."
        return SettingRefusal(.unknown, key, "The configuration has no key of this name\(guess)")
    }
}

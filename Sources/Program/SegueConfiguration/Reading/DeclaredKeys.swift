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
struct DeclaredKeys: Sendable {
    /// All keys of single sections, by section.
    let all: [String: [String]]
    /// The keys that the page may set, in the order in which they are shown.
    let writable: [String]
    private let lists: Set<String>
    let extensions: [any ExtensionSection.Type]

    init(_ extensions: [any ExtensionSection.Type] = []) {
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

/// Values from the environment: `SEGUE_SERVER_LOG_LEVEL` stands for `server.log_level`, and so on. Lists take commas
/// between their parts.
struct EnvironmentOverrides {
    private var nodes: [String: [String: Node]] = [:]

    /// Takes what concerns us; a name that starts like a section's but names no key is noted as a problem.
    init(_ environment: [String: String], _ declared: DeclaredKeys, problems: ProblemList) {
        for (variable, text) in environment.sorted(by: { $0.key < $1.key }) {
            for (section, keys) in declared.all.sorted(by: { $0.key.count > $1.key.count }) {
                let prefix = "SEGUE_\(section.uppercased().replacing(".", with: "_"))_"
                guard variable.hasPrefix(prefix) else { continue }
                let key = variable.dropFirst(prefix.count).lowercased()
                guard keys.contains(key) else {
                    let guess = Suggestion.nearest(to: key, among: keys).map { prefix + $0.uppercased() }
                    problems.add(variable: variable, "names no setting" + (guess.map { "; did you mean \($0)?" } ?? ""))
                    break
                }
                nodes[section, default: [:]][key] = Node(
                    value: .text(text), path: "\(section).\(key)", variable: variable)
                // A section inside of another comes before it.
                break
            }
        }
    }

    func applied(to root: Node) -> Node {
        // Outer sections first, since those inside of them are put into the result.
        nodes.sorted { $0.key.count < $1.key.count }.reduce(root) { root, section in
            root.changing(section.key.split(separator: ".").map(String.init)[...]) { entries in
                // A password from the environment replaces whichever of the two forms the file has.
                for key in ["password", "api_key"] {
                    if section.value[key] != nil { entries[key + "_file"] = nil }
                    if section.value[key + "_file"] != nil { entries[key] = nil }
                }
                entries.merge(section.value) { _, new in new }
            }
        }
    }
}

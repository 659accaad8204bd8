import MusicModel

/// Takes values out of one section and notices keys that don't exist.
package struct SectionReader {
    /// The section's name with those around it, such as `server.password`.
    let path: String
    /// The user's folder, for `~` in paths; nil for a user without one.
    package var home: String? { directories.home }
    let line: Int?
    /// True where the section was written at all.
    package let isPresent: Bool
    let problems: ProblemList
    let directories: DefaultDirectories
    private let entries: [String: Node]
    private var asked: Set<String> = []
    /// Of these, the keys with values of their own, which are neither sections nor lists of sections.
    private var settings: Set<String> = []

    /// Opens a section; a node that is no section is complained about and read as an empty one.
    init(_ node: Node?, path: String, problems: ProblemList, directories: DefaultDirectories) {
        self.path = path
        (self.problems, self.directories) = (problems, directories)
        line = node?.line
        isPresent = node != nil
        guard let node else {
            entries = [:]
            return
        }
        if case .table(let entries) = node.value {
            self.entries = entries
        } else {
            entries = [:]
            problems.add(node, "expected one section, [\(path)], found \(node.found(isSecret: true))")
        }
    }

    var knownKeys: Set<String> { asked }

    /// Reads a key into the property that holds its default, which stays when the key is not set or wrong.
    ///
    /// This line, and the property, are all that the program has of a key: what the environment may set, which keys
    /// exist, and which of them have a default to be shown in `conf/segue.toml` follow from them.
    /// - Parameter page: how the page may set the key; nil where it may not.
    package mutating func read<Value>(
        _ key: String, _ kind: ValueKind<Value>, into property: inout Value, page: PageAccess? = nil
    ) {
        if (property as? any Collection)?.isEmpty != true { problems.defaults[path, default: []].insert(key) }
        if let value = value(key, kind) { property = value }
        guard let page, let form = kind.form else { return }
        var setting = Setting(
            key: "\(path).\(key)", shape: form.shape, value: form.show(property), source: source(of: entries[key]))
        setting.isTakenOverAtOnce = page == .atOnce
        problems.writable.append(setting)
    }

    private func source(of node: Node?) -> Setting.Source {
        guard let node else { return .standard }
        if node.variable != nil { return .environment }
        return node.file == nil ? .file : .page
    }

    /// The same for a property that is nil as long as its key is not set.
    package mutating func read<Value>(_ key: String, _ kind: ValueKind<Value>, into property: inout Value?) {
        if let value = value(key, kind) { property = value }
    }

    /// The value of a key; nil when it is not set or wrong, and then that is noted.
    package mutating func value<Value>(_ key: String, _ kind: ValueKind<Value>) -> Value? {
        settings.insert(key)
        guard let node = node(key) else { return nil }
        if kind.isSecret, Value.self == Secret.self, node.variable == nil { problems.holdsSecrets = true }
        do {
            return try kind.value(of: node)
        } catch {
            problems.add(node, error.message)
            return nil
        }
    }

    /// The value of a key that must be set; `example` shows how.
    package mutating func required<Value>(_ key: String, _ kind: ValueKind<Value>, example: String) -> Value? {
        if entries[key] == nil, isPresent {
            problems.add(key: "\(path).\(key)", line: line, "missing; write \(example)")
        }
        return value(key, kind)
    }

    mutating func node(_ key: String) -> Node? {
        asked.insert(key)
        return entries[key]
    }

    /// True where a key was written.
    package mutating func has(_ key: String) -> Bool { node(key) != nil }

    mutating func section(_ key: String) -> SectionReader {
        SectionReader(node(key), path: fullName(of: key), problems: problems, directories: directories)
    }

    private func fullName(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    mutating func list(_ key: String) -> [SectionReader] {
        let path = fullName(of: key)
        problems.lists.insert(path)
        guard let node = node(key) else { return [] }
        guard case .array(let nodes) = node.value else {
            problems.add(node, "expected sections in double brackets, [[\(path)]], found \(node.found(isSecret: true))")
            return []
        }
        return nodes.map { SectionReader($0, path: path, problems: problems, directories: directories) }
    }

    /// Notes that a key's value is wrong for a reason that only the whole section shows.
    package func complain(_ key: String, _ message: String) {
        if let node = entries[key] {
            problems.add(node, message)
        } else {
            problems.add(key: fullName(of: key), line: line, message)
        }
    }

    /// Warns of an address of a server on the way to which others could read `risk`.
    package func warnIfExposed(_ key: String, _ url: String, risk: String) {
        guard PrivateAddress.isExposed(url) else { return }
        problems.warnings.append(
            "\(fullName(of: key)) is not encrypted and leaves the private network; use https, or others can read "
                + risk)
    }

    /// Notes every unknown key; `elsewhere` maps keys of other sections to their full names.
    func finish(elsewhere: [String: String] = [:]) {
        problems.settings[path, default: []].formUnion(settings)
        for (key, node) in entries where !asked.contains(key) {
            let prefix = path.isEmpty ? "" : path + "."
            let guess = elsewhere[key] ?? Suggestion.nearest(to: key, among: asked.sorted()).map { prefix + $0 }
            problems.add(node, "unknown key" + (guess.map { "; did you mean \($0)?" } ?? ""))
        }
    }
}

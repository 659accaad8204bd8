import MusicModel

/// Takes values out of one section and notices keys that don't exist.
struct SectionReader {
    /// The section's name with those around it, such as `server.password`.
    let path: String
    /// Where the section starts.
    let line: Int?
    /// Whether it was written at all.
    let isPresent: Bool
    private let problems: ProblemList
    private let entries: [String: Node]
    private var asked: Set<String> = []
    /// Of these, the keys with values of their own, which are neither sections nor lists of sections.
    private var settings: Set<String> = []

    /// Opens a section; a node that is no section is complained about and read as an empty one.
    init(_ node: Node?, path: String, problems: ProblemList) {
        self.path = path
        self.problems = problems
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

    /// The keys that were asked for so far.
    var knownKeys: Set<String> { asked }

    /// Reads a key into the property that holds its default, which stays when the key is not set or wrong.
    ///
    /// This line, and the property, are all that the program has of a key: what the environment may set, which keys
    /// exist, and which of them have a default to be shown in `conf/segue.toml` follow from them.
    ///
    /// - Parameter page: how the page may set the key; nil where it may not.
    mutating func read<Value>(
        _ key: String, _ kind: ValueKind<Value>, into property: inout Value, page: PageAccess? = nil
    ) {
        if (property as? any Collection)?.isEmpty != true { problems.note(default: key, of: path) }
        if let value = value(key, kind) { property = value }
        if let page { noteForPage(key, kind, property, page) }
    }

    /// Tells the page of a key that it may set.
    private func noteForPage<Value>(_ key: String, _ kind: ValueKind<Value>, _ value: Value, _ page: PageAccess) {
        guard let form = kind.form else { return }
        var setting = Setting(
            key: "\(path).\(key)", shape: form.shape, value: form.show(value), source: source(of: entries[key]))
        setting.isTakenOverAtOnce = page == .atOnce
        problems.note(setting)
    }

    private func source(of node: Node?) -> Setting.Source {
        guard let node else { return .standard }
        if node.variable != nil { return .environment }
        return node.file == nil ? .file : .page
    }

    /// The same for a property that is nil as long as its key is not set.
    mutating func read<Value>(_ key: String, _ kind: ValueKind<Value>, into property: inout Value?) {
        if let value = value(key, kind) { property = value }
    }

    /// The value of a key; nil when it is not set or wrong, and then that is noted.
    mutating func value<Value>(_ key: String, _ kind: ValueKind<Value>) -> Value? {
        settings.insert(key)
        guard let node = node(key) else { return nil }
        do {
            return try kind.value(of: node)
        } catch {
            problems.add(node, error.message)
            return nil
        }
    }

    /// The value of a key that must be set; `example` shows how.
    mutating func required<Value>(_ key: String, _ kind: ValueKind<Value>, example: String) -> Value? {
        if entries[key] == nil, isPresent {
            problems.add(key: "\(path).\(key)", line: line, "missing; write \(example)")
        }
        return value(key, kind)
    }

    /// The value of a key as it was written.
    mutating func node(_ key: String) -> Node? {
        asked.insert(key)
        return entries[key]
    }

    /// Opens a section inside of this one, `[path.name]`.
    mutating func section(_ key: String) -> SectionReader {
        SectionReader(node(key), path: "\(path).\(key)", problems: problems)
    }

    /// Opens the sections of a list, `[[name]]`.
    mutating func list(_ key: String) -> [SectionReader] {
        let path = self.path.isEmpty ? key : "\(self.path).\(key)"
        problems.note(list: path)
        guard let node = node(key) else { return [] }
        guard case .array(let nodes) = node.value else {
            problems.add(node, "expected sections in double brackets, [[\(path)]], found \(node.found(isSecret: true))")
            return []
        }
        return nodes.map { SectionReader($0, path: path, problems: problems) }
    }

    /// Notes that a key's value is wrong for a reason that only the whole section shows.
    func complain(_ key: String, _ message: String) {
        if let node = entries[key] {
            problems.add(node, message)
        } else {
            problems.add(key: path.isEmpty ? key : "\(path).\(key)", line: line, message)
        }
    }

    /// Notes every unknown key; `elsewhere` maps keys of other sections to their full names.
    func finish(elsewhere: [String: String] = [:]) {
        problems.note(settings: settings, of: path)
        for (key, node) in entries where !asked.contains(key) {
            let prefix = path.isEmpty ? "" : path + "."
            let guess =
                elsewhere[key] ?? Suggestion.nearest(to: key, among: asked.sorted()).map { prefix + $0 }
            problems.add(node, "unknown key" + (guess.map { "; did you mean \($0)?" } ?? ""))
        }
    }
}

import MusicModel

/// The values of `settings.toml`, which lie over those of the configuration file and below those of the environment.
///
/// The program wrote the file, but it is read as a stranger's: keys that the page may not set are left out, and so is
/// each value that the configuration's reader refuses. The server starts in any case.
struct PageOverrides: Sendable {
    /// The path of `settings.toml`.
    let file: String
    /// The values by their keys.
    private(set) var nodes: [String: Node] = [:]
    /// The file's faults, without its path.
    private var complaints: [String] = []

    /// How many complaints are told; a file may have any number of wrong lines.
    private static let shownComplaints = 3

    /// Reads the text.
    init(_ kept: KeptSettings, _ declared: DeclaredKeys) {
        file = kept.file
        if let trouble = kept.trouble { complaints.append(trouble) }
        guard let text = kept.text else { return }
        do throws(ConfigurationError) {
            take(try Node(toml: text, file: kept.file), writable: Set(declared.writable))
        } catch {
            complaints.append((error.line.map { "line \($0): " } ?? "") + error.message)
        }
    }

    private mutating func take(_ node: Node, writable: Set<String>) {
        guard case .table(let entries) = node.value else {
            if writable.contains(node.path) {
                nodes[node.path] = node.moved(to: file)
            } else {
                complaints.append("\(node.path): can't be set on the page")
            }
            return
        }
        for (_, entry) in entries.sorted(by: { ($0.value.line ?? 0, $0.key) < ($1.value.line ?? 0, $1.key) }) {
            take(entry, writable: writable)
        }
    }

    /// One line about what is wrong with the file and therefore ignored; nil when nothing is.
    var warning: String? {
        guard !complaints.isEmpty else { return nil }
        var told = complaints.prefix(Self.shownComplaints).joined(separator: "; ")
        if complaints.count > Self.shownComplaints { told += "; and \(complaints.count - Self.shownComplaints) more" }
        return "\(file), written by the page, is ignored in whole or in part: \(told)"
    }

    /// Removes the key that an error is about, or all of them when the complaint is about none of them.
    mutating func remove(_ error: ConfigurationError) {
        if error.file == file, let key = error.key, nodes[key] != nil {
            nodes[key] = nil
            complaints.append("\(key): \(error.message)")
        } else {
            nodes = [:]
            complaints.append("it makes the configuration invalid (\(error))")
        }
    }

    /// Puts values in, or takes them out where they are nil.
    mutating func change(_ changes: [String: SettingValue?]) {
        for (key, value) in changes {
            nodes[key] = value.map { Node(value: Node.Value($0), path: key, file: file) }
        }
    }

    // MARK: Over the configuration

    /// Puts the values over those of a configuration that already has the environment's.
    func applied(to root: Node) -> Node {
        nodes.reduce(root) { root, entry in
            Self.put(entry.value, into: root, at: entry.key.split(separator: ".").map(String.init)[...])
        }
    }

    private static func put(_ value: Node, into node: Node, at path: ArraySlice<String>) -> Node {
        guard case .table(var entries) = node.value, let name = path.first else { return node }
        if path.count > 1 {
            guard let inner = entries[name] ?? emptySection(name) else { return node }
            entries[name] = put(value, into: inner, at: path.dropFirst())
        } else if entries[name]?.variable == nil {
            entries[name] = value
        }
        var node = node
        node.value = .table(entries)
        return node
    }

    /// A section that is not written; that of the server would add one, with which there is none to talk to.
    private static func emptySection(_ name: String) -> Node? {
        name == "navidrome" ? nil : Node(value: .table([:]), path: name)
    }

    // MARK: As a text

    /// The file's text.
    var text: String {
        var sections: [String: [String]] = [:]
        for (key, node) in nodes.sorted(by: { $0.key < $1.key }) {
            guard let dot = key.utf8.lastIndex(of: UInt8(ascii: ".")), let value = node.toml else { continue }
            sections[String(key[..<dot]), default: []].append("\(key[key.index(after: dot)...]) = \(value)\n")
        }
        return "# Set on the page, which rewrites this file with each change. It counts more than segue.toml.\n"
            + sections.sorted { $0.key < $1.key }.map { "[\($0.key)]\n\($0.value.joined())" }.joined()
    }
}

extension Node {
    /// The same as of another file than the configuration's.
    fileprivate func moved(to file: String) -> Node {
        var node = self
        node.file = file
        return node
    }

    /// The value for a TOML file; nil for what no setting has.
    fileprivate var toml: String? {
        switch value {
        case .string(let text), .text(let text): TOMLText.string(text)
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .array(let nodes): "[\(nodes.compactMap(\.plainText).map(TOMLText.string).joined(separator: ", "))]"
        case .table: nil
        }
    }
}

extension Node.Value {
    /// A setting's value as the file has it.
    fileprivate init(_ value: SettingValue) {
        self =
            switch value {
            case .flag(let flag): .boolean(flag)
            case .integer(let number): .integer(number)
            case .number(let number): .number(number)
            case .text(let text): .string(text)
            case .list(let texts): .array(texts.map { Node(value: .string($0), path: "") })
            }
    }
}

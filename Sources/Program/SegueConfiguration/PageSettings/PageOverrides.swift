import MusicModel

/// The values of `settings.toml`, which lie over those of the configuration file and below those of the environment.
/// The program wrote the file, but it is read as a stranger's: keys that the page may not set are left out, and so is
/// each value that the configuration's reader refuses. The server starts in any case.
struct PageOverrides: Sendable {
    let file: String
    private(set) var nodes: [String: Node] = [:]
    private var complaints: [String] = []

    private static let shownComplaints = 3

    init(_ kept: KeptSettings, _ declared: DeclaredKeys) {
        file = kept.file
        if let trouble = kept.trouble { complaints.append(trouble) }
        guard let text = kept.text else { return }
        do throws(ConfigurationError) {
            take(try Node(toml: text, file: kept.file), writable: Set(declared.writable))
        } catch { complaints.append((error.line.map { "line \($0): " } ?? "") + error.message) }
    }

    private mutating func take(_ node: Node, writable: Set<String>) {
        guard case .table(let entries) = node.value else {
            if writable.contains(node.path) {
                nodes[node.path] = node
                nodes[node.path]?.file = file
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

    mutating func change(_ changes: [String: SettingValue?]) {
        for (key, value) in changes {
            nodes[key] = value.map { Node(value: Node.Value($0), path: key, file: file) }
        }
    }

    func applied(to root: Node) -> Node {
        nodes.reduce(root) { root, entry in
            let path = entry.key.split(separator: ".").map(String.init)
            // A section of the server's that is not written would add one, with which there is none to talk to.
            guard let name = path.last, path[0] != "navidrome" || root.has("navidrome") else { return root }
            return root.changing(path.dropLast()) { entries in
                if entries[name]?.variable == nil { entries[name] = entry.value }
            }
        }
    }

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

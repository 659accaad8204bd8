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
                    problems.add(
                        variable: variable, "names no setting" + (guess.map { "; did you mean \($0)?" } ?? ""))
                    break
                }
                nodes[section, default: [:]][key] = Node(
                    value: .text(text), path: "\(section).\(key)", variable: variable)
                // A section inside of another comes before it.
                break
            }
        }
    }

    /// Puts the values over those of the file.
    func applied(to root: Node) -> Node {
        var root = root
        // Outer sections first, since those inside of them are put into the result.
        for (name, overrides) in nodes.sorted(by: { $0.key.count < $1.key.count }) {
            root = Self.put(overrides, into: root, at: name.split(separator: ".").map(String.init)[...])
        }
        return root
    }

    private static func put(_ overrides: [String: Node], into node: Node, at path: ArraySlice<String>) -> Node {
        // A value that is no section stays, to be complained about.
        guard case .table(var entries) = node.value else { return node }
        if let name = path.first {
            let fullName = node.path.isEmpty ? name : "\(node.path).\(name)"
            let inner = entries[name] ?? Node(value: .table([:]), path: fullName)
            entries[name] = put(overrides, into: inner, at: path.dropFirst())
        } else {
            // A password from the environment replaces whichever of the two forms the file has.
            for key in ["password", "api_key"] {
                if overrides[key] != nil { entries[key + "_file"] = nil }
                if overrides[key + "_file"] != nil { entries[key] = nil }
            }
            entries.merge(overrides) { _, new in new }
        }
        var node = node
        node.value = .table(entries)
        return node
    }
}

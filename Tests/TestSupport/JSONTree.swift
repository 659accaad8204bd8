import Foundation

/// A JSON text as a tree, to change honest answers into others. Its leaves are texts of JSON, so that they may be such
/// as no encoder writes.
package indirect enum JSONTree: Decodable, Sendable {
    /// What stands there as it is: a text with its quotes, a number, `true`, `null`, or no JSON at all.
    case raw(String)
    /// A list.
    case array([JSONTree])
    /// An object.
    case object([String: JSONTree])

    /// The kinds of values that are changed.
    package enum Kind: Sendable {
        case text, number, array, object
    }

    /// Reads a tree.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let members = try? container.decode([String: JSONTree].self) {
            self = .object(members)
        } else if let elements = try? container.decode([JSONTree].self) {
            self = .array(elements)
        } else if let text = try? container.decode(String.self) {
            self = .raw(Self.quoted(text))
        } else if let truth = try? container.decode(Bool.self) {
            self = .raw(truth ? "true" : "false")
        } else if let number = try? container.decode(Int64.self) {
            self = .raw(String(number))
        } else if let number = try? container.decode(Double.self) {
            self = .raw(String(number))
        } else {
            self = .raw("null")
        }
    }

    /// Reads an honest answer; nil for what is no JSON.
    package init?(_ bytes: [UInt8]) {
        guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes)) else { return nil }
        self = tree
    }

    /// A text as JSON.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The JSON text, the members in the order of their names.
    package var text: String {
        switch self {
        case .raw(let text): text
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { Self.quoted($0.key) + ":" + $0.value.text }
                .joined(separator: ",") + "}"
        }
    }

    /// The answer of a Subsonic server with all values of some kinds replaced, but for those of its frame.
    ///
    /// - Parameters:
    ///   - kinds: which values.
    ///   - names: only of members of these names; empty is all.
    ///   - replacement: what stands in their place, as it is.
    package func replacing(_ kinds: Set<Kind>, of names: Set<String> = [], by replacement: String) -> JSONTree {
        guard case .object(var members) = self, let inner = members["subsonic-response"] else { return self }
        members["subsonic-response"] = inner.walked(0, "") { value, name, depth in
            guard depth > 1, let kind = value.kind, kinds.contains(kind), names.isEmpty || names.contains(name) else {
                return nil
            }
            return .raw(replacement)
        }
        return .object(members)
    }

    private var kind: Kind? {
        switch self {
        case .array: .array
        case .object: .object
        case .raw(let text) where text.hasPrefix("\""): .text
        case .raw("true"), .raw("false"), .raw("null"): nil
        case .raw: .number
        }
    }

    private func walked(
        _ depth: Int, _ name: String, _ change: (JSONTree, _ name: String, _ depth: Int) -> JSONTree?
    ) -> JSONTree {
        if let changed = change(self, name, depth) { return changed }
        switch self {
        case .raw: return self
        case .array(let elements): return .array(elements.map { $0.walked(depth, name, change) })
        case .object(let members):
            return .object(
                Dictionary(uniqueKeysWithValues: members.map { ($0, $1.walked(depth + 1, $0, change)) }))
        }
    }
}

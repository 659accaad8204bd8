import MusicModel

/// How a key's value is understood: what it must be, in words and in code.
package struct ValueKind<Value> {
    /// The form that the value must have, such as `a whole number from 1 to 20`.
    let expected: String
    /// True where messages must not repeat the value.
    let isSecret: Bool
    /// How a page asks for a value, and shows one; nil for those that only files have.
    var form: (shape: SettingShape, show: (Value) -> SettingValue)?
    /// Gives the value; nil when it is of the wrong type, a complaint when a part of it is wrong.
    let convert: (Node) throws(ValueComplaint) -> Value?

    /// Understands a value by `convert`; its complaints follow the key's name.
    package init(
        expected: String, isSecret: Bool = false, convert: @escaping (Node) throws(ValueComplaint) -> Value?
    ) { (self.expected, self.isSecret, self.convert) = (expected, isSecret, convert) }

    func value(of node: Node) throws(ValueComplaint) -> Value {
        if let value = try convert(node) { return value }
        throw ValueComplaint("expected \(expected), found \(node.found(isSecret: isSecret))")
    }
}

extension ValueKind {
    func shown(as shape: SettingShape, _ show: @escaping (Value) -> SettingValue) -> ValueKind {
        var kind = self
        kind.form = (shape, show)
        return kind
    }

    func map<Other>(_ transform: @escaping (Value) -> Other) -> ValueKind<Other> {
        ValueKind<Other>(expected: expected, isSecret: isSecret) { node throws(ValueComplaint) in
            try convert(node).map(transform)
        }
    }
}

extension ValueKind {
    /// A list, each part of which `convert` understands; where it `takesOne`, that may stand without brackets.
    static func list<Part>(
        _ expected: String, isSecret: Bool = false, takesOne: Bool = false,
        _ convert: @escaping (String) throws(ValueComplaint) -> Part
    ) -> ValueKind where Value == [Part] {
        ValueKind(expected: expected, isSecret: isSecret) { node throws(ValueComplaint) in
            guard let texts = node.textList ?? (takesOne ? node.plainText.map { [$0] } : nil) else { return nil }
            var parts: [Part] = []
            for text in texts { parts.append(try convert(text)) }
            return parts
        }
    }
}

extension ValueKind where Value == String {
    /// A text that is not empty and has no control characters.
    package static func text(_ expected: String) -> ValueKind {
        ValueKind(expected: expected) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            guard !text.isEmpty else { throw ValueComplaint("must not be empty; expected \(expected)") }
            guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw ValueComplaint("has a line break or another control character; expected \(expected)")
            }
            return text
        }
    }

    /// A path, made absolute.
    package static func path(_ expected: String, home: String?) -> ValueKind {
        ValueKind(expected: expected) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try AbsolutePath.expand(text, home: home)
        }
    }

    static var mount: ValueKind {
        ValueKind(expected: "a name such as \"navidrome\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            guard !text.hasSlash, text != ".", text != "..",
                !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { throw ValueComplaint("\"\(text)\" can't be a mount; expected one folder's name without a slash") }
            return text
        }
    }
}

extension ValueKind where Value == Secret {
    static var secret: ValueKind {
        ValueKind(expected: "a text", isSecret: true) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            guard !text.isEmpty else { throw ValueComplaint("must not be empty") }
            return Secret(text)
        }
    }
}

extension ValueKind where Value == Bool {
    /// `true` or `false`.
    package static var flag: ValueKind {
        ValueKind(expected: "true or false") { node in
            switch node.value {
            case .boolean(let flag): flag
            case .text("true"): true
            case .text("false"): false
            default: nil
            }
        }.shown(as: .flag) { .flag($0) }
    }
}

extension ValueKind where Value == Int {
    /// A whole number in a range.
    package static func integer(_ range: ClosedRange<Int>, unit: String = "") -> ValueKind {
        let ofUnit = unit.isEmpty ? "" : " (\(unit))"
        return ValueKind(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)\(ofUnit)") { node in
            let number: Int? =
                switch node.value {
                case .integer(let number): number
                case .text(let text): Int(text)
                default: nil
                }
            return number.flatMap { range.contains($0) ? $0 : nil }
        }.shown(as: .integer(range, unit: unit)) { .integer($0) }
    }
}

extension Node {
    /// The number that stands there, whole or with a decimal part, also as a text from the environment.
    var decimal: Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .text(let text): Double(text)
        default: nil
        }
    }
}

extension ValueKind where Value == Duration {
    /// Seconds in a range, with or without a decimal part.
    package static func seconds(_ range: ClosedRange<Int>) -> ValueKind {
        ValueKind(expected: "seconds from \(range.lowerBound) to \(range.upperBound)") { node in
            guard let number = node.decimal, number >= Double(range.lowerBound), number <= Double(range.upperBound)
            else { return nil }
            return .milliseconds(Int((number * 1000).rounded()))
        }.shown(as: .number(range, unit: "seconds")) { .number(($0 / .milliseconds(1)).rounded() / 1000) }
    }
}

extension ValueKind where Value == Double {
    static func number(_ range: ClosedRange<Int>, _ name: String = "a number", unit: String = "") -> ValueKind {
        ValueKind(expected: "\(name) from \(range.lowerBound) to \(range.upperBound)") { node in
            let limits = Double(range.lowerBound)...Double(range.upperBound)
            return node.decimal.flatMap { limits.contains($0) ? $0 : nil }
        }.shown(as: .number(range, unit: unit)) { .number($0) }
    }

    static func decibels(_ range: ClosedRange<Int>) -> ValueKind { number(range, "decibels", unit: "dB") }
}

extension ValueKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: ValueKind { choice(orSay: [:]) }

    /// The same, with what is to be said about other words.
    static func choice(orSay advice: [String: String]) -> ValueKind {
        let words = Value.allCases.map(\.rawValue)
        return ValueKind(expected: words.asQuotedList) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            if let value = Value(rawValue: text) { return value }
            throw ValueComplaint(advice[text] ?? words.complaint(about: text))
        }.shown(as: .choice(words)) { .text($0.rawValue) }
    }
}

extension [String] {
    /// `"a", "b" or "c"`.
    var asQuotedList: String {
        let quoted = map { "\"\($0)\"" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Says that `word` is none of these, and which one it may have been.
    func complaint(about word: String) -> String {
        let start = "expected \(asQuotedList), found \"\(word)\""
        guard let guess = Suggestion.nearest(to: word, among: self) else { return start }
        return start + "; did you mean \"\(guess)\"?"
    }
}

extension Node {
    /// The text of a string or of an environment variable.
    package var plainText: String? {
        switch value {
        case .string(let text), .text(let text): text
        default: nil
        }
    }

    /// The texts of a list; in the environment they stand between commas. Nil when it is anything else.
    var textList: [String]? {
        switch value {
        case .text(let text):
            return text.split(separator: ",").map { part in
                String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            }
        case .array(let nodes):
            let texts = nodes.compactMap(\.plainText)
            return texts.count == nodes.count ? texts : nil
        default:
            return nil
        }
    }
}

enum Suggestion {
    /// The candidate that differs least from `word`, if it differs little.
    static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let limit = max(1, min(3, word.count / 2))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(Array(word.lowercased()), Array(candidate))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// How many letters must be put in, taken out, replaced or swapped with their neighbour.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}

/// A number as TOML writes it.
struct TOMLNumber {
    /// The number.
    let value: Node.Value

    /// Reads a word; nil for one that is no number, or a whole one of more than 64 bits.
    init?(_ word: String) {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
            guard let digits = Self.digits(word.dropFirst(2), radix), let number = Int(digits, radix: radix) else {
                return nil
            }
            value = .integer(number)
            return
        }
        let (sign, size) = Self.splitSign(word[...])
        guard size != "inf", size != "nan" else {
            let number = size == "nan" ? Double.nan : Double.infinity
            value = .number(sign == "-" ? -number : number)
            return
        }
        let halves = size.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let parts = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Self.digits(parts[0], 10), whole == "0" || !whole.hasPrefix("0") else { return nil }
        var text = sign + whole
        if parts.count == 2 {
            guard let fraction = Self.digits(parts[1], 10) else { return nil }
            text += "." + fraction
        }
        if halves.count == 2 {
            let (sign, size) = Self.splitSign(halves[1])
            guard let exponent = Self.digits(size, 10) else { return nil }
            text += "e" + sign + exponent
        }
        let isWhole = parts.count + halves.count == 2
        guard let value = isWhole ? Int(text).map(Node.Value.integer) : Double(text).map(Node.Value.number) else {
            return nil
        }
        self.value = value
    }

    private static func splitSign(_ word: Substring) -> (sign: String, size: Substring) {
        word.hasPrefix("-") || word.hasPrefix("+") ? (String(word.prefix(1)), word.dropFirst()) : ("", word)
    }

    /// Digits without the underscores that may stand between two of them.
    private static func digits(_ word: Substring, _ radix: Int) -> String? {
        let groups = word.split(separator: "_", omittingEmptySubsequences: false)
        let areDigits = groups.allSatisfy { group in
            !group.isEmpty && group.allSatisfy { $0.isASCII && $0.hexDigitValue.map { $0 < radix } == true }
        }
        return areDigits ? groups.joined() : nil
    }
}

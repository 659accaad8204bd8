/// Reads the elements and texts of an XML document; no more of XML than playlists need. Comments, instructions and
/// document types are passed over, attributes read where they are asked for; of entities only the five of XML itself
/// and numbers are known, so that nothing can grow or be fetched from elsewhere.
struct XMLReader {
    enum Event: Hashable {
        case start(String)
        case text(String)
        case end(String)
    }

    struct Malformed: Error {}

    private static let depthLimit = 64

    private let bytes: [UInt8]
    private var index = 0
    private var open: [String] = []
    private var hasEnded = false
    /// The name of an element like `<a/>`, whose end comes next.
    private var endsAtOnce = false
    /// Where the attributes of the element that began last stand.
    private var attributes = 0..<0

    init(_ text: String) { bytes = Array(text.utf8) }
    private init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// An attribute of the element that began last; nil where it has none of that name, or a malformed one.
    func attribute(_ name: String) -> String? {
        var position = attributes.lowerBound
        let end = attributes.upperBound
        while position < end {
            let start = position
            while position < end, bytes[position] > 0x20, bytes[position] != UInt8(ascii: "=") { position += 1 }
            let isIt = bytes[start..<position].elementsEqual(name.utf8)
            while position < end, bytes[position] <= 0x20 || bytes[position] == UInt8(ascii: "=") { position += 1 }
            guard position < end else { return nil }
            let quote = bytes[position]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            let value = bytes[(position + 1)..<end].prefix { $0 != quote }
            if isIt {
                var inner = XMLReader(value)
                return try? inner.text()
            }
            position = value.endIndex + 1
            while position < end, bytes[position] <= 0x20 { position += 1 }
        }
        return nil
    }

    mutating func next() throws(Malformed) -> Event? {
        if endsAtOnce {
            endsAtOnce = false
            return try close(open.last ?? "")
        }
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                let text = try text()
                if !open.isEmpty { return .text(text) }
                guard text.utf8.allSatisfy({ $0 <= 0x20 }) else { throw Malformed() }
            } else if skip("<!--") {
                _ = try take(until: "-->")
            } else if skip("<![CDATA[") {
                return .text(try take(until: "]]>"))
            } else if skip("<?") {
                _ = try take(until: "?>")
            } else if skip("<!") {
                try skipDeclaration()
            } else if skip("</") {
                let name = try take(until: ">")
                return try close(String(name.prefix { !$0.isWhitespace }))
            } else {
                return try element()
            }
        }
        guard open.isEmpty, hasEnded else { throw Malformed() }
        return nil
    }

    private mutating func close(_ name: String) throws(Malformed) -> Event {
        guard open.popLast() == name else { throw Malformed() }
        if open.isEmpty { hasEnded = true }
        return .end(name)
    }

    /// An opening tag; what stands in its attributes' quotes is passed over.
    private mutating func element() throws(Malformed) -> Event {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] > 0x20, !">/=<\"'".utf8.contains(bytes[index]) { index += 1 }
        let name = String(decoding: bytes[start..<index], as: UTF8.self)
        guard !name.isEmpty, open.count < Self.depthLimit, !hasEnded else { throw Malformed() }
        var quote: UInt8?
        let behindName = index
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                endsAtOnce = bytes[index - 2] == UInt8(ascii: "/")
                attributes = behindName..<index - 1
                open.append(name)
                return .start(name)
            } else if byte == UInt8(ascii: "<") {
                throw Malformed()
            }
        }
        throw Malformed()
    }

    /// A document type with what it declares in brackets.
    private mutating func skipDeclaration() throws(Malformed) {
        var depth = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            if byte == UInt8(ascii: ">"), depth <= 0 { return }
        }
        throw Malformed()
    }

    private mutating func text() throws(Malformed) -> String {
        var result: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            if bytes[index] == UInt8(ascii: "&") {
                result.append(contentsOf: String(try entity()).utf8)
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func entity() throws(Malformed) -> Character {
        index += 1
        guard let end = bytes[index...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw Malformed() }
        let name = String(decoding: bytes[index..<end], as: UTF8.self)
        index = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { throw Malformed() }
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            guard let number, let scalar = Unicode.Scalar(number), number > 0 else { throw Malformed() }
            return Character(scalar)
        }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { bytes[index...].starts(with: $0) }
        if matches { index += text.utf8CodeUnitCount }
        return matches
    }

    private mutating func take(until end: StaticString) throws(Malformed) -> String {
        let start = index
        while let stop = bytes[index...].firstIndex(of: end.utf8Start.pointee) {
            index = stop
            if skip(end) { return String(decoding: bytes[start..<stop], as: UTF8.self) }
            index += 1
        }
        throw Malformed()
    }
}

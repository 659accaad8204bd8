import NIOHTTP1

/// The path and the parameters that a request names.
struct RequestTarget {
    /// The path's parts, decoded.
    let path: [String]
    /// The parameters behind the question mark.
    let query: QueryParameters

    /// How long a target may be, in bytes.
    static let limit = 4096

    /// Takes a target such as `/api/songs?start=200` apart.
    init(_ text: String) throws(RequestRefusal) {
        guard text.utf8.count <= Self.limit else { throw RequestRefusal(.uriTooLong, "The address is too long.") }
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw RequestRefusal(.badRequest, "The address must begin with a slash.")
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        let names = parts[0].utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for name in names { path.append(try Self.decoded(Substring(name))) }
        guard !path.contains(where: { $0 == "." || $0 == ".." }) else {
            throw RequestRefusal(.badRequest, "The address has a part that is no name.")
        }
        self.path = path == [""] ? [] : path
        query = try QueryParameters(parts.count > 1 ? parts[1] : "")
    }

    /// A text without its percent signs; `plusIsBlank` for what forms write.
    ///
    /// - Throws: `RequestRefusal` for a bad escape, bytes that are no UTF-8, and control characters.
    static func decoded(_ text: Substring, plusIsBlank: Bool = false) throws(RequestRefusal) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = hexDigit(rest.popFirst()), let low = hexDigit(rest.popFirst()) else {
                    throw RequestRefusal(.badRequest, "The address has a percent sign without two digits.")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self),
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { throw RequestRefusal(.badRequest, "The address has bytes that are no text.") }
        return decoded
    }

    private static func hexDigit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case .some(let digit) where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit): digit - UInt8(ascii: "0")
        case .some(let digit) where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit | 0x20): (digit | 0x20) - 87
        default: nil
        }
    }
}

/// The parameters of a request, in their order.
package struct QueryParameters: Sendable {
    private var pairs: [(name: String, value: String)] = []

    /// How many parameters are read.
    private static let limit = 64

    /// Reads `name=value&name=value`.
    init(_ text: Substring) throws(RequestRefusal) {
        for pair in text.split(separator: "&") {
            guard pairs.count < Self.limit else { throw RequestRefusal(.badRequest, "There are too many parameters.") }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            pairs.append(
                (
                    try RequestTarget.decoded(parts[0], plusIsBlank: true),
                    parts.count > 1 ? try RequestTarget.decoded(parts[1], plusIsBlank: true) : ""
                ))
        }
    }

    /// The first value of a name.
    package subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }
}

import Coordination
import MPDProtocol
import MusicModel
import NIOCore
import NIOHTTP1
import Subsonic

enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads a body; an empty one is an object without fields.
    init(_ body: ByteBuffer) throws(APIError) {
        guard body.readableBytes > 0 else {
            self = .object([:])
            return
        }
        do {
            self = try body.withUnsafeReadableBytes { bytes in
                var (reader, left) = (JSONReader(bytes), Self.maxValues)
                let value = try Self.value(&reader, depth: 0, &left)
                try reader.end()
                return value
            }
        } catch { throw APIError(.badRequest, code: .argument, "The body is no JSON, or too much of it.") }
    }

    /// Reads a body; a large one, which takes milliseconds, on a separate thread, one at a time.
    @concurrent
    static func read(_ body: ByteBuffer) async throws -> JSONValue {
        guard body.readableBytes > large else { return try JSONValue(body) }
        try await largeBodies.acquire()
        defer { largeBodies.release() }
        return try await onThread { try JSONValue(body) }
    }

    private static let large = 16 << 10
    private static let largeBodies = ConcurrencyLimit(1)
    /// The maximum number of values in a body: moving 10,000 entries names twice as many.
    private static let maxValues = 65_536
    /// The maximum depth of arrays and objects; no request needs more than three.
    private static let maxDepth = 16
    /// In bytes; names are hashed, which takes hours for some, and the program knows none of half the length.
    private static let maxNameLength = 64

    private static func value(_ reader: inout JSONReader, depth: Int, _ left: inout Int) throws -> JSONValue {
        left -= 1
        guard left >= 0, depth <= maxDepth else { throw reader.problem("too many values, or too deep ones") }
        switch try reader.peek() {
        case .null:
            try reader.skip()
            return .null
        case .bool: return .bool(try reader.bool() ?? false)
        case .number:
            guard let number = try reader.double() else { throw reader.problem("a number is too large") }
            return .number(number)
        case .string: return .text((try reader.text() ?? "").withoutExcessMarks)
        case .array:
            var values: [JSONValue] = []
            try reader.elements { values.append(try value(&$0, depth: depth + 1, &left)) }
            return .array(values)
        case .object:
            var fields: [String: JSONValue] = [:]
            try reader.members { reader, name in
                guard name.count <= maxNameLength else { throw reader.problem("a name is too long") }
                fields[String(decoding: name, as: UTF8.self)] = try value(&reader, depth: depth + 1, &left)
            }
            return .object(fields)
        }
    }

    /// The field of an object; nil for null and for what is no object.
    subscript(_ name: String) -> JSONValue? {
        guard case .object(let fields) = self, let value = fields[name], value != .null else { return nil }
        return value
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// As JavaScript has them; nil for anything else.
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var integer: Int? { number.flatMap { Int(exactly: $0) } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    var isObject: Bool { if case .object = self { true } else { false } }
}

extension JSONValue {
    func text(_ name: String) throws(APIError) -> String? { try field(name, "a text", \.text) }
    func bool(_ name: String) throws(APIError) -> Bool? { try field(name, "true or false", \.bool) }
    func number(_ name: String) throws(APIError) -> Double? { try field(name, "a number", \.number) }
    func integer(_ name: String) throws(APIError) -> Int? { try field(name, "a whole number", \.integer) }

    func required(_ name: String, _ advice: String) throws(APIError) -> String {
        guard let text = try text(name) else { throw .wrong(name, advice) }
        return text
    }

    private func field<Value>(
        _ name: String, _ kind: String, _ read: (JSONValue) -> Value?
    ) throws(APIError) -> Value? {
        guard let value = self[name] else { return nil }
        guard let result = read(value) else { throw .wrong(name, "\(name) is \(kind).") }
        return result
    }

    func uris(atMost limit: Int) throws(APIError) -> [String]? { try list("uris", "texts", limit, \.text) }

    func songs(atMost limit: Int) throws(APIError) -> [SongID]? {
        try list("songs", "ids", limit) { $0.text.flatMap { Int64($0) }.map { SongID(rawValue: $0) } }
    }

    private func list<Element>(
        _ name: String, _ kind: String, _ limit: Int, _ read: (JSONValue) -> Element?
    ) throws(APIError) -> [Element]? {
        guard let value = self[name] else { return nil }
        guard let values = value.array, !values.isEmpty, values.count <= limit else {
            throw .wrong(name, "\(name) is a list of 1 to \(limit) \(kind).")
        }
        let elements = values.compactMap(read)
        guard elements.count == values.count else { throw .wrong(name, "\(name) is a list of \(kind).") }
        return elements
    }
}

import Foundation
import MPDProtocol
import MusicModel
import NIOCore
import NIOHTTP1

/// A value that a client sent as JSON.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads a body; an empty one is an object without fields.
    ///
    /// - Throws: `APIError` 400 for what is no JSON.
    init(_ body: ByteBuffer) throws(APIError) {
        guard body.readableBytes > 0 else {
            self = .object([:])
            return
        }
        guard Self.depth(body) <= Self.deepest, !Self.hasLongKey(body),
            let value = try? JSONDecoder().decode(JSONValue.self, from: Data(body.readableBytesView))
        else { throw APIError(.badRequest, code: .argument, "The body is no JSON.") }
        self = value
    }

    /// How deep arrays and objects may lie in each other; no request needs more than three.
    private static let deepest = 16

    /// How deep the brackets go; those in texts count too, which does no harm.
    private static func depth(_ body: ByteBuffer) -> Int {
        var (depth, deepest) = (0, 0)
        for byte in body.readableBytesView {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }

    /// The longest name of a field as it stands there, in bytes; the program knows none of half the length.
    private static let longestKey = 64

    /// Whether a field has a name that is too long: names are hashed, which takes hours for some.
    private static func hasLongKey(_ body: ByteBuffer) -> Bool {
        var (length, isInside, isEscaped, isLong) = (0, false, false, false)
        for byte in body.readableBytesView {
            if isInside {
                isInside = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                length += 1
                if !isInside { isLong = length > longestKey }
            } else if byte == UInt8(ascii: "\"") {
                (isInside, length) = (true, 0)
            } else if byte == UInt8(ascii: ":"), isLong {
                return true
            } else if byte > 0x20 {
                isLong = false
            }
        }
        return false
    }

    /// The field of an object; nil for null and for what is no object.
    subscript(_ name: String) -> JSONValue? {
        guard case .object(let fields) = self, let value = fields[name], value != .null else { return nil }
        return value
    }

    /// A string's contents; nil for anything else.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// As JavaScript has them; nil for anything else.
    var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// The whole number, if it is one.
    var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// The truth, if it is one.
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements, if it is an array.
    var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// Whether it is an object.
    var isObject: Bool { if case .object = self { true } else { false } }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value.withoutEndlessLetters)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}

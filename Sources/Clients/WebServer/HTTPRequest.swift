import Foundation
package import NIOCore
package import NIOHTTP1

/// A whole request, checked and taken apart.
package struct HTTPRequest: Sendable {
    /// The method of the request.
    package let method: HTTPMethod
    /// The path's parts, decoded; one part may hold any character, a slash too.
    package let path: [String]
    /// The parameters behind the question mark.
    package let query: QueryParameters
    /// The header's fields.
    package let headers: HTTPHeaders
    /// The body; empty without one.
    package let body: ByteBuffer
    /// Where it comes from.
    package let connection: ConnectionFacts

    /// Takes a target such as `/api/songs?start=200` apart.
    package init(
        _ method: HTTPMethod, _ uri: String, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer(),
        connection: ConnectionFacts = ConnectionFacts()
    ) throws(RequestRefusal) {
        guard uri.utf8.count <= Self.maxLength else { throw RequestRefusal(.uriTooLong, "The address is too long.") }
        guard uri.utf8.first == UInt8(ascii: "/") else {
            throw RequestRefusal(.badRequest, "The address must begin with a slash.")
        }
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        let names = parts[0].utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for name in names { path.append(try QueryParameters.decoded(Substring(name))) }
        guard !path.contains(where: { $0 == "." || $0 == ".." }) else {
            throw RequestRefusal(.badRequest, "The address has a part that is no name.")
        }
        self.path = path == [""] ? [] : path
        query = try QueryParameters(parts.count > 1 ? parts[1] : "")
        (self.method, self.headers, self.body, self.connection) = (method, headers, body, connection)
    }

    /// How long a target may be, in bytes.
    private static let maxLength = 4096

    /// True if it asks to become a WebSocket.
    package var wantsWebSocket: Bool {
        headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" } && method == .GET
    }

    /// The value of a browser's cookie; nil where it has none.
    package func cookie(_ name: String) -> String? {
        for field in headers["cookie"] {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { continue }
                return String(pair[pair.index(after: equals)...])
            }
        }
        return nil
    }
}

/// Facts of the connection that a request came by.
package struct ConnectionFacts: Sendable {
    /// The other end.
    package var peer: SocketAddress?
    /// The port of this end.
    package var localPort: Int?
    /// True if this end has an address that only this machine has.
    package var isLoopback = false
    /// True if it is encrypted.
    package var isEncrypted = false
    /// The loop that it lives on.
    package var eventLoop: (any EventLoop)?

    /// Makes empty facts.
    package init() {}
}

/// Why a request is refused before its content is read.
package struct RequestRefusal: Error, Hashable {
    /// The status of the answer.
    package var status: HTTPResponseStatus
    /// A sentence for a person.
    package var message: String

    /// Makes a refusal.
    package init(_ status: HTTPResponseStatus, _ message: String) { (self.status, self.message) = (status, message) }
}

/// The parameters of a request, in their order.
package struct QueryParameters: Sendable {
    private var pairs: [(name: String, value: String)] = []

    private static let limit = 64

    /// Reads `name=value&name=value`.
    init(_ text: Substring) throws(RequestRefusal) {
        for pair in text.split(separator: "&") {
            guard pairs.count < Self.limit else { throw RequestRefusal(.badRequest, "There are too many parameters.") }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            // Forms write blanks so.
            pairs.append(
                (
                    try Self.decoded(parts[0].replacing("+", with: " ")),
                    try Self.decoded(value.replacing("+", with: " "))
                ))
        }
    }

    static func decoded(_ text: some StringProtocol) throws(RequestRefusal) -> String {
        guard let decoded = text.removingPercentEncoding, !decoded.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { throw RequestRefusal(.badRequest, "The address has a bad percent sign, or bytes that are no text.") }
        return decoded
    }

    /// The first value of a name.
    package subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }
}

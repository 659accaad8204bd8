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

    init(_ head: HTTPRequestHead, body: ByteBuffer, connection: ConnectionFacts) throws(RequestRefusal) {
        let target = try RequestTarget(head.uri)
        (method, headers, self.body, self.connection) = (head.method, head.headers, body, connection)
        (path, query) = (target.path, target.query)
    }

    /// Makes a request without a connection, for tests.
    package init(
        _ method: HTTPMethod, _ uri: String, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer(),
        connection: ConnectionFacts = ConnectionFacts()
    ) throws(RequestRefusal) {
        try self.init(
            HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers), body: body,
            connection: connection)
    }

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

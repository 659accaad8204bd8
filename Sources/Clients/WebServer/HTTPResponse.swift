package import NIOCore
package import NIOHTTP1

/// An answer to a request.
package struct HTTPResponse: Sendable {
    /// The bytes that follow the header.
    package enum Body: Sendable {
        case bytes(ByteBuffer)
        /// Messages as Server-Sent Events until one side ends it.
        case events(any SocketOwner)
        case webSocket(any SocketOwner, subprotocol: String?)
        /// A stream of another server on this machine, without an end.
        case stream(StreamRelay)
    }

    /// How it went.
    package var status: HTTPResponseStatus
    /// The header, without what every answer has.
    package var headers: HTTPHeaders
    /// The bytes that follow.
    package var body: Body
    /// Kept until the bytes are written or their client is gone, such as the memory set aside for them.
    package var held: (any Sendable)?

    /// Makes an answer.
    package init(_ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], body: Body = .bytes(ByteBuffer())) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Makes an answer of bytes.
    package init(_ status: HTTPResponseStatus = .ok, _ bytes: ByteBuffer, type: String, headers: HTTPHeaders = [:]) {
        self.init(status, headers: headers, body: .bytes(bytes))
        self.headers.replaceOrAdd(name: "content-type", value: type)
    }
}

/// Answers requests: the interface behind the HTTP server.
package protocol RequestAnswering: Sendable {
    /// The answer to a request that the guard let through.
    @concurrent func answer(to request: HTTPRequest) async -> HTTPResponse
    /// The answer to a request that needs no waiting; nil for all others.
    func answerAtOnce(to request: HTTPRequest) -> HTTPResponse?
    /// The answer to a request that was refused.
    func answer(to refusal: RequestRefusal) -> HTTPResponse
}

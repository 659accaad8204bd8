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

/// The header fields that every answer has, which keep the page apart from other websites.
struct SecurityHeaders {
    private let common: HTTPHeaders
    private let policy: String

    init(_ settings: WebSettings) {
        let ancestors = settings.frameAncestors.isEmpty ? "'none'" : settings.frameAncestors.joined(separator: " ")
        policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
            "media-src 'self'", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors \(ancestors)", "require-trusted-types-for 'script'", "trusted-types worker",
        ].joined(separator: "; ")
        var common: HTTPHeaders = [
            "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
            "cross-origin-resource-policy": "same-origin", "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=()",
        ]
        if settings.frameAncestors.isEmpty { common.add(name: "x-frame-options", value: "DENY") }
        self.common = common
    }

    /// Adds them to an answer's header; the policy goes with documents and whatever a browser might take for one.
    func add(to headers: inout HTTPHeaders, allowedOrigin: String?) {
        headers.add(contentsOf: common)
        headers.add(name: "content-security-policy", value: policy)
        guard let allowedOrigin else { return }
        headers.replaceOrAdd(name: "cross-origin-resource-policy", value: "cross-origin")
        headers.add(name: "access-control-allow-origin", value: allowedOrigin)
        headers.add(name: "vary", value: "origin")
    }
}

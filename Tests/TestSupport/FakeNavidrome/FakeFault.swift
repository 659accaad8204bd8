/// Something that goes wrong on purpose.
package struct FakeFault: Hashable, Sendable {
    /// What goes wrong.
    package enum Mode: Hashable, Sendable {
        /// The connection closes without an answer.
        case down
        /// The port is closed.
        case refuse
        /// Bodies come at this many bytes a second.
        case slow(bytesPerSecond: Int)
        /// HTTP 500 with a line of text.
        case http500
        /// Code 0 with status 200, as Navidrome answers when its database is locked.
        case internalError
        /// Another status with a line of text, as a proxy answers before a server that is down.
        case status(Int)
        /// Right credentials are refused, too: code 40.
        case wrongCredentials
        /// JSON that breaks off in the middle, with status 200.
        case garbage
        /// A web page with status 200.
        case html
        /// The body stops after this many bytes, and the connection closes.
        case cut(after: Int)
        /// The body has no byte, and nothing says so before.
        case empty
        /// HTTP 429.
        case rateLimited(retryAfter: Int?)
        /// The answer comes, but late.
        case delay(milliseconds: Int)
        /// The answer comes with the next change of the faults, as it was when the request came.
        case held
        /// The rest of the body behind so many bytes comes with the next change of the faults.
        case paused(after: Int)
    }

    /// What goes wrong.
    package var mode: Mode
    /// Only for calls whose name contains this text.
    package var match: String?
    /// Only for requests in which a parameter has this value.
    package var value: String?
    /// Only for so many requests; nil until it is taken back.
    package var count: Int?

    /// Makes a fault.
    package init(_ mode: Mode, match: String? = nil, value: String? = nil, count: Int? = nil) {
        self.mode = mode
        self.match = match
        self.value = value
        self.count = count
    }
}

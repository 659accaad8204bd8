package import Subsonic

/// How the server of the library can be reached; the names are those of the log, `segue check` and the metrics.
package enum ConnectionStatus: String, Hashable, Sendable {
    case notConfigured = "not_configured"
    /// The first answer is awaited.
    case checking
    /// The last request was answered.
    case connected
    /// The server refuses the credentials.
    case authFailed = "auth_failed"
    /// The server does not answer, or not as a Subsonic server does.
    case unreachable

    /// The services that work at this status.
    package var tier: ServiceTier {
        switch self {
        case .connected: .live
        case .checking, .authFailed, .unreachable: .degraded
        case .notConfigured: .local
        }
    }

    /// The status in a few words.
    package var words: String {
        switch self {
        case .notConfigured: "no server configured"
        case .checking: "connecting"
        case .connected: "connected"
        case .authFailed: "the server refuses the password"
        case .unreachable: "the server can't be reached"
        }
    }
}

/// How much works.
package enum ServiceTier: String, Hashable, Sendable {
    /// Library, streams and everything that goes back to the server.
    case live
    /// The index and what is cached; what clients change waits.
    case degraded
    /// Music folders of this machine; there is no server.
    case local

    /// The meaning for a listener.
    package var meaning: String {
        switch self {
        case .live: "everything is live"
        case .degraded: "the library and cached songs stay, changes wait and are sent later"
        case .local: "only music folders of this machine"
        }
    }
}

/// The sentences about a connection that people read: in the log, in `segue check`, and as `error` in `status`. They
/// hold nothing secret.
package struct ConnectionSentence: Sendable {
    /// `Navidrome 0.63.2 at http://host:4533`, or what is known of that.
    package let name: String
    private let address: String

    /// Names a server at an address free of credentials, by what it said of itself; nil before it ever answered.
    package init(address: String, identity: ServerIdentity?) {
        self.address = address
        let product = identity.map { $0.type.map(Self.capitalised) ?? "the Subsonic server" } ?? "Navidrome"
        // The version's second part is the commit that it was built from.
        let version = identity?.serverVersion?.split(separator: " ").first.map { " \($0)" } ?? ""
        name = "\(product)\(version) at \(address)"
    }

    /// All is well.
    package func connected(api: String) -> String { "connected to \(name), Subsonic API \(api)" }

    /// The problem and the cure, in one sentence without a full stop.
    package func trouble(_ error: SubsonicError) -> String {
        let name = Self.capitalised(name)
        return switch error.code {
        case .unauthorized where error.isRefusal:
            "\(name) does not accept the password; run `segue login \(address) USER`, or correct [navidrome] in the "
                + "configuration"
        case .credentialNotSupported:
            "\(name) accepts no tokens; set password_file under [navidrome]"
        case .notPermitted where error.isRefusal:
            "\(name) gives this user no permissions; grant them, or sign in as another user"
        case .unreachable: "\(name) can't be reached; \(ServiceTier.degraded.meaning)"
        case .rateLimited: "\(name) accepts no more requests for now; they are sent later"
        case .timedOut: "\(name) does not answer in time; \(ServiceTier.degraded.meaning)"
        default: "\(name) can't be used; \(ServiceTier.degraded.meaning). \(Self.withoutStop(error.message))"
        }
    }

    private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
    private static func withoutStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}

extension ConnectionStatus {
    /// The status that a failed call shows.
    package init(_ error: SubsonicError) {
        switch error.code {
        case .unauthorized, .credentialNotSupported, .notPermitted: self = .authFailed
        default: self = .unreachable
        }
    }
}

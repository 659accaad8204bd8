/// How the server of the library can be reached; the names are those of the log, `segue check` and the metrics.
public enum ConnectionStatus: String, Hashable, Sendable {
    /// No server is configured.
    case notConfigured = "not_configured"
    /// The first answer is awaited.
    case checking
    /// The last request was answered.
    case connected
    /// The server refuses the credentials.
    case authFailed = "auth_failed"
    /// The server does not answer, or not as a Subsonic server does.
    case unreachable
}

import CSound

/// Why there is no secure connection.
package enum TLSProblem: Error, Hashable {
    case missing
    /// The file of trusted certificates is of no use.
    case unreadable(String)
    case refused(String)
    case broken(String)

    /// For a person, as the rest of a sentence about the server.
    package var message: String {
        switch self {
        case .missing: "this system has no TLS for GLib: install glib-networking"
        case .unreadable(let reason): "the file of trusted certificates can't be used: \(reason)"
        case .refused(let fault): "its server's certificate \(fault)"
        case .broken(let reason): "no secure connection can be made: \(reason)"
        }
    }

    private static let faults: [(flag: GTlsCertificateFlags, text: String)] = [
        (G_TLS_CERTIFICATE_EXPIRED, "is out of date"),
        (G_TLS_CERTIFICATE_NOT_ACTIVATED, "is not valid yet; is this machine's clock right?"),
        (G_TLS_CERTIFICATE_REVOKED, "was revoked"),
        (G_TLS_CERTIFICATE_UNKNOWN_CA, "is self-signed, or of an authority that this system doesn't trust"),
        (G_TLS_CERTIFICATE_BAD_IDENTITY, "is for another name"),
        (G_TLS_CERTIFICATE_INSECURE, "is signed in a way that is no longer safe"),
    ]

    static func untrusted(_ flags: GTlsCertificateFlags) -> TLSProblem {
        .refused(faults.first { flags.rawValue & $0.flag.rawValue != 0 }?.text ?? "can't be trusted")
    }
}

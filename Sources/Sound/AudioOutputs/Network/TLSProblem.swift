import CSound

/// Why there is no secure connection.
package enum TLSProblem: Error, Hashable {
    /// The problem with a server's certificate.
    package enum Fault: Hashable {
        case unknown, otherName, early, expired, revoked, weak, other

        init(_ flags: GTlsCertificateFlags) {
            let kinds: [(GTlsCertificateFlags, Fault)] = [
                (G_TLS_CERTIFICATE_EXPIRED, .expired), (G_TLS_CERTIFICATE_NOT_ACTIVATED, .early),
                (G_TLS_CERTIFICATE_REVOKED, .revoked), (G_TLS_CERTIFICATE_UNKNOWN_CA, .unknown),
                (G_TLS_CERTIFICATE_BAD_IDENTITY, .otherName), (G_TLS_CERTIFICATE_INSECURE, .weak),
            ]
            self = kinds.first { flags.rawValue & $0.0.rawValue != 0 }?.1 ?? .other
        }

        fileprivate var message: String {
            switch self {
            case .unknown: "is self-signed, or of an authority that this system doesn't trust"
            case .otherName: "is for another name"
            case .early: "is not valid yet; is this machine's clock right?"
            case .expired: "is out of date"
            case .revoked: "was revoked"
            case .weak: "is signed in a way that is no longer safe"
            case .other: "can't be trusted"
            }
        }
    }

    /// This system can't encrypt.
    case missing
    /// The file of trusted certificates is of no use.
    case unreadable(String)
    /// The server's certificate is not to be trusted.
    case refused(Fault)
    /// Something else, perhaps a server that does not encrypt.
    case broken(String)

    /// For a person, as the rest of a sentence about the server.
    package var message: String {
        switch self {
        case .missing: "this system has no TLS for GLib: install glib-networking"
        case .unreadable(let reason): "the file of trusted certificates can't be used: \(reason)"
        case .refused(let fault): "its server's certificate \(fault.message)"
        case .broken(let reason): "no secure connection can be made: \(reason)"
        }
    }
}

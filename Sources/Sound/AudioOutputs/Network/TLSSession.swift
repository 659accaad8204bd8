import CSound
import Glibc

/// The client's end of an encrypted connection.
///
/// - Isolation: one thread, as the connection it belongs to.
package final class TLSSession {
    private let tls: UnsafeMutablePointer<SegueTLS>

    /// Agrees with the server on the encryption and looks at its certificate; waits for it, for some seconds.
    ///
    /// - Parameters:
    ///   - descriptor: a connected socket; stays the caller's.
    ///   - host: the name or address that the certificate must be for.
    ///   - certificates: a file of certificates that are trusted instead of the system's.
    /// - Throws: a problem, with the refused certificate's fault if that was the cause.
    init(_ descriptor: Int32, host: String, port: Int, certificates: String?) throws(TLSProblem) {
        guard segue_tls_is_there() != 0 else { throw .missing }
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw .broken(String(cString: strerror(errno))) }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let made = segue_tls_new(own, host, guint16(clamping: port), certificates, 3, &error) else {
            if certificates == nil { throw .broken(Self.text(error)) }
            throw .unreadable(error == nil ? "it holds no certificate" : Self.text(error))
        }
        guard segue_tls_handshake(made, &error) != 0 else {
            let refusal = made.pointee.refusal
            segue_tls_free(made)
            throw refusal.rawValue != 0 ? .refused(TLSProblem.Fault(refusal)) : .broken(Self.text(error))
        }
        tls = made
    }

    deinit { segue_tls_free(tls) }

    /// Sends what the network takes; nil if that is nothing now.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputProblem) -> Int? {
        var error: UnsafeMutablePointer<GError>?
        return try result(of: segue_tls_write(tls, bytes.baseAddress, gsize(bytes.count), &error), &error)
    }

    /// Takes what has arrived; nil if that is nothing now, 0 at the end.
    func read(_ bytes: UnsafeMutableRawBufferPointer) throws(OutputProblem) -> Int? {
        var error: UnsafeMutablePointer<GError>?
        return try result(of: segue_tls_read(tls, bytes.baseAddress, gsize(bytes.count), &error), &error)
    }

    private func result(of count: Int, _ error: inout UnsafeMutablePointer<GError>?) throws(OutputProblem) -> Int? {
        defer { g_clear_error(&error) }
        if count >= 0 { return count }
        if let error, segue_error_is_would_block(error) != 0 { return nil }
        throw OutputProblem(Self.text(error))
    }

    private static func text(_ error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "the secure connection broke" }
        return segue_error_is_timeout(error) != 0 ? "there is no answer" : String(cString: error.pointee.message)
    }
}

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

extension TLSProblem.Fault {
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

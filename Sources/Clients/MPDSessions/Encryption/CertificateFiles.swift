package import Foundation
import Glibc
import NIOSSL

/// The two files of a server's certificate, and what is to be said about them.
package struct CertificateFiles: Hashable, Sendable {
    /// A PEM file: the server's certificate, then those between it and the authority.
    package var certificate: String
    /// A PEM file with the private key.
    package var key: String

    /// Names the files.
    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads both files and says when the certificate ends, and warns; throws `ListenError`.
    @concurrent
    package func check() async throws -> (expiry: Date, warnings: [String]) { try loaded().description(now: Date()) }

    /// Reads both files; throws `ListenError`, which names the file and the cure.
    func loaded() throws -> LoadedCertificate {
        let stamp = CertificateStamp(self)
        let chain = try certificates()
        guard let first = chain.first else { throw ListenError("\(certificate) has no certificate in it.") }
        let key = try privateKey()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        let context: NIOSSLContext
        do { context = try NIOSSLContext(configuration: configuration) } catch {
            throw ListenError(
                "The certificate in \(certificate) and the key in \(self.key) don't belong together. Name the key that "
                    + "the certificate was made with.", cause: error)
        }
        return LoadedCertificate(
            files: self, stamp: stamp, context: context,
            expiry: Date(timeIntervalSince1970: TimeInterval(first.notValidAfter)))
    }

    private func certificates() throws -> [NIOSSLCertificate] {
        let bytes = try contents(of: certificate, "server.tls.certificate")
        do { return try NIOSSLCertificate.fromPEMBytes(bytes) } catch {
            throw ListenError(
                "\(certificate) is no certificate: a PEM file has -----BEGIN CERTIFICATE----- in it. Correct "
                    + "server.tls.certificate.", cause: error)
        }
    }

    private func privateKey() throws -> NIOSSLPrivateKey {
        let bytes = try contents(of: key, "server.tls.key")
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.contains("ENCRYPTED") else {
            throw ListenError(
                "The key in \(key) is locked with a passphrase, which a server can't type. Unlock a copy of it: openssl "
                    + "pkey -in \(key) -out FILE")
        }
        do { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) } catch {
            throw ListenError(
                "\(key) is no private key: a PEM file has -----BEGIN PRIVATE KEY----- in it. Correct server.tls.key.",
                cause: error)
        }
    }

    /// A file's bytes; those that are too large for what they should be are refused.
    private func contents(of path: String, _ setting: String) throws -> [UInt8] {
        // A named pipe would keep us waiting.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ListenError(
                "Cannot read \(path): \(String(cString: strerror(errno))). Correct \(setting), or make the file readable "
                    + "for the user that Segue runs as.")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let data = try? handle.read(upToCount: 1 << 20), data.count < 1 << 20 else {
            throw ListenError("Cannot read \(path): it is no PEM file. Correct \(setting).")
        }
        return Array(data)
    }
}

struct LoadedCertificate: Sendable {
    let files: CertificateFiles
    let stamp: CertificateStamp
    let context: NIOSSLContext
    let expiry: Date

    /// How long before its end a certificate is warned of; those that renew themselves do so earlier.
    static let notice: TimeInterval = 21 * 24 * 3600

    func description(now: Date) -> (expiry: Date, warnings: [String]) {
        var warnings: [String] = []
        if let warning = expiryWarning(now: now) { warnings.append(warning) }
        if stamp.keyMode & 0o007 != 0 {
            warnings.append("the key in \(files.key) is readable for other users; run: chmod o= \(files.key)")
        }
        return (expiry, warnings)
    }

    /// The warning of the certificate's end; nil while it is far.
    func expiryWarning(now: Date) -> String? {
        let left = expiry.timeIntervalSince(now)
        let day = expiry.ISO8601Format(.iso8601.year().month().day())
        guard left > 0 else { return "the certificate in \(files.certificate) ended on \(day): clients refuse it" }
        return left < Self.notice ? "the certificate in \(files.certificate) ends on \(day)" : nil
    }
}

/// A stamp that changes with the files, also where links to them were renamed.
struct CertificateStamp: Hashable, Sendable {
    private var parts: [Int64] = []
    private(set) var keyMode: mode_t = 0

    init(_ files: CertificateFiles) {
        for path in [files.certificate, files.key] {
            var status = stat()
            guard stat(path, &status) == 0 else {
                parts.append(-1)
                continue
            }
            keyMode = status.st_mode
            parts += [
                Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
                Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
                Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
            ]
        }
    }
}

import AsyncHTTPClient
import Foundation
import NIOSSL

extension HTTPClient.Configuration {
    /// Trusts the certificates of the file that `SSL_CERT_FILE` in the environment names, as other programs do, instead
    /// of the system's, which count where that file can't be read.
    mutating func trustFileOfEnvironment() {
        guard let path = ProcessInfo.processInfo.environment["SSL_CERT_FILE"],
            FileManager.default.isReadableFile(atPath: path)
        else { return }
        var trusting = TLSConfiguration.makeClientConfiguration()
        trusting.trustRoots = .file(path)
        tlsConfiguration = trusting
    }

    /// Trusts the certificates of a file, too.
    mutating func trust(_ file: String?) {
        guard let file else { return }
        var trusting = tlsConfiguration ?? .makeClientConfiguration()
        trusting.additionalTrustRoots.append(.file(file))
        tlsConfiguration = trusting
    }
}

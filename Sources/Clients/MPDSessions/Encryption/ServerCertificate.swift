import Foundation
import Logging
import MusicModel
import NIOSSL
import ServerLoop
import Synchronization

/// The certificate that encrypted listeners show, kept up to date with its files.
@ServerActor
final class ServerCertificate {
    var context: NIOSSLContext { loaded.context }
    var expiry: Date { loaded.expiry }

    private var loaded: LoadedCertificate { didSet { shared.withLock { $0 = loaded.context } } }
    /// The same for listeners on other loops.
    nonisolated let shared: Mutex<NIOSSLContext>
    private let logger: Logger
    private var watch: Task<Void, Never>?
    private var lastFailure: String?
    private var lastExpiryNotice: ContinuousClock.Instant?

    init(_ files: CertificateFiles, logger: Logger) async throws {
        let first = try await Self.read(files)
        loaded = first
        shared = Mutex(first.context)
        self.logger = logger
        for warning in loaded.description(now: Date()).warnings { logger.warning("TLS: \(warning)") }
        lastExpiryNotice = .now
    }

    func watch(every interval: Duration) {
        watch?.cancel()
        watch = Task { [weak self] in
            while (try? await Task.sleep(for: interval)) != nil { await self?.reloadIfChanged() }
        }
    }

    func stopWatching() { watch?.cancel() }

    /// Takes the files over if they are others than before; a pair that can't be used leaves the old one in use.
    func reloadIfChanged(_ files: CertificateFiles? = nil) async {
        let files = files ?? loaded.files
        warnOfExpiry()
        let stamp = await Self.stamp(files)
        guard files != loaded.files || stamp != loaded.stamp else { return }
        do {
            loaded = try await Self.read(files)
            (lastFailure, lastExpiryNotice) = (nil, nil)
            logger.notice("TLS: the certificate was read again; it ends on \(loaded.expiry.ISO8601Format())")
            warnOfExpiry()
        } catch {
            // Two files are rarely replaced at the same moment; a minute later they may fit.
            guard lastFailure != "\(error)" else { return }
            lastFailure = "\(error)"
            logger.error("TLS: the old certificate stays in use: \(chain: error)")
        }
    }

    private func warnOfExpiry() {
        let now = ContinuousClock.now
        if let last = lastExpiryNotice, now - last < .seconds(24 * 3600) { return }
        guard let warning = loaded.expiryWarning(now: Date()) else { return }
        lastExpiryNotice = now
        logger.warning("TLS: \(warning)")
    }

    @concurrent
    private nonisolated static func read(_ files: CertificateFiles) async throws -> LoadedCertificate {
        try files.loaded()
    }

    @concurrent
    private nonisolated static func stamp(_ files: CertificateFiles) async -> CertificateStamp {
        CertificateStamp(files)
    }
}

import MPDCommands
import NIOCore
package import NIOSSL
import ServerLoop
import Synchronization

extension MPDServer {
    private static let handshakesOfAddress = 16
    private static let certificateInterval = Duration.seconds(60)

    func loadCertificate(for addresses: [ListenerAddress]) async throws {
        guard certificate == nil, addresses.contains(where: { if case .tls = $0 { true } else { false } }) else {
            return
        }
        guard let files = options.certificate else {
            throw ListenError("Cannot listen with TLS without a certificate. Name its files under [server.tls].")
        }
        let certificate = try await ServerCertificate(files, logger: logger)
        certificate.watch(every: Self.certificateInterval)
        self.certificate = certificate
    }

    /// The certificate that other listeners of this process show, called for each of their connections on any thread.
    package func sharedCertificate() async throws -> @Sendable () -> NIOSSLContext? {
        try await loadCertificate(for: [.tls(host: "", port: 0)])
        return { [certificate] in certificate?.shared.withLock { $0 } }
    }

    /// Checks whether the certificate's files, or others now, have changed; that happens once a minute as well.
    package func reloadCertificate(_ files: CertificateFiles? = nil) async { await certificate?.reloadIfChanged(files) }

    /// Begins the handshake with a client, which becomes a session after it.
    nonisolated func acceptEncrypted(_ channel: any Channel) -> EventLoopFuture<Void> {
        ServerActor.assumeIsolated {
            let peer = PeerAddress(of: channel, isLocal: false)
            guard let certificate, beginHandshake(peer) else {
                channel.close(promise: nil)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            let context = certificate.context
            let (timeout, share) = (TimeAmount(options.handshakeTimeout), loopShare)
            return channel.eventLoop.makeCompletedFuture {
                if let options = channel.syncOptions {
                    try Self.configure(options)
                    try options.setOption(.allowRemoteHalfClosure, value: true)
                }
                let pacer = HandshakePacer(share)
                let handshake = HandshakeHandler(
                    timeout: timeout,
                    completed: { context in
                        pacer.finish()
                        ServerActor.assumeIsolated { self.becomeSession(channel, peer, context.pipeline) }
                    },
                    ended: { ServerActor.assumeIsolated { self.endHandshake(peer) } })
                try channel.pipeline.syncOperations.addHandler(pacer)
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                try channel.pipeline.syncOperations.addHandler(handshake)
            }
        }
    }

    private func becomeSession(_ channel: any Channel, _ peer: PeerAddress, _ pipeline: ChannelPipeline) {
        guard let session = makeSession(on: channel, isLocal: false, peer: peer) else {
            channel.close(promise: nil)
            return
        }
        do {
            // Answers have to be encrypted on their way.
            session.socket.close()
            try pipeline.syncOperations.addHandler(SessionHandler(session))
            session.opened()
        } catch {
            session.closed()
            channel.close(promise: nil)
        }
    }

    private func beginHandshake(_ peer: PeerAddress) -> Bool {
        let underway = handshakes.values.reduce(0, +)
        guard hasRoom(for: peer), underway + hub.count < options.maximumConnections,
            handshakes[peer, default: 0] < Self.handshakesOfAddress
        else { return false }
        handshakes[peer, default: 0] += 1
        return true
    }

    private func endHandshake(_ peer: PeerAddress) {
        let left = handshakes[peer, default: 1] - 1
        handshakes[peer] = left > 0 ? left : nil
    }
}

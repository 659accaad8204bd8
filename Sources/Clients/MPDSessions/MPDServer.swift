import Coordination
package import Foundation
import Glibc
package import Logging
package import MPDCommands
package import MPDProtocol
import MusicModel
package import NIOCore
import NIOPosix
package import ServerLoop

/// The limits and the access rules of a server's sockets and sessions, from `[server]`.
package struct MPDServerOptions: Hashable, Sendable {
    /// How many clients may be connected; more are closed at once.
    package var maximumConnections = 1000
    /// How long a client outside of `idle` may be silent, or not read.
    package var timeout = Duration.seconds(60)
    /// How large a command list may be, in bytes.
    package var commandListLimit = 2048 * 1024
    /// How large the open command lists of all clients may be together, in bytes.
    package var allListsLimit: Int { commandListLimit.multipliedClamped(by: 8) }
    /// How long a client that has closed its side waits for an answer that takes long, such as a fingerprint.
    package var halfClosedTimeout = Duration.seconds(10)
    /// How long an edit whose client is gone may still take to look up what it needs.
    package var abandonedEditTimeout = Duration.seconds(2)
    /// The permissions of clients before they send a password.
    package var access = AccessRules()
    /// The access mode of Unix sockets.
    package var socketMode: mode_t = 0o660
    /// The group that Unix sockets are given to; nil leaves them to the process's own.
    package var socketGroup: String?
    /// The certificate of encrypted listeners.
    package var certificate: CertificateFiles?
    /// How long a client may take for the handshake of TLS.
    package var handshakeTimeout = Duration.seconds(10)

    /// Makes options as MPD has them.
    package init() {}
}

/// Accepts clients and holds their sessions.
@ServerActor
package final class MPDServer {
    /// The line that greets every client; three numbers, because clients parse all three.
    package nonisolated static let greeting: StaticString = "OK MPD 0.24.0\n"

    let context: ServerContext
    let commands: [String: Command]
    let options: MPDServerOptions
    let logger: Logger
    let hub: IdleHub
    let greetingBytes = ByteBuffer(staticString: MPDServer.greeting)
    private var listeners: [Listener] = []
    private var sweep: RepeatedTask?
    private var isShutDown = false
    /// The permissions without a password; `renewPermissions` has changes concern those who are connected.
    package var access: AccessRules
    var certificate: ServerCertificate?
    var handshakes: [PeerAddress: Int] = [:]
    private var spareBuffers: [ByteBuffer] = []
    let loopShare = LoopShare()
    var listMemory = 0
    /// The commands that ran since `countCommands`; nil before.
    package private(set) var commandFigures: CommandFigures?
    /// How many connections became clients, and how many were turned away.
    package private(set) var connections = (accepted: 0, refused: 0)
    var diskReports = DiskReports()

    /// Makes a server that doesn't listen yet; `hub` is the one that the context notifies.
    package init(
        context: ServerContext, hub: IdleHub, commands: [String: Command] = CommandTable.byName,
        options: MPDServerOptions = MPDServerOptions(), logger: Logger = Logger(label: "segue.server")
    ) {
        self.context = context
        self.hub = hub
        self.commands = commands
        self.options = options
        self.access = options.access
        self.logger = logger
        memoryBudget.register(self, .answers) { await $0.closeStalled() }
    }

    /// Binds the addresses in turn, and releases those before one that can't be bound; throws `ListenError`.
    package func listen(on addresses: [ListenerAddress]) async throws {
        do {
            try await loadCertificate(for: addresses)
            for address in addresses { try await bind(address) }
        } catch {
            await closeListeners()
            throw error
        }
    }

    /// Accepts clients on one more Unix socket, whose folder is made if it is missing; if that is impossible, for
    /// example because another server runs, the log says so.
    package func listenIfPossible(at path: String) async {
        if path.hasSlash { mkdir(String(path.pathFolder), 0o700) }
        do {
            try await bind(.unix(path: path))
        } catch {
            logger.info("clients don't find this server by a local socket: \(chain: error)")
        }
    }

    private func bind(_ address: ListenerAddress) async throws {
        let socketFile = UnixSocketFile(mode: options.socketMode, group: options.socketGroup)
        let isLocal = if case .unix = address { true } else { false }
        let isEncrypted = if case .tls = address { true } else { false }
        let listener = try await Listener.bind(to: address, socketFile: socketFile) { channel in
            isEncrypted ? self.acceptEncrypted(channel) : self.accept(channel, isLocal: isLocal)
        }
        listeners.append(listener)
        logger.info("listening", metadata: ["address": "\(address)"])
    }

    /// Accepts clients on sockets that the service manager bound and keeps after this server; throws `ListenError`.
    package func listen(onInherited sockets: [(descriptor: CInt, isUnix: Bool)]) async throws {
        do {
            for (descriptor, isUnix) in sockets {
                let listener = try await Listener.adopt(descriptor, isUnix: isUnix) { channel in
                    self.accept(channel, isLocal: isUnix)
                }
                listeners.append(listener)
                logger.info("listening", metadata: ["address": "\(listener.address)", "inherited": "true"])
            }
        } catch {
            await closeListeners()
            throw error
        }
    }

    /// The addresses that were bound, with the ports that the system chose.
    package var boundAddresses: [SocketAddress] { listeners.compactMap(\.boundAddress) }

    /// The ports on which clients of other machines may connect without encryption, each once.
    package var portsForOtherMachines: [Int] {
        let ports = listeners.compactMap { listener -> Int? in
            guard case .tcp = listener.address, let bound = listener.boundAddress, let host = bound.ipAddress,
                !host.hasPrefix("127."), host != "::1"
            else { return nil }
            return bound.port
        }
        return Set(ports).sorted()
    }

    /// True if clients can connect.
    package var isAccepting: Bool { !listeners.isEmpty && !isShutDown }

    /// Counts and times commands from now on, which costs each of them some hundred nanoseconds.
    package func countCommands() { if commandFigures == nil { commandFigures = CommandFigures() } }

    /// When the certificate of encrypted listeners ends; nil without one.
    package var certificateExpiry: Date? { certificate?.expiry }

    /// How many clients are connected.
    package var clientCount: Int { hub.count }

    /// Stops accepting, removes socket files and closes every client.
    package func shutDown() async {
        isShutDown = true
        sweep?.cancel()
        sweep = nil
        certificate?.stopWatching()
        await closeListeners()
        for session in Array(hub.connected) { session.finish() }
        // Clients that don't read their last answer get half a second.
        let deadline = ContinuousClock.now + .milliseconds(500)
        while hub.count > 0, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(10)) }
        for session in Array(hub.connected) { session.close() }
    }

    private func closeListeners() async {
        let closing = listeners
        listeners = []
        for listener in closing { await listener.close() }
    }

    // MARK: Clients

    /// Makes `channel`, which is on the server's loop, a client's; those of tests, no sockets, come this way too.
    package nonisolated func accept(_ channel: any Channel, isLocal: Bool) -> EventLoopFuture<Void> {
        let session = ServerActor.assumeIsolated {
            makeSession(on: channel, isLocal: isLocal, peer: PeerAddress(of: channel, isLocal: isLocal))
        }
        return Self.connect(session, to: channel)
    }

    private nonisolated static func connect(_ session: Session?, to channel: any Channel) -> EventLoopFuture<Void> {
        guard let session else {
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        return channel.eventLoop.makeCompletedFuture {
            do {
                if let options = channel.syncOptions { try configure(options) }
                try channel.pipeline.syncOperations.addHandler(SessionHandler(session))
            } catch {
                // Gone already; without its handler nothing else would tell the session.
                ServerActor.assumeIsolated { session.closed() }
                throw error
            }
        }
    }

    /// Sets a client's channel up; at once, where the bootstrap would chain a future for each option.
    nonisolated static func configure(_ options: any NIOSynchronousChannelOptions) throws {
        try options.setOption(.maxMessagesPerRead, value: 1)
        // A waiting client keeps one receive buffer, hence small ones; they grow for those who send much.
        try options.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 16_384))
        // A client that doesn't read holds one chunk of its answer, and the next that is ready: NIO's own water marks.
    }

    /// Makes a connected socket a client's that came by another way, such as a WebSocket; without room it is closed.
    package func adopt(_ descriptor: CInt, peer: PeerAddress, permission: Permission) async {
        let bootstrap = ClientBootstrap(group: ServerActor.group).channelInitializer { channel in
            let session = ServerActor.assumeIsolated { () -> Session? in
                let session = self.makeSession(on: channel, isLocal: false, peer: peer)
                session?.client.permission = permission
                session?.client.claim = .elsewhere
                return session
            }
            return Self.connect(session, to: channel)
        }
        if (try? await bootstrap.withConnectedSocket(descriptor).get()) == nil {
            logger.warning("a client by WebSocket could not be connected")
        }
    }

    /// Gives clients what they may do now that passwords, of which `entries` are the digests, or the rules for
    /// addresses have changed: one whose password is gone may do what its address may.
    package func renewPermissions(passwords entries: Set<String>) {
        for client in hub.connected.map(\.client) {
            switch client.claim {
            case .elsewhere: continue
            case .password(let entry) where entries.contains(entry): continue
            case .password, .address:
                (client.permission, client.claim) = (access.permission(for: client.peer), .address)
            }
        }
    }

    func makeSession(on channel: any Channel, isLocal: Bool, peer: PeerAddress) -> Session? {
        guard hasRoom(for: peer), let partition = context.partitions.first else {
            connections.refused += 1
            return nil
        }
        connections.accepted += 1
        let client = ClientState(
            permission: access.permission(for: peer), partition: partition, isLocal: isLocal, peer: peer)
        let session = Session(client: client, server: self, channel: channel)
        hub.add(session)
        watchForSilence()
        return session
    }

    /// True if one more client may connect; logs if not. Once three quarters of the connections are in use, an address,
    /// or with IPv6 a network of 64 bits, may have a quarter at most, and the last few are reserved for users of this
    /// machine, who connect by the Unix socket.
    func hasRoom(for peer: PeerAddress) -> Bool {
        guard !isShutDown else { return false }
        let limit = options.maximumConnections
        guard case .network = peer else { return hasRoom(below: limit) }
        guard hasRoom(below: limit - min(8, limit / 10)) else { return false }
        guard hub.count >= limit / 4 * 3, limit >= Self.minSharedLimit,
            hub.connected.count(where: { $0.client.peer.household == peer.household }) >= limit / 4
        else { return true }
        logger.warning(
            "a client was turned away: its address has a quarter of max_connections",
            metadata: ["peer": "\(peer.shown)"])
        return false
    }

    /// A server for fewer clients than this makes no difference between addresses.
    private static let minSharedLimit = 16

    private func hasRoom(below limit: Int) -> Bool {
        guard hub.count >= limit else { return true }
        logger.warning("a client was turned away: max_connections is reached")
        return false
    }

    // MARK: Timeouts

    /// Begins to search for silent clients, with one timer for all of them; it ends when none is left that can become
    /// overdue, so that a server on which everybody waits in `idle` sleeps.
    func watchForSilence() {
        guard sweep == nil, !isShutDown else { return }
        let parts = options.timeout.components
        let timeout = parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
        let interval = TimeAmount.nanoseconds(max(timeout / 12, 5_000_000))
        sweep = ServerActor.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            ServerActor.assumeIsolated { self.closeSilent(after: .nanoseconds(timeout)) }
        }
    }

    func closeSilent(after timeout: TimeAmount, at now: NIODeadline = .now()) {
        for session in Array(hub.connected) where session.isOverdue(now, timeout) {
            logger.debug("a client was silent for too long")
            session.close()
        }
        guard !hub.connected.contains(where: \.canBecomeOverdue) else { return }
        sweep?.cancel()
        sweep = nil
    }

    var memoryBudget: MemoryBudget { context.memoryBudget }

    /// Disconnects clients that don't read, with what is on its way to them; for when memory is short.
    private func closeStalled() {
        let now = NIODeadline.now()
        let stalled = hub.connected.filter { $0.isStalled(now) }
        guard !stalled.isEmpty else { return }
        logger.notice("memory is short: \(stalled.count) clients that don't read their answers are disconnected")
        for session in stalled { session.close() }
    }

    // MARK: Buffers

    var roomForLists: Int { options.allListsLimit - listMemory }

    /// A buffer for one batch of commands; a few are kept so that idle sessions need none.
    func takeBuffer() -> ByteBuffer { spareBuffers.popLast() ?? ByteBuffer() }

    func giveBack(_ buffer: consuming ByteBuffer) {
        guard spareBuffers.count < 4, buffer.capacity > 0, buffer.capacity <= 4 * ResponseWriter.chunkSize else {
            return
        }
        buffer.clear()
        spareBuffers.append(buffer)
    }
}

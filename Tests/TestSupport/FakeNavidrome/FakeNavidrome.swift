import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server on 127.0.0.1 that answers as a Navidrome 0.63.2 was recorded to, with faults on demand.
///
/// - Isolation: any.
package final class FakeNavidrome: Sendable {
    private struct Sockets {
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
    }

    private let keptPort: KeptPort
    private let state: Mutex<FakeState>
    private let sockets: Mutex<Sockets>
    let listeners = Mutex(FakeListeners())

    /// The port it listens on; while it refuses connections no other program gets it.
    package var port: Int { keptPort.number }

    /// The address for clients.
    package var url: String { "http://127.0.0.1:\(port)" }

    private init(state: FakeState, port: KeptPort) {
        keptPort = port
        self.state = Mutex(state)
        sockets = Mutex(Sockets())
    }

    /// Starts a server with generated songs.
    package static func start(songs: Int, seed: UInt64 = 1, options: FakeOptions = FakeOptions()) async throws
        -> FakeNavidrome
    {
        try await start(library: FakeLibrary(songs: songs, seed: seed), options: options)
    }

    /// Starts a server with a library.
    package static func start(library: FakeLibrary, options: FakeOptions = FakeOptions()) async throws -> FakeNavidrome
    {
        // The port is needed before the handlers exist that need the server.
        let server = FakeNavidrome(
            state: FakeState(library: library, options: options), port: try KeptPort(options.port))
        try await server.listen()
        return server
    }

    /// Closes the port and every connection.
    package func stop() async { await hangUp(andStopListening: true) }

    private func listen() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(FakeHTTPHandler(server: self))
                    self.opened(channel)
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        sockets.withLock { $0.listener = listener }
    }

    /// How many connections are open.
    var connectionCount: Int { sockets.withLock { $0.connections.count } }

    private func opened(_ channel: any Channel) {
        sockets.withLock { $0.connections[ObjectIdentifier(channel)] = channel }
        channel.closeFuture.whenComplete { _ in
            self.sockets.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    private func hangUp(andStopListening stops: Bool) async {
        let (listener, connections) = sockets.withLock { sockets in
            let listener = stops ? sockets.listener : nil
            if stops { sockets.listener = nil }
            return (listener, Array(sockets.connections.values))
        }
        try? await listener?.close()
        for connection in connections { try? await connection.close() }
    }

    // MARK: Faults

    /// Replaces all faults by these.
    package func setFaults(_ faults: FakeFault...) async throws { try await setFaults(faults) }

    /// Replaces the faults for requests that come from now on.
    func noteFaults(_ faults: [FakeFault]) {
        let held = state.withLock { state in
            state.faults = faults.filter { $0.mode != .refuse }
            state.faultChanges += 1
            defer { state.held = [] }
            return state.held
        }
        for send in held { send() }
    }

    /// How often the faults changed.
    var faultChanges: Int { state.withLock { $0.faultChanges } }

    /// Sends an answer with the next change of the faults, or at once if they changed since the request came.
    func hold(since changes: Int, _ send: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.faultChanges != changes { return true }
            state.held.append(send)
            return false
        }
        if isOver { send() }
    }

    private func setFaults(_ faults: [FakeFault]) async throws {
        noteFaults(faults)
        let refuses = faults.contains { $0.mode == .refuse }
        if refuses || faults.contains(where: { $0.mode == .down && $0.match == nil }) {
            await hangUp(andStopListening: refuses)
        }
        if !refuses && sockets.withLock({ $0.listener == nil }) { try await listen() }
    }

    // MARK: Requests

    /// Decides what happens to a request.
    func outcome(of request: FakeRequest) -> FakeOutcome {
        if request.path.hasPrefix("/_control/") { return FakeOutcome(answer: controlled(request)) }
        return state.withLock { state in
            state.requests.append(request)
            let fault = state.fault(for: request)
            var outcome = FakeOutcome()
            switch fault {
            case .down, .refuse: return outcome
            case .http500: outcome.answer = .text(500, "Internal Server Error\n")
            case .internalError: outcome.answer = state.error(0, "Internal Server Error: database is locked")
            case .status(let status): outcome.answer = .text(status, "Not now\n")
            case .html:
                let page = "<!DOCTYPE html><html><body>Please log in</body></html>"
                outcome.answer = FakeAnswer(
                    headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(page.utf8))
            case .rateLimited(let seconds):
                var answer = FakeAnswer.text(429, "Too Many Requests\n")
                if let seconds { answer.headers.append(("Retry-After", String(seconds))) }
                outcome.answer = answer
            default: outcome = Self.served(request, &state, refusesCredentials: fault == .wrongCredentials)
            }
            Self.spoil(&outcome, by: fault)
            state.bytesSent += outcome.answer?.body.count ?? 0
            return outcome
        }
    }

    private static func served(_ request: FakeRequest, _ state: inout FakeState, refusesCredentials: Bool)
        -> FakeOutcome
    {
        if request.path.hasPrefix("/api/") || request.path.hasPrefix("/auth/") {
            let answer = state.native(request, refusesCredentials: refusesCredentials)
            return FakeOutcome(answer: answer ?? .text(200, ""), isEventStream: answer == nil)
        }
        guard request.path.hasPrefix("/rest/") else {
            return FakeOutcome(answer: FakeAnswer(status: 302, headers: [("Location", "/app/")]))
        }
        var outcome = FakeOutcome()
        if request.call == "getCoverArt" {
            if state.picturesInFlight >= state.options.maximumPictures {
                return FakeOutcome(answer: .text(429, "Too Many Requests\n"))
            }
            state.picturesInFlight += 1
            outcome.isPicture = true
            outcome.delay = .milliseconds(Int64(state.options.pictureMilliseconds))
        }
        outcome.answer = state.answer(request, refusesCredentials: refusesCredentials)
        return outcome
    }

    private static func spoil(_ outcome: inout FakeOutcome, by fault: FakeFault.Mode?) {
        switch fault {
        case .slow(let rate): outcome.bytesPerSecond = rate
        case .cut(let limit): outcome.cutAfter = limit
        case .delay(let milliseconds): outcome.delay = .milliseconds(Int64(milliseconds))
        case .held: outcome.isHeld = true
        case .paused(let count): outcome.pausedAfter = count
        case .empty: outcome.answer?.body = []
        case .garbage:
            guard let answer = outcome.answer, answer.isJSON else { return }
            outcome.answer?.body = Array(answer.body.prefix(answer.body.count / 2)) + Array("\0<html>}\"".utf8)
        default: return
        }
    }

    func pictureDone() { state.withLock { $0.picturesInFlight -= 1 } }

    // MARK: What is served, and what came

    /// The songs that lists show, in their order.
    package var songs: [FakeSong] { state.withLock { state in state.listed.map { state.library.songs[$0] } } }

    /// The libraries that the user sees; no scan tells that they changed.
    package var libraries: Set<Int> {
        get { state.withLock { $0.libraries } }
        set {
            state.withLock { state in
                let scan = state.lastScan
                state.libraries = newValue
                state.libraryChanged(at: [])
                state.lastScan = scan
            }
        }
    }

    /// Has another user see these libraries from now on, which no scan tells.
    package func setLibraries(_ libraries: Set<Int>, of user: String) {
        state.withLock { state in
            state.become(state.options.user)
            state.rights[user] = libraries
        }
    }

    /// The songs that lists show to a user, in their order.
    package func songs(of user: String) -> [FakeSong] {
        state.withLock { state in
            state.become(user)
            return state.listed.map { state.library.songs[$0] }
        }
    }

    /// The song with an id, also when its file is gone.
    package func song(_ id: String) -> FakeSong? { state.withLock { $0.song(id) } }

    /// Changes the library as a scan does that finds changes, and returns the ids of the songs that changed.
    @discardableResult
    package func change(_ body: @Sendable (inout FakeLibrary) -> [Int]) -> [String] {
        let ids = state.withLock { state in
            let places = body(&state.library)
            state.libraryChanged(at: places)
            return places.map { state.library.songs[$0].id }
        }
        announceScan(changes: !ids.isEmpty)
        return ids
    }

    /// Keeps everything as it is now, for `recover`.
    package func backUp() { state.withLock { $0.backUp() } }

    /// Goes back to the backup.
    package func recover() { state.withLock { $0.recover() } }

    /// Reads or changes everything under the lock.
    func withState<Value: Sendable>(_ body: (inout sending FakeState) -> sending Value) -> Value {
        state.withLock(body)
    }

    /// Changes one song by hand; the list moves on as after a scan.
    package func edit(_ id: String, _ body: @Sendable (inout FakeSong) -> Void) {
        state.withLock { state in
            guard let place = state.placeByID[id] else { return }
            body(&state.library.songs[place])
            state.libraryChanged(at: [place])
        }
        announceScan(changes: true)
    }

    /// Has a call answered by this JSON from now on; nil answers it as before.
    package func setAnswer(of call: String, _ body: [UInt8]?) { state.withLock { $0.canned[call] = body } }

    /// A scan that finds nothing.
    package func scan() {
        state.withLock { $0.libraryChanged(at: []) }
        announceScan(changes: false)
    }

    /// Whether the user may have the server scan its files.
    package var mayScan: Bool {
        get { state.withLock { $0.mayScan } }
        set { state.withLock { $0.mayScan = newValue } }
    }

    /// After how many questions a scan begins that a client asks for; nil is at once.
    package var scanDelay: Int? {
        get { state.withLock { $0.scanDelay } }
        set { state.withLock { $0.scanDelay = newValue } }
    }

    /// Whether a scan that a client asked for has not begun or not ended.
    package var owesScan: Bool { state.withLock { $0.questions != nil } }

    /// Whether the server says that a scan runs.
    package var isScanning: Bool {
        get { state.withLock { $0.isScanning } }
        set { state.withLock { $0.isScanning = newValue } }
    }

    /// The playlists.
    package var playlists: [FakePlaylist] {
        get { state.withLock { $0.playlists } }
        set { state.withLock { $0.playlists = newValue } }
    }

    /// The radio stations.
    package var stations: [FakeStation] {
        get { state.withLock { $0.stations } }
        set { state.withLock { $0.stations = newValue } }
    }

    /// The plays and now-playing notes that came, in order.
    package var scrobbles: [FakeScrobble] { state.withLock { $0.scrobbles } }

    /// The requests that came, in order.
    package var requests: [FakeRequest] { state.withLock { $0.requests } }

    /// How many bytes the answers had since the requests were forgotten.
    package var bytesSent: Int { state.withLock { $0.bytesSent } }

    /// Forgets the requests.
    package func forgetRequests() { state.withLock { ($0.requests, $0.bytesSent) = ([], 0) } }

    /// What `stream` sends for a song.
    package func sound(of id: String) -> [UInt8] {
        state.withLock { state in state.song(id).map { state.sound(of: $0) } ?? [] }
    }
}

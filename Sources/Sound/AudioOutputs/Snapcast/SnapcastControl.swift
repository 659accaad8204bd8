import CALSA
import Coordination
import Glibc
import Logging
import MusicModel
import Outputs
import Playback

/// Steers a Snapcast server's clients and groups over its JSON-RPC, on a thread of its own; any thread may call it.
final class SnapcastControl: RoomControl {
    private struct State {
        var rooms: SnapcastRooms
        var isClosing = false
    }

    private let settings: SnapcastSettings
    private let name: String
    private let log: Logger
    private let clock: any EngineClock
    private let changed: @Sendable () -> Void
    private let state: Monitor<State>
    /// Wakes the thread while it waits for the server.
    private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    init(
        _ settings: SnapcastSettings, name: String, log: Logger, clock: any EngineClock = .monotonic,
        changed: @escaping @Sendable () -> Void
    ) {
        self.settings = settings
        self.name = name
        (self.log, self.clock, self.changed) = (log, clock, changed)
        state = Monitor(State(rooms: SnapcastRooms(stream: settings.stream, choice: settings.rooms)))
        if !BlockingThread.start("snapcast", { [self] in run() }) {
            log.error("Output \"\(name)\": Snapcast's clients can't be controlled: \(BlockingThread.missing)")
        }
    }

    deinit { Glibc.close(bell) }

    // MARK: From other threads

    var rooms: [Room] { state.withLock { $0.rooms.rooms } }
    func setRoom(_ id: String, enabled: Bool) { change { $0.setEnabled(id, enabled) } }

    func setRoom(_ id: String, attribute: String, to value: String) throws(OutputAttributeError) {
        switch attribute {
        case "volume":
            guard let percent = Int(value), (0...100).contains(percent) else { throw .badValue }
            change { $0.setVolume(id, percent) }
        case "latency":
            guard let latency = Int(value), SnapcastMessage.latencies.contains(latency) else { throw .badValue }
            var isTaken = false
            change { isTaken = $0.setLatency(id, latency) }
            guard isTaken else { throw .unsupported }
        default: throw .unsupported
        }
    }

    func close() {
        state.update { $0.isClosing = true }
        wake()
    }

    private func change(_ body: (inout SnapcastRooms) -> Void) {
        state.update { body(&$0.rooms) }
        wake()
    }

    private func wake() { eventfd_write(bell, 1) }

    // MARK: The control's thread

    private var isClosing: Bool { state.withLock { $0.isClosing } }

    private func run() {
        var pause = Self.minPause
        var isInTrouble = false
        while !isClosing {
            do throws(OutputProblem) {
                let connection = try TCPConnection(host: settings.host, port: settings.controlPort, milliseconds: 5000)
                update { $0.connected() }
                try talk(over: connection) {
                    pause = Self.minPause
                    if isInTrouble { log.info("Output \"\(name)\": Snapcast's clients can be controlled again") }
                    isInTrouble = false
                }
            } catch {
                // A trouble is told once, however often it is tried to mend it.
                log.log(
                    level: isInTrouble ? .debug : .warning,
                    "Output \"\(name)\": Snapcast's clients can't be controlled: \(chain: error)")
                isInTrouble = true
            }
            update { $0.lost() }
            _ = state.wait(milliseconds: pause, by: clock) { $0.isClosing ? true : nil }
            pause = min(pause * 2, Self.maxPause)
        }
    }

    private static let minPause = 500
    private static let maxPause = 30_000
    /// A server that is silent for this many seconds is asked; without an answer the connection counts as dead.
    private static let silence = 20

    /// Serves a connection until it breaks or the control is closed; calls `works` for each state that it brings.
    private func talk(over connection: TCPConnection, works: () -> Void) throws(OutputProblem) {
        var lines = SnapcastLineBuffer()
        var lastWord = Monotonic.now
        var hasAsked = false
        while !isClosing {
            for (number, request) in state.withLock({ $0.rooms.takeRequests() }) {
                try connection.send(request.line(id: number))
            }
            wait(for: connection)
            try connection.push()
            let bytes = try connection.receive()
            if !bytes.isEmpty { (lastWord, hasAsked) = (Monotonic.now, false) }
            for line in try lines.add(bytes) {
                guard let message = SnapcastMessage.parse(line) else { continue }
                if message.result?.server != nil { works() }
                update { $0.handle(message) }
                if case .refused(let reason) = state.withLock({ $0.rooms.inquiry }) {
                    throw OutputProblem("the server doesn't tell its state: \(reason)")
                }
            }
            let quiet = Int((Monotonic.now - lastWord).seconds)
            if quiet > 2 * Self.silence { throw OutputProblem("the server doesn't answer") }
            if quiet > Self.silence, !hasAsked {
                hasAsked = true
                update { $0.connected() }
            }
        }
    }

    private func wait(for connection: TCPConnection) {
        let events = POLLIN | (connection.backlog > 0 ? POLLOUT : 0)
        let ends = [(connection.descriptor, events), (bell, POLLIN)]
        Descriptors.wait(for: ends, milliseconds: Self.silence * 1000)
        var count: eventfd_t = 0
        eventfd_read(bell, &count)
    }

    private func update(_ body: (inout SnapcastRooms) -> Void) {
        let isNew = state.update { state in
            let before = state.rooms.rooms
            body(&state.rooms)
            return before != state.rooms.rooms
        }
        if isNew { changed() }
    }
}

struct SnapcastLineBuffer {
    private var rest: [UInt8] = []
    /// Nothing that a server of our kind says is longer.
    private static let limit = 4_194_304

    mutating func add(_ bytes: [UInt8]) throws(OutputProblem) -> [ArraySlice<UInt8>] {
        // No line ends in what waits: looked through again with each piece, a long line would take minutes.
        let last = bytes.lastIndex(of: UInt8(ascii: "\n")).map { rest.count + $0 }
        rest += bytes
        guard let end = last else {
            guard rest.count < Self.limit else { throw OutputProblem("the server sends an endless line") }
            return []
        }
        let lines = rest[...end].split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        rest.removeFirst(end + 1)
        return lines.filter { !$0.isEmpty }
    }
}

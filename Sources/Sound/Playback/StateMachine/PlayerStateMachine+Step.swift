import MusicModel

enum EngineOrder: Hashable, Sendable {
    case start(EngineTrack, at: Duration, paused: Bool)
    case prepareNext(EngineTrack?)
    case seek(Duration)
    case setPaused(Bool)
    case stop
    case set(EngineOption)
    case keepReady([String])

    var wantsSound: Bool {
        switch self {
        case .start(_, _, let isPaused), .setPaused(let isPaused): !isPaused
        default: false
        }
    }

    var isStart: Bool { if case .start = self { true } else { false } }
}

/// The consequences of commands that are still to be handed over, and what the engine was told before.
struct Outcome: Sendable {
    var orders: [EngineOrder] = []
    var changes: Subsystem = []
    private var options: [EngineOption] = []
    private var streams: [String] = []

    /// Orders what the engine has not been told of these. A start uses up one of the streams that were ready, or puts
    /// one aside, so they are named again after it.
    mutating func order(_ wanted: [EngineOption], streams wantedStreams: [String]) {
        if wanted != options {
            orders += wanted.filter { !options.contains($0) }.map { .set($0) }
            options = wanted
        }
        guard wantedStreams != streams || orders.contains(where: \.isStart) else { return }
        streams = wantedStreams
        orders.append(.keepReady(wantedStreams))
    }

    mutating func adopt(_ edited: Outcome) {
        orders += edited.orders
        changes.formUnion(edited.changes)
    }
}

extension PlayerStateMachine {
    /// Carries out a command or an event, with all that follows from it.
    /// - Parameter canBeHeard: whether an output plays; without one, playing is turned into a pause.
    mutating func step<Value>(
        canBeHeard: Bool, _ command: (inout PlayerStateMachine) -> Value
    ) -> (value: Value, orders: [EngineOrder], changes: Subsystem) {
        let value = command(&self)
        refreshNext()
        if !canBeHeard, outcome.orders.contains(where: \.wantsSound) {
            pauseWithoutOutput("All audio outputs are disabled")
        }
        outcome.order(options.ofEngine, streams: neighbouringStreams)
        defer { (outcome.orders, outcome.changes) = ([], []) }
        return (value, outcome.orders, outcome.changes)
    }
}

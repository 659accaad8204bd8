import MusicModel

/// Something that the engine is to do, because of a command or an event.
enum EngineOrder: Hashable, Sendable {
    /// Play a track in place of everything else.
    case start(EngineTrack, at: Duration, paused: Bool)
    /// Set what joins on to the current track.
    case prepareNext(EngineTrack?)
    /// Move within the current track.
    case seek(Duration)
    /// Pause or continue.
    case setPaused(Bool)
    /// Fall silent.
    case stop
    /// Follow an option.
    case set(EngineOption)
    /// Keep these streams ready and no others.
    case keepReady([String])

    /// True if music is to be heard from now on.
    var wantsSound: Bool {
        switch self {
        case .start(_, _, let isPaused), .setPaused(let isPaused): !isPaused
        default: false
        }
    }

    /// True if another track is played.
    var isStart: Bool { if case .start = self { true } else { false } }
}

/// The consequences of commands that are still to be handed over, and what the engine was told before.
struct Outcome: Sendable {
    /// To be carried out by the engine, in turn.
    var orders: [EngineOrder] = []
    /// The changes that clients see.
    var changes: Subsystem = []
    /// The options as the engine has them; none before the first step.
    private var options: [EngineOption] = []
    /// The streams that the engine keeps ready.
    private var streams: [String] = []

    /// Orders what the engine has not been told of these.
    ///
    /// A start uses up one of the streams that were ready, or puts one aside, so they are named again after it.
    mutating func order(_ wanted: [EngineOption], streams wantedStreams: [String]) {
        if wanted != options {
            orders += wanted.filter { !options.contains($0) }.map { .set($0) }
            options = wanted
        }
        guard wantedStreams != streams || orders.contains(where: \.isStart) else { return }
        streams = wantedStreams
        orders.append(.keepReady(wantedStreams))
    }

    /// Takes over what an edit made of a copy.
    mutating func adopt(_ edited: Outcome) {
        orders += edited.orders
        changes.formUnion(edited.changes)
    }
}

/// One step of a player's state, in one piece.
struct PlayerStep<Value> {
    /// The result of the command.
    let value: Value
    /// The orders to the engine, in the order in which they are to be carried out.
    let orders: [EngineOrder]
    /// The changes that clients are to be told of.
    let changes: Subsystem
}

extension PlayerStateMachine {
    /// Carries out a command or an event, with all that follows from it.
    ///
    /// - Parameter canBeHeard: whether an output plays; without one, playing is turned into a pause.
    mutating func step<Value>(
        canBeHeard: Bool, _ command: (inout PlayerStateMachine) -> Value
    ) -> PlayerStep<Value> {
        let value = command(&self)
        refreshNext()
        if !canBeHeard, outcome.orders.contains(where: \.wantsSound) {
            pauseWithoutOutput("All audio outputs are disabled")
        }
        outcome.order(options.ofEngine, streams: neighbouringStreams)
        defer { (outcome.orders, outcome.changes) = ([], []) }
        return PlayerStep(value: value, orders: outcome.orders, changes: outcome.changes)
    }
}

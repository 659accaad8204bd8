import MusicModel

/// Something that the engine is to do, because of a command or an event.
enum EngineOrder: Hashable, Sendable {
    /// Play a track in place of everything else.
    case start(EngineTrack, at: Duration, paused: Bool)
    /// Set what joins on to the current track.
    case prepareNext(EngineTrack?)
    /// Move within the current track.
    case seek(Duration)
    /// Pause or go on.
    case setPaused(Bool)
    /// Fall silent.
    case stop
    /// Follow an option.
    case set(EngineOption)
    /// Keep these streams ready and no others.
    case keepReady([String])

    /// Whether music is to be heard from now on.
    var wantsSound: Bool {
        switch self {
        case .start(_, _, let isPaused), .setPaused(let isPaused): !isPaused
        default: false
        }
    }

    /// Whether another track is played.
    var isStart: Bool { if case .start = self { true } else { false } }
}

/// An option that the engine follows, with its value.
enum EngineOption: Hashable, Sendable {
    /// The software mixer, 0 to 100.
    case volume(Int)
    /// Seconds of overlap.
    case crossfade(Int)
    /// The threshold in dB, and the delay in seconds.
    case mixRamp(Double, Double?)
    case replayGain(EngineReplayGainMode)
    /// How many times as fast.
    case speed(Double)
}

/// The options that the engine follows.
struct EngineOptions: Hashable, Sendable {
    private let volume: Int
    private let crossfade: Int
    private let mixRampThreshold: Double
    private let mixRampDelay: Double?
    private let replayGainMode: EngineReplayGainMode
    private let speed: Double

    init(_ options: PlaybackOptions) {
        (volume, crossfade, speed) = (options.volume, options.crossfade, options.speed)
        (mixRampThreshold, mixRampDelay) = (options.mixRampThreshold, options.mixRampDelay)
        replayGainMode = options.engineReplayGainMode
    }

    /// Those that differ from what the engine has; all of them where it has none.
    func differing(from known: EngineOptions?) -> [EngineOption] {
        guard let known else { return all }
        return zip(all, known.all).filter { $0 != $1 }.map(\.0)
    }

    private var all: [EngineOption] {
        [
            .volume(volume), .crossfade(crossfade), .mixRamp(mixRampThreshold, mixRampDelay),
            .replayGain(replayGainMode), .speed(speed),
        ]
    }
}

/// The consequences of commands that are still to be handed over, and what the engine was told before.
struct Outcome: Sendable {
    /// To be carried out by the engine, in turn.
    var orders: [EngineOrder] = []
    /// The changes that clients see.
    var changes: Subsystem = []
    /// The options as the engine has them; none before the first step.
    private var options: EngineOptions?
    /// The streams that the engine keeps ready.
    private var streams: [String] = []

    /// Orders what the engine has not been told of these.
    ///
    /// A start uses up one of the streams that were ready, or puts one aside, so they are named again after it.
    mutating func order(_ wanted: EngineOptions, streams wantedStreams: [String]) {
        if wanted != options {
            orders += wanted.differing(from: options).map { .set($0) }
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
        outcome.order(EngineOptions(options), streams: neighbouringStreams)
        defer { (outcome.orders, outcome.changes) = ([], []) }
        return PlayerStep(value: value, orders: outcome.orders, changes: outcome.changes)
    }
}

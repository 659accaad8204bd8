import AudioFiles
import CSound
import Coordination
import Glibc

/// The volume that a sound server keeps for Segue's stream; it is known while there is a stream.
final class StreamMixer: OutputMixer {
    private struct State {
        /// The sink while it has a stream.
        var sink: ElementReference?
        /// The sink that tells of changes.
        var heard: ElementReference?
        var volume: Int?
        /// The level that was set while there was no stream.
        var wanted: Int?
        /// The cubic root of ReplayGain's factor: loudness goes by the third power of the level.
        var gain = 1.0
        /// True if the volume is one that was set here.
        var isKnown = false
        /// The level that was set last, and until when others are taken for what was before it.
        var level: Double?
        var stableAt: Nanoseconds = .zero
        /// True if it is still to be seen that the server has it.
        var isDoubtful = false
        /// How often it is set again where the server has something else: some begin a stream with its usual volume.
        var attempts = 0
        var openedAt: Nanoseconds = .zero
        var tellOwner: @Sendable () -> Void

        /// The level for a volume, 0 to 1.
        mutating func makeLevel(_ volume: Int) -> Double {
            let made = min(1, Double(volume) / 100 * gain)
            level = made
            if Monotonic.now - openedAt > .milliseconds(300) { attempts = 0 }
            stableAt = Monotonic.now + (attempts > 0 ? .milliseconds(150) : .seconds(1))
            isDoubtful = true
            return made
        }
    }

    private let state: Monitor<State>

    init(changed: @escaping @Sendable () -> Void) { state = Monitor(State(tellOwner: changed)) }

    var volume: Int? { state.withLock { $0.volume ?? $0.wanted } }

    func setVolume(_ volume: Int) {
        set { state in
            state.isKnown = true
            return volume
        }
    }

    func setGain(_ gain: Float, usual: Int) {
        set { state in
            state.gain = Double(cbrt(gain))
            let known = state.isKnown ? state.volume ?? state.wanted : nil
            state.isKnown = true
            return known ?? usual
        }
    }

    /// Sets what `body` makes of the state.
    private func set(_ body: (inout State) -> Int) {
        let (sink, level) = state.withLock { state in
            let volume = body(&state)
            if state.sink == nil { state.wanted = volume } else { state.volume = volume }
            return (state.sink, state.makeLevel(volume))
        }
        if let sink { segue_set_stream_volume(sink.pointer, level) }
    }

    func setOwner(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.tellOwner = changed } }

    func close() {
        detach()
        state.withLock { $0.heard = nil }
    }

    /// Takes a sink with a stream in.
    func attach(_ sink: ElementReference) {
        guard segue_has_stream_volume(sink.pointer) != 0 else { return }
        let (level, isNew) = state.withLock { state in
            defer { (state.sink, state.heard, state.volume, state.wanted) = (sink, sink, state.wanted, nil) }
            (state.attempts, state.openedAt) = (2, Monotonic.now)
            return (state.wanted.map { state.makeLevel($0) }, state.heard !== sink)
        }
        if isNew { listen(to: sink) }
        if let level { segue_set_stream_volume(sink.pointer, level) }
        read()
    }

    private func listen(to sink: ElementReference) {
        typealias Pointer = UnsafeMutableRawPointer
        let callback: @convention(c) (Pointer?, Pointer?, Pointer?) -> Void = {
            _, _, data in
            guard let data else { return }
            Unmanaged<StreamMixer>.fromOpaque(data).takeUnretainedValue().read()
        }
        segue_connect(
            sink.pointer, "notify::volume", unsafeBitCast(callback, to: GCallback.self),
            Unmanaged.passRetained(self).toOpaque(),
            { data, _ in if let data { Unmanaged<StreamMixer>.fromOpaque(data).release() } })
    }

    /// The stream goes, and what it had goes to the next one, also of the same sink.
    func detach() {
        state.withLock { state in
            state.wanted = state.volume ?? state.wanted
            (state.sink, state.volume, state.level) = (nil, nil, nil)
        }
    }

    /// Checks whether what was set has arrived, once it must have.
    func poll() {
        let isTime = state.withLock { $0.isDoubtful && Monotonic.now >= $0.stableAt }
        guard isTime, !setAgain() else { return }
        read()
    }

    /// Sets the volume of a new stream again if the server began it with the full one; whether it had.
    private func setAgain() -> Bool {
        guard let sink = state.withLock({ $0.attempts > 0 ? $0.sink : nil }) else { return false }
        guard abs(segue_stream_volume(sink.pointer) - 1) < 0.002 else { return false }
        let level = state.withLock { state -> Double? in
            guard let level = state.level, let volume = state.volume, level < 0.998 else { return nil }
            state.attempts -= 1
            return state.makeLevel(volume)
        }
        guard let level else { return false }
        segue_set_stream_volume(sink.pointer, level)
        return true
    }

    /// Asks the sound server.
    func read() {
        guard let sink = state.withLock({ $0.sink }) else { return }
        let level = segue_stream_volume(sink.pointer)
        let tell = state.withLock { state -> (@Sendable () -> Void)? in
            // A volume that was set here comes back, a little rounded.
            if let set = state.level, state.volume != nil {
                if abs(set - level) < 0.002 {
                    if Monotonic.now >= state.stableAt { (state.isDoubtful, state.attempts) = (false, 0) }
                    return nil
                }
                // The server may not have got as far yet.
                if Monotonic.now < state.stableAt { return nil }
            }
            state.isDoubtful = false
            let volume = min(100, Int((level / max(state.gain, 1e-6) * 100).rounded()))
            guard state.sink != nil, state.volume != volume else { return nil }
            if state.volume != nil { state.isKnown = true }
            (state.volume, state.level) = (volume, nil)
            return state.tellOwner
        }
        tell?()
    }
}

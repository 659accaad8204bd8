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
        var isKnown = false
        /// The level that was set last, and until when others are taken for what was before it.
        var level: Double?
        var stableAt: Nanoseconds = .zero
        /// True if it is still to be seen that the server has it.
        var isDoubtful = false
        /// How often it is set again where the server has something else: some begin a stream with its usual volume.
        var attempts = 0
        var openedAt: Nanoseconds = .zero

        mutating func makeLevel(_ volume: Int) -> Double {
            let made = min(1, Double(volume) / 100 * gain)
            level = made
            if Monotonic.now - openedAt > .milliseconds(300) { attempts = 0 }
            stableAt = Monotonic.now + (attempts > 0 ? .milliseconds(150) : .seconds(1))
            isDoubtful = true
            return made
        }
    }

    private let changed: @Sendable () -> Void
    private let state = Monitor(State())

    init(changed: @escaping @Sendable () -> Void) { self.changed = changed }

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

    private func set(_ body: (inout State) -> Int) {
        let (sink, level) = state.withLock { state in
            let volume = body(&state)
            if state.sink == nil { state.wanted = volume } else { state.volume = volume }
            return (state.sink, state.makeLevel(volume))
        }
        if let sink { segue_set_stream_volume(sink.pointer, level) }
    }

    func close() {
        detach()
        state.withLock { $0.heard = nil }
    }

    func attach(_ sink: ElementReference) {
        guard segue_has_stream_volume(sink.pointer) != 0 else { return }
        let (level, isNew) = state.withLock { state in
            defer { (state.sink, state.heard, state.volume, state.wanted) = (sink, sink, state.wanted, nil) }
            (state.attempts, state.openedAt) = (2, Monotonic.now)
            return (state.wanted.map { state.makeLevel($0) }, state.heard !== sink)
        }
        if isNew { sink.connect("notify::volume") { _ in self.read() } }
        if let level { segue_set_stream_volume(sink.pointer, level) }
        read()
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

    func read() {
        guard let sink = state.withLock({ $0.sink }) else { return }
        let level = segue_stream_volume(sink.pointer)
        let isNew = state.withLock { state in
            // A volume that was set here comes back, a little rounded.
            if let set = state.level, state.volume != nil {
                if abs(set - level) < 0.002 {
                    if Monotonic.now >= state.stableAt { (state.isDoubtful, state.attempts) = (false, 0) }
                    return false
                }
                // The server may not have got as far yet.
                if Monotonic.now < state.stableAt { return false }
            }
            state.isDoubtful = false
            let volume = min(100, Int((level / max(state.gain, 1e-6) * 100).rounded()))
            guard state.sink != nil, state.volume != volume else { return false }
            if state.volume != nil { state.isKnown = true }
            (state.volume, state.level) = (volume, nil)
            return true
        }
        if isNew { changed() }
    }
}

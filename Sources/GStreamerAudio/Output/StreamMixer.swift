import CGStreamer

/// The volume that a sound server keeps for Segue's stream; it is known while there is a stream.
final class StreamMixer: OutputMixer {
    private struct State {
        var sink: ElementReference?
        var volume: Int?
        /// What was set while there was no stream.
        var wanted: Int?
        var tellOwner: @Sendable () -> Void
    }

    private let state: Monitor<State>

    init(changed: @escaping @Sendable () -> Void) { state = Monitor(State(tellOwner: changed)) }

    var volume: Int? { state.withLock { $0.volume ?? $0.wanted } }

    func setVolume(_ volume: Int) {
        let sink = state.withLock { state in
            if state.sink == nil { state.wanted = volume } else { state.volume = volume }
            return state.sink
        }
        if let sink { segue_set_stream_volume(sink.pointer, Double(volume) / 100) }
    }

    func setOwner(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.tellOwner = changed } }

    func close() { detach() }

    /// Takes a sink with a stream in.
    func attach(_ sink: ElementReference) {
        guard segue_has_stream_volume(sink.pointer) != 0 else { return }
        let wanted = state.withLock { state in
            defer { (state.sink, state.wanted) = (sink, nil) }
            return state.wanted
        }
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
        if let wanted { segue_set_stream_volume(sink.pointer, Double(wanted) / 100) }
        read()
    }

    /// The stream is gone; what it had goes to the next one.
    func detach() {
        state.withLock { state in
            state.wanted = state.volume ?? state.wanted
            (state.sink, state.volume) = (nil, nil)
        }
    }

    /// Asks the sound server.
    func read() {
        guard let sink = state.withLock({ $0.sink }) else { return }
        let volume = Int((segue_stream_volume(sink.pointer) * 100).rounded())
        let tell = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.sink != nil, state.volume != volume else { return nil }
            defer { state.volume = volume }
            return state.tellOwner
        }
        tell?()
    }
}

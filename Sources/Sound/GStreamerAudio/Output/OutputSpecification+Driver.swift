import Logging
import Outputs

extension OutputSpecification {
    /// What makes the driver of an output of this kind, on the output's own thread.
    ///
    /// - Parameter listenersChanged: hears how many listen, where that is known; on any thread.
    func driver(
        _ streamMixer: StreamMixer, log: Logger, listenersChanged: @escaping @Sendable (Int) -> Void
    ) -> @Sendable () -> any OutputDriver {
        switch type {
        case .file: { FileDriver(self) }
        case .fifo: { FifoDriver(self) }
        case .snapcast where path != nil: { FifoDriver(self) }
        case .snapcast: { SnapcastDriver(self) }
        case .httpd: { HTTPStreamDriver(self, log: log, listenersChanged: listenersChanged) }
        case .shout: { IcecastDriver(self, log: log) }
        case .null where sync: { ClockDriver() }
        case .null: { DiscardDriver() }
        case .auto: { AutoDriver(self) }
        case .alsa: { SinkDriver(self, element: "alsasink") }
        case .jack: { SinkDriver(self, element: "jackaudiosink") }
        case .pulse: { SinkDriver(self, element: "pulsesink", mixer: streamMixer) }
        // Only by way of its PulseAudio server does a stream of PipeWire have a volume here; devices are named the
        // same.
        case .pipewire where mixerType == .hardware: { SinkDriver(self, element: "pulsesink", mixer: streamMixer) }
        case .pipewire: { PipeWireDriver(self) }
        }
    }

    /// The device's own volume; nil where Segue scales the samples, or nothing does.
    func deviceMixer(
        _ streamMixer: StreamMixer, log: Logger, changed: @escaping @Sendable () -> Void
    ) -> (any OutputMixer)? {
        guard mixerType == .hardware else { return nil }
        switch type {
        case .alsa: return ALSAMixer(mixer, log: log, changed: changed)
        case .pulse, .pipewire: return streamMixer
        case .auto, .jack, .fifo, .snapcast, .httpd, .shout, .file, .null: return nil
        }
    }
}

import AudioFiles
import Coordination
import Logging
import MusicModel
import Outputs

extension OutputSpecification {
    /// Makes the driver of an output of this kind.
    ///
    /// - Isolation: the output's own thread.
    /// - Parameter listenersChanged: hears how many listen, where that is known; on any thread.
    func driver(
        _ streamMixer: StreamMixer, _ clock: any EngineClock, log: Logger,
        listenersChanged: @escaping @Sendable (Int) -> Void
    ) -> any OutputDriver {
        switch type {
        case .file: fileDriver(log)
        case .fifo: FifoDriver(self, clock)
        case .pipe: PipeDriver(self)
        case .snapcast where path != nil: FifoDriver(self, clock)
        case .snapcast: SnapcastDriver(self)
        case .httpd: HTTPStreamDriver(self, clock, log: log, listenersChanged: listenersChanged)
        case .shout: IcecastDriver(self, log: log)
        case .null where sync: ClockDriver(clock)
        case .null: DiscardDriver()
        case .auto: AutoDriver(self)
        case .alsa where dsd.isNative || !dsd.nativeFormats.isEmpty: ALSADriver(self)
        case .alsa: SinkDriver(self, element: "alsasink")
        case .jack: SinkDriver(self, element: "jackaudiosink")
        case .pulse: SinkDriver(self, element: "pulsesink", mixer: streamMixer)
        // Only by way of its PulseAudio server does a stream of PipeWire have a volume here; devices are named the
        // same.
        case .pipewire where mixerType == .hardware: SinkDriver(self, element: "pulsesink", mixer: streamMixer)
        case .pipewire: PipeWireDriver(self)
        }
    }

    /// The device's own volume; nil where Segue scales the samples, or nothing does.
    func deviceMixer(
        _ streamMixer: StreamMixer, log: Logger, changed: @escaping @Sendable () -> Void
    ) -> (any OutputMixer)? {
        guard mixerType == .hardware, type.traits.hasHardwareMixer else { return nil }
        return type == .alsa ? ALSAMixer(mixer, log: log, changed: changed) : streamMixer
    }

    private func fileDriver(_ log: Logger) -> any OutputDriver {
        titledPath.map { TitledFileDriver(self, format: $0, log: log) } ?? FileDriver(self, log: log)
    }

    /// The priority in real time of the threads that a device waits for; nil where they have none. Above ordinary
    /// programs, and below sound servers.
    var realtimePriority: Int32? { type.traits.keys.contains("realtime") && isRealtime ? 5 : nil }

    /// The format of raw samples for others, who have to know it beforehand.
    var rawFormat: AudioFormat {
        AudioFormat(
            sampleRate: format.map(\.sampleRate).flatMap { $0 > 0 ? $0 : nil } ?? (type == .snapcast ? 48000 : 44100),
            sample: format.map(\.sample).flatMap { $0 == .unknown ? nil : $0 } ?? .integer(bits: 16),
            channels: fixedChannels)
    }

    /// The format that a device is to get for sound of a layout, as far as that is said; nil if it isn't.
    func wantedFormat(for layout: SampleLayout) -> AudioFormat? {
        guard !allowed.isAny else { return format }
        let rate = format.map(\.sampleRate).flatMap { $0 > 0 ? $0 : nil } ?? layout.rate
        let channels = format.map(\.channels).flatMap { $0 > 0 ? $0 : nil } ?? layout.channels
        let suited = allowed.format(rate: rate, channels: channels)
        return format.map { suited.filled($0) } ?? suited
    }
}

import AudioFiles
import Coordination
import Logging
import MusicModel
import Outputs

struct DriverContext: Sendable {
    let mixer: StreamMixer
    let clock: any EngineClock
    let log: Logger
    /// Hears how many listen, where that is known; on any thread.
    let listenersChanged: @Sendable (Int) -> Void
}

protocol DriverSettings: OutputSettings {
    func driver(of output: OutputSpecification, _ context: DriverContext) -> any OutputDriver
    /// Begins to steer the devices that play what the output sends, and calls `changed` on a thread of its own.
    func control(
        of output: OutputSpecification, _ clock: any EngineClock, log: Logger, changed: @escaping @Sendable () -> Void
    ) -> (any RoomControl)?
}

extension DriverSettings {
    func control(
        of output: OutputSpecification, _ clock: any EngineClock, log: Logger, changed: @escaping @Sendable () -> Void
    ) -> (any RoomControl)? { nil }
}

extension OutputSpecification {
    func driver(_ context: DriverContext) -> any OutputDriver {
        if let settings = own.value as? any DriverSettings { return settings.driver(of: self, context) }
        let (clock, log) = (context.clock, context.log)
        switch type {
        case .file: return titledPath.map { TitledFileDriver(self, format: $0, log: log) } ?? FileDriver(self, log: log)
        case .fifo: return FifoDriver(self, clock)
        case .pipe: return PipeDriver(self)
        case .auto: return AutoDriver(self)
        case .alsa where dsd.isNative || !dsd.nativeFormats.isEmpty: return ALSADriver(self)
        case .alsa: return SinkDriver(self, element: "alsasink")
        case .jack: return SinkDriver(self, element: "jackaudiosink")
        case .pulse: return SinkDriver(self, element: "pulsesink", mixer: context.mixer)
        // Only by way of its PulseAudio server does a stream of PipeWire have a volume here; devices are named the
        // same.
        case .pipewire where mixerType == .hardware: return SinkDriver(self, element: "pulsesink", mixer: context.mixer)
        case .pipewire: return PipeWireDriver(self)
        case .null where sync: return ClockDriver(clock)
        default: return DiscardDriver()
        }
    }

    /// The device's own volume; nil where Segue scales the samples, or nothing does.
    func deviceMixer(
        _ streamMixer: StreamMixer, log: Logger, changed: @escaping @Sendable () -> Void
    ) -> (any OutputMixer)? {
        guard mixerType == .hardware, type.hasHardwareMixer else { return nil }
        return type == .alsa ? ALSAMixer(mixer, log: log, changed: changed) : streamMixer
    }

    /// The priority of real-time threads, above ordinary programs and below sound servers; nil where there are none.
    var realtimePriority: Int32? { type.keys.contains("realtime") && isRealtime ? 5 : nil }

    /// The format of raw samples for programs that have to know it beforehand.
    var rawFormat: AudioFormat {
        format.filled(SampleLayout(rate: type.serverRate ?? 44100, channels: fixedChannels), .integer(bits: 16))
    }

    /// The format that a device is to get for sound of a layout, if that is said; nil if it isn't.
    func wantedFormat(for layout: SampleLayout) -> AudioFormat? {
        guard !allowed.isAny else { return format }
        let wished = format.filled(layout)
        let suited = allowed.format(rate: wished.sampleRate, channels: wished.channels)
        return format.map { suited.filled($0) } ?? suited
    }
}

extension AudioFormat? {
    /// The format with what is unknown of it taken from sound of a layout.
    func filled(_ layout: SampleLayout, _ sample: AudioFormat.Sample = .float) -> AudioFormat {
        let own = AudioFormat(sampleRate: layout.rate, sample: sample, channels: layout.channels)
        return self?.filled(own) ?? own
    }
}

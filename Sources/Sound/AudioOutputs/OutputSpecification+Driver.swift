import AudioFiles
import Coordination
import Logging
import MusicModel
import Outputs

/// The surroundings that a driver may need.
struct DriverContext: Sendable {
    /// The volume that a sound server keeps for its stream.
    let mixer: StreamMixer
    let clock: any EngineClock
    let log: Logger
    /// Hears how many listen, where that is known; on any thread.
    let listenersChanged: @Sendable (Int) -> Void
}

/// Settings of a type of output that know what plays it. Their types are in no other list of drivers.
protocol DriverSettings: OutputSettings {
    /// Makes the driver.
    ///
    /// - Isolation: the output's own thread.
    func driver(of output: OutputSpecification, _ context: DriverContext) -> any OutputDriver
    /// Begins to steer the devices that play what the output sends; nil where there are none.
    ///
    /// - Parameter changed: called on a thread of the control's own when anything about them changes.
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
    /// Makes the driver of an output of this kind.
    ///
    /// - Isolation: the output's own thread.
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

    /// The priority in real time of the threads that a device waits for; nil where they have none. Above ordinary
    /// programs, and below sound servers.
    var realtimePriority: Int32? { type.keys.contains("realtime") && isRealtime ? 5 : nil }

    /// The format of raw samples for programs that have to know it beforehand.
    var rawFormat: AudioFormat {
        AudioFormat(
            sampleRate: format.map(\.sampleRate).flatMap { $0 > 0 ? $0 : nil } ?? (type.serverRate ?? 44100),
            sample: format.map(\.sample).flatMap { $0 == .unknown ? nil : $0 } ?? .integer(bits: 16),
            channels: fixedChannels)
    }

    /// The format that a device is to get for sound of a layout, if that is said; nil if it isn't.
    func wantedFormat(for layout: SampleLayout) -> AudioFormat? {
        guard !allowed.isAny else { return format }
        let rate = format.map(\.sampleRate).flatMap { $0 > 0 ? $0 : nil } ?? layout.rate
        let channels = format.map(\.channels).flatMap { $0 > 0 ? $0 : nil } ?? layout.channels
        let suited = allowed.format(rate: rate, channels: channels)
        return format.map { suited.filled($0) } ?? suited
    }
}

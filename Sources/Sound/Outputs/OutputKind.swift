extension OutputSpecification {
    /// A type of output, with what holds of it before there is an output.
    package struct Kind: Sendable {
        /// The configuration's `type`, and the plug-in that clients see.
        package let rawValue: String
        /// The keys of its section in the configuration, besides those that all types have.
        package let keys: Set<String>
        /// Plays at the speed of the music on its own.
        package let isLive: Bool
        /// Has a control to turn for `mixer_type = "hardware"`.
        package let hasHardwareMixer: Bool
        /// How it encodes its sound when the configuration doesn't say; nil for types that don't.
        package let encoder: StreamEncoding.Encoder?
        /// The rate for which the server is set up that it sends to; nil for types that follow the usual format.
        package let serverRate: Int?
        /// The settings that it alone has.
        package let settings: (any OutputSettings.Type)?

        /// Describes a type.
        init(
            _ rawValue: String, _ shared: Set<String>, isLive: Bool = false, hasHardwareMixer: Bool = false,
            encoder: StreamEncoding.Encoder? = nil, serverRate: Int? = nil, settings: (any OutputSettings.Type)? = nil
        ) {
            (self.rawValue, self.isLive, self.hasHardwareMixer) = (rawValue, isLive, hasHardwareMixer)
            (self.encoder, self.serverRate, self.settings) = (encoder, serverRate, settings)
            keys = shared.union(settings.map(OutputKeyNames.names) ?? [])
        }
    }
}

extension OutputSpecification.Kind: CaseIterable, Hashable, RawRepresentable {
    /// The table of types. Adding an output in docs/architecture.md says what else one needs.
    package static let allCases: [Self] = [
        .auto, .alsa, .pulse, .pipewire, .jack, .fifo, .pipe, .snapcast, .httpd, .shout, .file, .null,
    ]

    /// The type of that name; nil if there is none.
    package init?(rawValue: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = found
    }

    package static func == (first: Self, second: Self) -> Bool { first.rawValue == second.rawValue }
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension OutputSpecification.Kind {
    /// The first sound device that works.
    package static let auto = Self("auto", ["always_on", "realtime"], isLive: true)
    /// An ALSA device.
    package static let alsa = Self(
        "alsa",
        [
            "device", "format", "allowed_formats", "max_rate", "always_on", "close_on_pause", "realtime", "buffer_time",
            "mixer_device", "mixer_control", "mixer_index", "dsd", "dop", "stop_dsd_silence", "thesycon_dsd_workaround",
        ], isLive: true, hasHardwareMixer: true)
    /// A PulseAudio server, or PipeWire acting as one.
    package static let pulse = Self(
        "pulse",
        ["device", "format", "allowed_formats", "max_rate", "always_on", "buffer_time", "server", "realtime"],
        isLive: true, hasHardwareMixer: true)
    /// PipeWire.
    package static let pipewire = Self(
        "pipewire", ["device", "format", "allowed_formats", "max_rate", "always_on", "realtime"], isLive: true,
        hasHardwareMixer: true)
    /// JACK, or PipeWire acting as one.
    package static let jack = Self("jack", ["device", "always_on", "server", "realtime"], isLive: true)
    /// Raw samples into a named pipe.
    package static let fifo = Self("fifo", ["path", "format", "dop", "realtime"])
    /// Raw samples to a program.
    package static let pipe = Self("pipe", ["command", "format", "always_on", "dop", "realtime"])
    /// A recording.
    package static let file = Self(
        "file", ["path", "format_path", "format", "encoder", "bitrate", "quality"], encoder: .wave)
    /// Nowhere.
    package static let null = Self("null", ["sync"], isLive: true)
}

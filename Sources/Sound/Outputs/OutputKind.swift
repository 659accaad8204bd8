extension OutputSpecification {
    /// The kinds of output; the raw value is the configuration's `type`.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The first sound device that works.
        case auto
        /// An ALSA device.
        case alsa
        /// A PulseAudio server, or PipeWire acting as one.
        case pulse
        /// PipeWire.
        case pipewire
        /// JACK, or PipeWire acting as one.
        case jack
        /// Raw samples into a named pipe.
        case fifo
        /// Raw samples to a program.
        case pipe
        /// A Snapcast server, whose clients become outputs of their own.
        case snapcast
        /// An HTTP server for browsers and players.
        case httpd
        /// An Icecast server.
        case shout
        /// A recording.
        case file
        /// Nowhere.
        case null
    }
}

extension OutputSpecification.Kind {
    /// The traits of a type of output that hold before there is an output.
    package struct Traits: Sendable {
        /// The keys of its section in the configuration, beside those that all types have.
        package var keys: Set<String>
        /// Whether it plays at the speed of the music by itself.
        package var isLive = false
        /// Whether `mixer_type = "hardware"` finds a control to turn.
        package var hasHardwareMixer = false
        /// How it encodes its sound when the configuration doesn't say.
        package var encoder = StreamEncoding.Encoder.wave
    }

    /// The traits of each type. A new type is a case above, a line here, and a driver in the audio engine.
    package var traits: Traits {
        switch self {
        case .auto: Traits(keys: ["always_on", "realtime"], isLive: true)
        case .alsa:
            Traits(
                keys: [
                    "device", "format", "allowed_formats", "max_rate", "always_on", "close_on_pause", "realtime",
                    "buffer_time", "mixer_device", "mixer_control", "mixer_index", "dsd", "dop", "stop_dsd_silence",
                    "thesycon_dsd_workaround",
                ], isLive: true, hasHardwareMixer: true)
        case .pulse:
            Traits(
                keys: [
                    "device", "format", "allowed_formats", "max_rate", "always_on", "buffer_time", "server", "realtime",
                ], isLive: true, hasHardwareMixer: true)
        case .pipewire:
            Traits(
                keys: ["device", "format", "allowed_formats", "max_rate", "always_on", "realtime"], isLive: true,
                hasHardwareMixer: true)
        case .jack: Traits(keys: ["device", "always_on", "server", "realtime"], isLive: true)
        case .fifo: Traits(keys: ["path", "format", "dop", "realtime"])
        case .pipe: Traits(keys: ["command", "format", "always_on", "dop", "realtime"])
        case .snapcast:
            Traits(keys: [
                "path", "host", "port", "format", "control", "control_port", "rooms", "stream", "realtime",
            ])
        case .httpd:
            Traits(
                keys: [
                    "port", "bind_to_address", "format", "encoder", "bitrate", "quality", "max_clients",
                    "max_clients_per_address", "allow_origin", "genre", "website", "always_on", "tags", "realtime",
                ], encoder: .flac)
        case .shout:
            Traits(
                keys: [
                    "host", "port", "mount", "user", "password", "password_file", "format", "encoder", "bitrate",
                    "quality", "genre", "website", "description", "public", "always_on", "tags", "tls",
                    "tls_certificate", "realtime",
                ], encoder: .vorbis)
        case .file: Traits(keys: ["path", "format_path", "format", "encoder", "bitrate", "quality"])
        case .null: Traits(keys: ["sync"], isLive: true)
        }
    }
}

public import MusicModel

/// One output as the configuration describes it.
public struct OutputSpecification: Hashable, Sendable {
    /// The kinds of output; the raw value is the configuration's `type`.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The first sound device that works.
        case auto
        /// An ALSA device.
        case alsa
        /// A PulseAudio server, or PipeWire acting as one.
        case pulse
        /// PipeWire.
        case pipewire
        /// Raw samples into a named pipe.
        case fifo
        /// A WAV file.
        case file
        /// Nowhere.
        case null
    }

    /// What scales the loudness of an output; the raw value is the configuration's `mixer_type`.
    public enum MixerType: String, CaseIterable, Hashable, Sendable {
        /// The samples are scaled before they reach the output.
        case software
        /// The device's own control; not supported yet, and handled as `software`.
        case hardware
        /// The output always gets the samples unscaled.
        case none
    }

    /// The kind of output.
    public var type: Kind
    /// The name that clients see.
    public var name: String
    /// Whether it plays from the start.
    public var isEnabled: Bool
    /// What scales its loudness.
    public var mixerType: MixerType
    /// The file or named pipe; for `file` and `fifo`.
    public var path: String?
    /// The device; for `alsa`, `pulse` and `pipewire`, whose default is taken when nil.
    public var device: String?
    /// The format that is written; nil keeps the source's rate and channels (`fifo`: 44100:16:2).
    public var format: AudioFormat?
    /// Whether a `null` output takes as long as the music lasts.
    public var sync: Bool

    /// Describes an output.
    public init(
        type: Kind, name: String, isEnabled: Bool = true, mixerType: MixerType = .software, path: String? = nil,
        device: String? = nil, format: AudioFormat? = nil, sync: Bool = true
    ) {
        self.type = type
        self.name = name
        self.isEnabled = isEnabled
        self.mixerType = mixerType
        self.path = path
        self.device = device
        self.format = format
        self.sync = sync
    }

    /// Whether the output plays at the speed of the music by itself.
    var isLive: Bool {
        switch type {
        case .auto, .alsa, .pulse, .pipewire: true
        case .null: sync
        case .fifo, .file: false
        }
    }
}

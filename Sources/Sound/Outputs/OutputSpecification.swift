package import MusicModel

/// One output: what an `[[output]]` section says, and what the engine makes a driver of.
///
/// The configuration and the engine share these types, so a new type of output is described once; see "Adding an
/// output" in docs/architecture.md.
package struct OutputSpecification: Hashable, Sendable {
    /// The scale of an output's loudness; the raw value is the configuration's `mixer_type`.
    package enum MixerType: String, CaseIterable, Hashable, Sendable {
        /// The samples are scaled before they reach the output.
        case software
        /// The device's own control, for `alsa`, `pulse` and `pipewire`.
        case hardware
        /// The output always gets the samples unscaled.
        case none
    }

    /// Where ReplayGain is applied; the raw value is the configuration's `replay_gain_handler`.
    package enum ReplayGainHandler: String, CaseIterable, Hashable, Sendable {
        /// The samples are scaled.
        case software
        /// The device's own control goes by it, on top of the volume; only with a hardware mixer.
        case mixer
        /// The output gets songs as loud as they are.
        case none
    }

    /// The type of output.
    package var type: Kind
    /// The name that clients see.
    package var name: String
    /// Plays from the start.
    package var isEnabled: Bool
    /// The scale of its loudness.
    package var mixerType: MixerType
    /// Which control an `alsa` output's hardware mixer is.
    package var mixer = MixerSettings()
    /// Where ReplayGain is applied.
    package var replayGainHandler = ReplayGainHandler.software
    /// Stays open while nothing plays.
    package var isAlwaysOn = false
    /// Tells listeners what plays; for `httpd` and `shout`.
    package var sendsTitles = true
    /// How sound is encoded, for `httpd`, `shout` and `file`; nil is what suits the type.
    package var encoding: StreamEncoding?
    /// The settings that only its type has.
    package var own: OwnSettings
    /// The file or named pipe; for `file`, `fifo` and `snapcast`.
    package var path: String?
    /// The file of each title; for `file`, in place of `path`.
    package var titledPath: RecordingFormat?
    /// The shell's command that a `pipe` output starts.
    package var command: String?
    /// The device; for `alsa`, `pulse`, `pipewire` and `jack`, whose default is taken when nil.
    package var device: String?
    /// The sound server's name or address; for `pulse` and `jack`, whose default is taken when nil.
    package var server: String?
    /// How much is given ahead of hearing, in microseconds; for `alsa` and `pulse`. Nil is a good value.
    package var bufferMicroseconds: Int?
    /// The format that is written; nil keeps the source's (`fifo` and `pipe`: 44100:16:2).
    package var format: AudioFormat?
    /// The formats that a device may get, as they were listed; `allow` sets them with what follows of them.
    package internal(set) var listedFormats: [AllowedFormat] = []
    /// The formats that a device may get.
    package var allowed = AllowedFormats()
    /// Which channels of songs go to which of the output's; nil keeps them.
    package var route: ChannelRoute?
    /// How it plays one-bit sound.
    package var dsd = DSDSettings()
    /// The filters of the sound on its way; clients can change them.
    package var filters = FilterSettings()
    /// The equalizers and impulse responses that clients can name.
    package var presets = FilterPresets()
    /// Runs its threads in real time where the system allows that; for all but `file` and `null`.
    package var isRealtime = true
    /// How long a device stays open while the music is paused; nil never closes it. For `alsa`.
    ///
    /// MPD closes at once, so that each short pause opens the device again, which clicks in some. Sound servers share
    /// their devices anyway.
    package var closesPausedAfter: Duration? = .seconds(10)
    /// Makes a `null` output take as long as the music lasts.
    package var sync: Bool

    /// Describes an output.
    package init(
        type: Kind, name: String, isEnabled: Bool = true, mixerType: MixerType = .software, path: String? = nil,
        device: String? = nil, format: AudioFormat? = nil, sync: Bool = true
    ) {
        (self.type, own) = (type, OwnSettings(type.settings?.init()))
        (self.name, self.isEnabled, self.mixerType, self.path) = (name, isEnabled, mixerType, path)
        (self.device, self.format, self.sync) = (device, format, sync)
    }

    /// The same with a format for outputs in general where it has none of its own.
    package func filled(_ general: AudioFormat?) -> OutputSpecification {
        // Such a server's format is set on its machine.
        guard var general, type.serverRate == nil else { return self }
        // A route has said how many channels there are.
        if route != nil { general.channels = 0 }
        var filled = self
        filled.format = format?.filled(general) ?? general
        return filled
    }

    /// Throws sound away as fast as it comes.
    package var takesNoTime: Bool { type == .null && !sync }
    /// Plays at the speed of the music on its own.
    package var isLive: Bool { type.isLive && !takesNoTime }
}

/// Which control of an ALSA device is an output's volume.
package struct MixerSettings: Hashable, Sendable {
    /// The mixer's device.
    package var device = "default"
    /// The control's name.
    package var control = "PCM"
    /// Which one of several with that name.
    package var index = 0
}

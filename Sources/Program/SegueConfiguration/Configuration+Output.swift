extension Configuration {
    /// An `[[output]]` section.
    public struct Output: Hashable, Sendable {
        /// The kinds of output that this version has.
        public enum Kind: String, CaseIterable, Hashable, Sendable {
            case auto, alsa, pulse, pipewire, jack, fifo, snapcast, httpd, shout, file, null
        }

        /// What scales the loudness.
        public enum MixerType: String, CaseIterable, Hashable, Sendable {
            /// Segue scales the samples.
            case software
            /// The device does, for `alsa`, `pulse` and `pipewire`.
            case hardware
            /// Nothing does.
            case none
        }

        /// Where ReplayGain is applied.
        public enum ReplayGainHandler: String, CaseIterable, Hashable, Sendable {
            /// Segue scales the samples.
            case software
            /// The device's own control does, with a hardware mixer.
            case mixer
            /// Nowhere: songs are as loud as they are.
            case none
        }

        /// The encoders that this version has.
        public enum Encoder: String, CaseIterable, Hashable, Sendable {
            case wave, flac, opus, vorbis, mp3
        }

        /// What of a Snapcast server becomes an output.
        public enum Rooms: String, CaseIterable, Hashable, Sendable {
            /// Every client, and every group of two or more.
            case all
            /// Every client.
            case clients
            /// Every group, also those of one client.
            case groups
        }

        /// How the connection of `shout` is protected; the words are MPD's.
        public enum Encryption: String, CaseIterable, Hashable, Sendable {
            /// Not at all.
            case disabled
            /// As far as the server can.
            case auto
            /// In any case, or nothing is sent.
            case required = "auto_no_plain"
            /// From the first byte.
            case https = "rfc2818"
        }

        /// What outputs have that send their sound to or serve it for other programs.
        public struct Network: Hashable, Sendable {
            /// The server's name or address, for `snapcast` and `shout`.
            public var host = "127.0.0.1"
            /// The port of `snapcast`, `httpd` and `shout`; nil is the type's default.
            public var port: Int?
            /// The address at which `httpd` listens; nil is every address of the machine.
            public var bindAddress: String?
            /// Listeners of `httpd` at the same time; 0 is any number.
            public var maxClients = 64
            /// Connections to `httpd` from one address at the same time; 0 is any number.
            public var maxClientsPerAddress = 16
            /// The websites whose scripts may read the stream of `httpd`: `*`, or one; nil is none.
            public var allowedOrigin: String?
            /// The path of the stream of `shout`, with the slash.
            public var mount: String?
            /// The user of `shout`.
            public var user = "source"
            /// The user's password.
            public var password: Secret?
            /// Absolute path of the file that the password comes from; nil when it comes from elsewhere.
            public var passwordFile: String?
            /// How the connection of `shout` is protected.
            public var encryption = Encryption.disabled
            /// Absolute path of a file of certificates that are trusted instead of the system's; nil is the system's.
            public var certificates: String?
            /// The stream's genre.
            public var genre: String?
            /// The stream's website.
            public var website: String?
            /// A sentence about the stream.
            public var summary: String?
            /// Whether directories may list the stream.
            public var isPublic = false
            /// Whether the clients and groups of `snapcast` become outputs.
            public var isControlled = true
            /// Which of them.
            public var rooms = Rooms.all
            /// The port of Snapcast's control.
            public var controlPort = 1705
            /// Snapcast's name of the stream, to which clients that are enabled are put; nil leaves that to others.
            public var stream: String?
        }

        /// The kind of output.
        public var type: Kind
        /// The name that clients see.
        public var name: String
        /// Whether it plays from the start.
        public var isEnabled: Bool
        /// What scales the loudness.
        public var mixerType: MixerType
        /// The device, control and number of an `alsa` output's hardware mixer; nil is ALSA's `default`, `PCM` and 0.
        public var mixerDevice, mixerControl: String?
        /// Which one of several controls of the name.
        public var mixerIndex: Int?
        /// Where ReplayGain is applied.
        public var replayGainHandler = ReplayGainHandler.software
        /// Whether it stays open while nothing plays.
        public var isAlwaysOn = false
        /// Whether listeners are told what plays.
        public var sendsTags = true
        /// How `httpd`, `shout` and `file` encode; nil is what suits the type or the file's name.
        public var encoder: Encoder?
        /// The encoder's bit rate in kbit/s; nil is its default.
        public var bitRate: Int?
        /// The quality of `vorbis`, -1 to 10; nil is the default, or the bit rate counts.
        public var quality: Double?
        /// What only outputs over the network have.
        public var network = Network()
        /// The device of `alsa`, `pulse`, `pipewire` and `jack`; nil is the system's default.
        public var device: String?
        /// The sound server of `pulse` and `jack`; nil is the usual one.
        public var server: String?
        /// How much the device's buffer of `alsa` or `pulse` holds, in microseconds; nil is Segue's choice.
        public var bufferTime: Int?
        /// Absolute path of the file or named pipe of `file`, `fifo` and perhaps `snapcast`; nil for the others.
        public var path: String?
        /// The format that is written; nil keeps the song's or that of `audio_output_format`.
        public var format: PCMFormat?
        /// Whether a `null` output takes as long as the music lasts.
        public var sync: Bool
    }
}

/// A sample format, `44100:16:2` in the file, or parts of one: `*:24:*`.
public struct PCMFormat: Hashable, Sendable, CustomStringConvertible {
    /// What a sample is.
    public enum Sample: Hashable, Sendable {
        /// A signed integer of 16, 24 or 32 bits.
        case integer(bits: Int)
        /// 32-bit floating point, `f`.
        case float
    }

    /// Frames a second; nil keeps the song's.
    public var sampleRate: Int?
    /// What a sample is; nil keeps the song's.
    public var sample: Sample?
    /// How many channels; nil keeps the song's.
    public var channels: Int?

    /// Makes a format.
    public init(sampleRate: Int?, sample: Sample?, channels: Int?) {
        self.sampleRate = sampleRate
        self.sample = sample
        self.channels = channels
    }

    /// The format as it is written in the file.
    public var description: String {
        let bits =
            switch sample {
            case .integer(let bits): String(bits)
            case .float: "f"
            case nil: "*"
            }
        return "\(sampleRate.map(String.init) ?? "*"):\(bits):\(channels.map(String.init) ?? "*")"
    }
}

import MusicModel

extension OutputSpecification {
    /// How many channels it gets of a song with more than two, or with a route of any song; its device may take fewer.
    package func channels(for song: Int, rate: Int) -> Int {
        if let route { return max(route.targets, namedChannels ?? 0) }
        if let namedChannels { return min(namedChannels, encoderLimit) }
        switch type {
        case .file: return min(song, encoderLimit)
        case .null: return song
        case .auto, .pulse, .pipewire: return allowedChannels(for: song, rate)
        case .alsa where knowsItsChannels: return allowedChannels(for: song, rate)
        default: return min(song, 2)
        }
    }

    /// The maximum number of channels that its songs are to have: two, unless more would be heard of.
    package var maxChannels: Int {
        if type == .null { return 2 }
        let needed = route.map(\.sources) ?? max(channels(for: Speaker.maxChannels, rate: 48_000), maxAllowed)
        return needed > 2 ? Speaker.maxChannels : 2
    }

    /// How many channels it has whatever is played, where that can't follow the song.
    package var fixedChannels: Int { namedChannels ?? route?.targets ?? 2 }
    private var namedChannels: Int? { format.flatMap { $0.channels > 0 ? $0.channels : nil } }
    private var maxAllowed: Int { namedChannels == nil ? allowed.formats.map(\.channels).max() ?? 0 : 0 }

    private func allowedChannels(for song: Int, _ rate: Int) -> Int {
        guard !allowed.isAny else { return song }
        let suited = allowed.format(rate: rate, channels: song).channels
        return suited > 0 ? suited : song
    }

    /// True if an ALSA device says how many channels it has; plug-ins take any number, and discard what it lacks.
    private var knowsItsChannels: Bool {
        let device = device ?? "default"
        return maxAllowed > 2 || ["hw:", "hdmi", "surround"].contains { device.hasPrefix($0) }
    }

    private var encoderLimit: Int {
        guard type.encoder != nil else { return Speaker.maxChannels }
        return (encoding ?? .usual(for: type, path: path ?? titledPath?.ending)).encoder.maxChannels
    }
}

extension StreamEncoding.Encoder {
    /// How many channels it takes.
    package var maxChannels: Int { self == .mp3 ? 2 : Speaker.maxChannels }
}

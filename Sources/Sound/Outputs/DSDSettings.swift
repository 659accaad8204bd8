package import MusicModel

/// How an output plays one-bit sound (DSD).
package struct DSDSettings: Hashable, Sendable {
    /// True if the device is asked for DSD as it is, before DoP.
    package var isNative = false
    /// The formats that it gets as they are, in place of `isNative`; parts of them may be unknown.
    package var nativeFormats: [AudioFormat] = []
    /// True if the device understands DSD over PCM.
    package var isDoP = false
    /// The formats that it gets as DoP, parts of which may be unknown; where there are some, `isDoP` doesn't count.
    package var dopFormats: [AudioFormat] = []
    /// True if the device is given silence before one-bit sound stops.
    package var stopsWithSilence = false
    /// True if the device is given a little PCM before one-bit sound begins.
    package var beginsWithPCM = false
}

extension OutputSpecification {
    /// True if one-bit sound of that format, whose rate counts bytes, is to reach it bit by bit: as it is, or as DoP.
    package func takesDSD(_ sound: AudioFormat) -> Bool { takesNativeDSD(sound) || takesDoP(sound) }

    /// True if one-bit sound of that format, whose rate counts bytes, is to reach it as it is.
    package func takesNativeDSD(_ sound: AudioFormat) -> Bool {
        guard type == .alsa, sound.sample == .dsd, takesChannels(sound, dsd.nativeFormats) else { return false }
        if let format, format.sampleRate > 0 || format.sample != .unknown { return false }
        if dsd.nativeFormats.isEmpty { return dsd.isNative && allowed.formats.isEmpty }
        return sound.isAmong(dsd.nativeFormats)
    }

    /// True if one-bit sound of that format, whose rate counts bytes, is to reach it as DoP.
    package func takesDoP(_ sound: AudioFormat) -> Bool {
        guard sound.sample == .dsd, takesChannels(sound, dsd.dopFormats) else { return false }
        let carrier = sound.sampleRate / 2
        guard carrier <= allowed.maxRate ?? .max, isWanted(sound) else { return false }
        // A pipe's format is known beforehand, and no other one comes through.
        if type == .fifo || type == .pipe {
            guard let format else { return false }
            return format.sampleRate == carrier && (format.channels == 0 ? 2 : format.channels) == sound.channels
                && [.integer(bits: 24), .integer(bits: 32)].contains(format.sample)
        }
        guard let format else { return true }
        return [0, carrier].contains(format.sampleRate) && [0, sound.channels].contains(format.channels)
            && [.unknown, .integer(bits: 24), .integer(bits: 32)].contains(format.sample)
    }

    /// Gets all channels of one-bit sound: mixed, the bits would be noise.
    private func takesChannels(_ sound: AudioFormat, _ formats: [AudioFormat]) -> Bool {
        if sound.channels <= 2 { return true }
        guard route == nil else { return false }
        return formats.contains { $0.channels == sound.channels }
            || channels(for: sound.channels, rate: sound.sampleRate / 2) == sound.channels
    }

    private func isWanted(_ sound: AudioFormat) -> Bool {
        if dsd.dopFormats.isEmpty { return dsd.isDoP && allowed.formats.isEmpty }
        return sound.isAmong(dsd.dopFormats)
    }
}

extension AudioFormat {
    /// True if one of these, whose unknown parts stand for any, is its rate and channels.
    fileprivate func isAmong(_ formats: [AudioFormat]) -> Bool {
        formats.contains { [0, sampleRate].contains($0.sampleRate) && [0, channels].contains($0.channels) }
    }
}

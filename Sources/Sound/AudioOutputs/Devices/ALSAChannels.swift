import CALSA
import MusicModel

/// The order of the channels of ALSA's devices.
enum ALSAChannels {
    /// Where each channel of sound lies in the frames of a device.
    ///
    /// - Parameters:
    ///   - channels: how many, 1 to 8.
    ///   - positions: the positions that the device names, as `SND_CHMAP_…`; where they aren't those of the channels,
    ///     the usual order counts.
    /// - Source: alsa-lib include/pcm.h, `snd_pcm_chmap_position`; src/conf/pcm/surround71.conf.
    static func places(of channels: Int, positions: [UInt32]) -> [Int] {
        let speakers = Speaker.layout(channels: channels)
        let named = positions.map { self.speakers[Int($0)] }
        return places(of: speakers, in: named) ?? places(of: speakers, in: named.map(behind))
            ?? places(of: speakers, in: usual.map(Optional.some)) ?? Array(0..<channels)
    }

    /// Of six channels or fewer some devices call the last two those at the sides.
    private static func behind(_ speaker: Speaker?) -> Speaker? {
        switch speaker {
        case .sideLeft: .rearLeft
        case .sideRight: .rearRight
        default: speaker
        }
    }

    private static func places(of speakers: [Speaker], in order: [Speaker?]) -> [Int]? {
        let order = order.filter { $0.map(speakers.contains) ?? true }
        let places = speakers.compactMap { order.firstIndex(of: $0) }
        return order.count == speakers.count && places.count == speakers.count ? places : nil
    }

    private static let usual: [Speaker] = [
        .frontLeft, .frontRight, .rearLeft, .rearRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight,
    ]

    private static let speakers: [Int: Speaker] = [
        Int(SND_CHMAP_FL.rawValue): .frontLeft, Int(SND_CHMAP_FR.rawValue): .frontRight,
        Int(SND_CHMAP_RL.rawValue): .rearLeft, Int(SND_CHMAP_RR.rawValue): .rearRight,
        Int(SND_CHMAP_FC.rawValue): .frontCenter, Int(SND_CHMAP_MONO.rawValue): .frontCenter,
        Int(SND_CHMAP_LFE.rawValue): .lowFrequency, Int(SND_CHMAP_RC.rawValue): .rearCenter,
        Int(SND_CHMAP_SL.rawValue): .sideLeft, Int(SND_CHMAP_SR.rawValue): .sideRight,
    ]
}

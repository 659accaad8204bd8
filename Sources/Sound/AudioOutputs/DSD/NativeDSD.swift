import AudioFiles
import CALSA

/// A form in which ALSA devices take DSD as it is.
///
/// The highest bit of a byte is the first one in time.
/// - Source: alsa-lib include/pcm.h, `SND_PCM_FORMAT_DSD_*`.
enum NativeDSD: CaseIterable {
    // Those that most devices have come first.
    case fourBytesFirstByteFirst
    case fourBytesLastByteFirst
    case twoBytesFirstByteFirst
    case twoBytesLastByteFirst
    case oneByte

    private var traits: (format: snd_pcm_format_t, width: Int, isReversed: Bool) {
        switch self {
        case .fourBytesFirstByteFirst: (SND_PCM_FORMAT_DSD_U32_BE, 4, false)
        case .fourBytesLastByteFirst: (SND_PCM_FORMAT_DSD_U32_LE, 4, true)
        case .twoBytesFirstByteFirst: (SND_PCM_FORMAT_DSD_U16_BE, 2, false)
        case .twoBytesLastByteFirst: (SND_PCM_FORMAT_DSD_U16_LE, 2, true)
        case .oneByte: (SND_PCM_FORMAT_DSD_U8, 1, false)
        }
    }

    var format: snd_pcm_format_t { traits.format }
    /// How many bytes of each channel a frame of the device has.
    var width: Int { traits.width }
    /// How many frames of the device a second of DoP has, two bytes of each channel in a frame.
    func rate(ofDoP rate: Int) -> Int { rate * 2 / width }

    /// Where in a channel's part of a frame the byte lies that is the `index`th in time.
    fileprivate func place(_ index: Int) -> Int { traits.isReversed ? width - 1 - index : index }
}

/// Makes frames of DSD from blocks of DoP; what doesn't fill a frame waits for the next block.
struct NativeDSDPacking {
    let form: NativeDSD
    let channels: Int
    /// Where in the device's order each channel of the samples lies.
    let places: [Int]
    /// The bytes of each channel in turn that wait: those of a frame of DoP, or none.
    private var rest: [UInt16] = []

    init(_ form: NativeDSD, places: [Int]) {
        (self.form, self.places, channels) = (form, places, places.count)
    }

    mutating func pack(_ samples: [Float]) -> [UInt8] {
        let sound = rest + samples.map(DoP.sound(of:))
        let frames = sound.count * 2 / (form.width * channels)
        let used = frames * form.width * channels / 2
        rest = Array(sound[used...])
        var packed = [UInt8](repeating: 0, count: used * 2)
        packed.withUnsafeMutableBufferPointer { packed in
            for index in 0..<used {
                let (frame, channel) = index.quotientAndRemainder(dividingBy: channels)
                packed[place(frame * 2, channel)] = UInt8(sound[index] >> 8)
                packed[place(frame * 2 + 1, channel)] = UInt8(truncatingIfNeeded: sound[index])
            }
        }
        return packed
    }

    private func place(_ index: Int, _ channel: Int) -> Int {
        let (frame, byte) = index.quotientAndRemainder(dividingBy: form.width)
        return (frame * channels + places[channel]) * form.width + form.place(byte)
    }

    /// The frame that waits, filled up with silence; nothing where none does.
    mutating func finish() -> [UInt8] {
        guard !rest.isEmpty else { return [] }
        let silence = UInt16(DoP.silence) << 8 | UInt16(DoP.silence)
        return pack([Float](repeating: DoP.sample(DoP.markers.first, silence), count: rest.count))
    }
}

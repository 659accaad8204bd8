import Coordination

/// DSD over PCM: 16 bits of a channel, the first one highest, in the lower bytes of a sample of 24 bits, below a marker
/// that is another one in every second frame.
///
/// As floats such samples are whole multiples of 2^-23, which the way to an output keeps exactly.
/// - Source: DoP Open Standard 1.1.
enum DoP {
    /// The markers of frames in turn.
    static let markers: (first: UInt8, second: UInt8) = (0x05, 0xFA)
    /// A byte of silence.
    static let silence: UInt8 = 0x69

    /// The sample with that marker and two bytes of sound.
    static func sample(_ marker: UInt8, _ sound: UInt16) -> Float {
        let bits = Int32(Int8(bitPattern: marker)) << 16 | Int32(sound)
        return Float(bits) / scale
    }

    /// The two bytes of sound of a sample.
    static func sound(of sample: Float) -> UInt16 {
        // Samples of other sound can be more than full scale.
        let bits = Int32(max(-1, min(1, sample.isNaN ? 0 : sample)) * scale)
        return UInt16(truncatingIfNeeded: bits)
    }

    private static let scale: Float = 8_388_608
}

/// Numbers the frames that an output gets as DoP, so that their markers alternate wherever the sound comes from: behind
/// a join, a seek, or sound that was left out.
///
/// - Isolation: the output's thread.
struct DoPMarking {
    private var isSecond = false

    /// Sets the markers of a block's frames, and makes those silent that `isSilent` names.
    mutating func mark(_ block: inout SampleBlock, isSilent: (_ frame: Int) -> Bool) {
        let channels = block.layout.channels
        let silence = UInt16(DoP.silence) << 8 | UInt16(DoP.silence)
        for frame in 0..<block.frames {
            let marker = isSecond ? DoP.markers.second : DoP.markers.first
            let isSilent = isSilent(frame)
            for index in frame * channels..<(frame + 1) * channels {
                block.samples[index] = DoP.sample(marker, isSilent ? silence : DoP.sound(of: block.samples[index]))
            }
            isSecond.toggle()
        }
    }
}

extension SampleBlock {
    /// A block of DoP for a device that doesn't take it: there is no sound until the engine decodes it.
    static func silent(_ block: SampleBlock) -> SampleBlock {
        var silent = block
        silent.samples = [Float](repeating: 0, count: block.samples.count)
        silent.isDoP = false
        return silent
    }

    /// DSD's silence, of no place in the timeline, still to be marked.
    static func silenceOfDSD(_ length: Nanoseconds, _ layout: SampleLayout) -> SampleBlock {
        var block = silence(length, layout)
        block.isDoP = true
        return block
    }
}

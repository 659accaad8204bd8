import AudioFiles
import Coordination

/// Numbers the frames that an output gets as DoP, so that their markers alternate also behind a join, a seek, or a gap.
struct DoPMarking {
    private var isSecond = false

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

    /// DSD's silence, of no position in the timeline, still to be marked.
    static func silenceOfDSD(_ length: Nanoseconds, _ layout: SampleLayout) -> SampleBlock {
        var block = silence(length, layout)
        block.isDoP = true
        return block
    }
}

extension DoP {
    static func sample(_ marker: UInt8, _ sound: UInt16) -> Float {
        let bits = Int32(Int8(bitPattern: marker)) << 16 | Int32(sound)
        return Float(bits) / scale
    }

    static func sound(of sample: Float) -> UInt16 {
        // Samples of other sound can be more than full scale.
        let bits = Int32(max(-1, min(1, sample.isNaN ? 0 : sample)) * scale)
        return UInt16(truncatingIfNeeded: bits)
    }

    private static let scale: Float = 8_388_608
}

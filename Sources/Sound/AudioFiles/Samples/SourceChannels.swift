import Coordination
import MusicModel

/// Brings what decoders give to the layout of its channel count, and to stereo where no output has use for more.
package final class SourceChannels: Sendable {
    struct Layout: Hashable, Sendable {
        var channels: Int
        var mask: UInt64
        var isFLAC = false
    }

    private let limit: Int
    private let known: Monitor<(layout: Layout, matrix: ChannelMatrix?)?> = Monitor(nil)

    /// At most `limit` channels leave.
    package init(limit: Int) { self.limit = limit }

    /// Arranges a piece of more than two channels by GStreamer's mask of speakers, 0 if unknown, or FLAC's order.
    package func arrange(_ piece: inout DeckSamples, mask: UInt64, isFLAC: Bool = false) {
        let layout = Layout(channels: piece.layout.channels, mask: mask, isFLAC: isFLAC)
        let most = SoundLimits.isTooFast(rate: piece.layout.rate) ? 2 : limit
        let matrix = known.withLock { known in
            if let known, known.layout == layout { return known.matrix }
            let made = Self.matrix(layout, limit: most)
            known = (layout, made)
            return made
        }
        guard let matrix else { return }
        piece.samples = matrix.apply(to: piece.samples)
        piece.layout.channels = matrix.targets
    }

    static func matrix(_ layout: Layout, limit: Int) -> ChannelMatrix? {
        var matrix = arrangement(layout)
        let channels = matrix?.targets ?? layout.channels
        if channels > limit {
            let fold = ChannelMatrix.between(channels, limit)
            matrix = matrix?.then(fold) ?? fold
        }
        return matrix?.isIdentity == true ? nil : matrix
    }

    private static func arrangement(_ layout: Layout) -> ChannelMatrix? {
        if layout.isFLAC, let order = flacOrder(layout.channels) {
            return ChannelMatrix(
                order.map { source in order.indices.map { $0 == source ? 1 : 0 } }, sources: layout.channels)
        }
        let bits = (0..<64).filter { layout.mask & 1 << UInt64($0) != 0 }
        // Without positions for all of them, the order is the usual one. So it is with the positions that Windows had
        // for 7.1 once, which GStreamer also names where a header names none.
        guard bits.count == layout.channels, layout.mask != 0xff else { return nil }
        let speakers = bits.map(home)
        let targets = minLayout(for: Set(speakers.compactMap(\.speaker)))
        return ChannelMatrix.mixing(speakers, targets)
    }

    /// Where the channels of a FLAC file lie in what GStreamer's decoder and encoder take for them; nil where that is
    /// the same. They know a layout of seven and eight channels from before FLAC had one.
    /// - Source: RFC 9639 9.1.3; gst-plugins-good 1.22 ext/flac/gstflacdec.c `channel_positions`.
    package static func flacOrder(_ channels: Int) -> [Int]? {
        switch channels {
        case 7: [0, 1, 4, 5, 2, 3, 6]
        case 8: [0, 1, 4, 5, 2, 3, 6, 7]
        default: nil
        }
    }

    /// The speaker that plays a position of GStreamer's masks, with the factor for it: those above, below and next to
    /// the usual ones go to the next of these.
    private static func home(_ bit: Int) -> (speaker: Speaker?, factor: Double) {
        if let speaker = Speaker(rawValue: bit) { return (speaker, 1) }
        let others: [Int: Speaker] = [
            6: .frontLeft, 7: .frontRight, 9: .lowFrequency, 12: .frontLeft, 13: .frontRight, 14: .frontCenter,
            15: .frontCenter, 16: .rearLeft, 17: .rearRight, 18: .sideLeft, 19: .sideRight, 20: .rearCenter,
            21: .frontCenter, 22: .frontLeft, 23: .frontRight, 24: .frontLeft, 25: .frontRight, 26: .sideLeft,
            27: .sideRight,
        ]
        return (others[bit], ChannelMatrix.half)
    }

    /// The fewest channels whose layout has all these speakers, where one pair of surrounds is as good as the other.
    private static func minLayout(for speakers: Set<Speaker>) -> Int {
        let pairs: [(Speaker, Speaker)] = [(.rearLeft, .sideLeft), (.rearRight, .sideRight)]
        return (2...Speaker.maxChannels).first { channels in
            let layout = Set(Speaker.layout(channels: channels))
            return speakers.allSatisfy { speaker in
                if layout.contains(speaker) { return true }
                return pairs.contains { one, other in
                    speaker == one && !speakers.contains(other) && layout.contains(other)
                        || speaker == other && !speakers.contains(one) && layout.contains(one)
                }
            }
        } ?? Speaker.maxChannels
    }
}

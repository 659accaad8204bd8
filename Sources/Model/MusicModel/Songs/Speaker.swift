/// A loudspeaker that a channel of sound is meant for; the raw value is its bit in GStreamer's channel masks.
package enum Speaker: Int, Hashable, Sendable {
    case frontLeft = 0
    case frontRight, frontCenter
    /// Low notes alone, from anywhere.
    case lowFrequency
    case rearLeft, rearRight
    case rearCenter = 8
    case sideLeft = 10
    case sideRight

    /// The side of the listener on which a speaker stands.
    package enum Side: Hashable, Sendable {
        case left, middle, right
    }

    /// The side on which it stands.
    package var side: Side {
        switch self {
        case .frontLeft, .rearLeft, .sideLeft: .left
        case .frontRight, .rearRight, .sideRight: .right
        case .frontCenter, .lowFrequency, .rearCenter: .middle
        }
    }

    /// The maximum number of channels of sound anywhere in Segue.
    package static let maxChannels = 8

    /// The speakers of sound with 1 to 8 channels, in the order of its samples; mono counts as the centre. One channel
    /// count has one layout: decks bring songs with others to these.
    /// - Source: RFC 9639 (FLAC) 9.1.3, which Vorbis and Opus share but for the order within files.
    package static func layout(channels: Int) -> [Speaker] {
        switch channels {
        case ...1: [.frontCenter]
        case 2: [.frontLeft, .frontRight]
        case 3: [.frontLeft, .frontRight, .frontCenter]
        case 4: [.frontLeft, .frontRight, .rearLeft, .rearRight]
        case 5: [.frontLeft, .frontRight, .frontCenter, .rearLeft, .rearRight]
        case 6: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight]
        case 7:
            [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearCenter, .sideLeft, .sideRight]
        default:
            [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .sideLeft, .sideRight]
        }
    }
}

import MusicModel
import Playback

/// The header of DSF or DSDIFF, whose numbers are checked against what such sound can be and the file's length.
package struct DSDHeader: Hashable, Sendable {
    enum Order: Hashable, Sendable {
        /// A block of that many bytes of each channel in turn.
        case blocks(Int)
        case interleaved
    }

    /// Bits a second of each channel.
    var rate: Int
    var channels: Int
    var order: Order
    var isLowestBitFirst: Bool
    var start: Int64
    /// How many bytes of sound each channel has; what fills up the last block doesn't count.
    var length: Int64
    /// Where an ID3 tag lies in the file; nil if there is none, or a decoder finds it on its own.
    var tag: Range<Int64>?
    /// The speakers of the channels in the file's order, where it names them; else the order is that of
    /// `Speaker.layout`.
    var speakers: [Speaker]?
    /// The file's own text, in place of a tag.
    var title: String?
    var artist: String?

    var format: AudioFormat { AudioFormat(sampleRate: rate / 8, sample: .dsd, channels: channels) }
    var carrierRate: Int { rate / 16 }

    /// Where in the file's order the outputs' channels lie; nil where that is the same, or other speakers are named.
    var arrangement: [Int]? {
        guard let speakers, speakers.count == channels else { return nil }
        let places = Speaker.layout(channels: channels).compactMap(speakers.firstIndex)
        return places.count == channels && places != Array(0..<channels) ? places : nil
    }

    /// True if outputs could get it as DoP: they know one layout for each number of channels, and nothing can mix bits.
    var fitsDoP: Bool {
        guard channels > 2, let speakers else { return true }
        return Set(speakers) == Set(Speaker.layout(channels: channels))
    }

    /// Bits a second that make sense: from below DSD64's to DSD512's.
    private static let rates: ClosedRange<UInt64> = 1_000_000...24_576_000
    /// As many channels as both formats have.
    package static let channels = 1...6
    static let longest: Int64 = 1 << 43

    /// Reads the header of a file; nil if it is neither DSF nor DSDIFF.
    /// - Throws: `TrackError` if it is one of these and can't be played.
    static func read(_ source: HeaderBytes) throws(TrackError) -> DSDHeader? {
        switch source.name(at: 0) {
        case "DSD ": try DSFChunks.read(source)
        case "FRM8" where source.name(at: 12) == "DSD ": try DSDIFFChunks.read(source)
        case "wvpk" where source.little(at: 24, count: 4).map { $0 >> 31 } == 1:
            throw TrackError("it is DSD in WavPack, for which GStreamer has no decoder", isUndecodable: true)
        default: nil
        }
    }

    /// Checks what both formats say of their sound: `rate` in bits a second, `length` in bytes of each channel.
    init(
        rate: UInt64, channels: UInt64, order: Order, isLowestBitFirst: Bool, start: Int64, length: Int64
    ) throws(TrackError) {
        guard Self.rates.contains(rate), rate % 16 == 0
        else { throw TrackError("its header is damaged: DSD of \(rate) bits a second") }
        guard let count = Int(exactly: channels), Self.channels.contains(count)
        else { throw TrackError("its header is damaged: DSD of \(channels) channels") }
        guard length > 0 else { throw TrackError("it holds no sound") }
        (self.rate, self.channels) = (Int(rate), count)
        (self.order, self.isLowestBitFirst) = (order, isLowestBitFirst)
        (self.start, self.length) = (start, min(length, Self.longest))
    }
}

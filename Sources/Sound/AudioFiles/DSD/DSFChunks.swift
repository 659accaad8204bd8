import MusicModel
import Playback

/// The chunks of a DSF file.
/// - Source: Sony, DSF File Format Specification 1.01.
enum DSFChunks {
    static func read(_ source: HeaderBytes) throws(TrackError) -> DSDHeader {
        guard source.name(at: 28) == "fmt ", let size = source.little(at: 32, count: 8), (52...4096).contains(size),
            let coding = source.little(at: 44, count: 4), let channels = source.little(at: 52, count: 4),
            let rate = source.little(at: 56, count: 4), let bits = source.little(at: 60, count: 4),
            let samples = source.little(at: 64, count: 8), let block = source.little(at: 72, count: 4)
        else { throw TrackError("its header is damaged") }
        guard coding == 0
        else { throw TrackError("this kind of DSF can't be played: only uncompressed DSD can", isUndecodable: true) }
        guard bits == 1 || bits == 8, (1...65_536).contains(block) else { throw TrackError("its header is damaged") }
        let data = 28 + Int64(size)
        guard source.name(at: data) == "data", let extent = source.little(at: data + 4, count: 8)
        else { throw TrackError("its header is damaged") }
        let start = data + 12
        let told = Int64(clamping: extent).subtractingClamped(12)
        let there = source.size.map { min(told, $0 - start) } ?? told
        // Files that were cut off end within a block.
        let groups = there / (Int64(block).multipliedClamped(by: Int64(clamping: max(1, channels))))
        let length = min(
            Int64(clamping: samples / 8 + (samples % 8 == 0 ? 0 : 1)), groups.multipliedClamped(by: Int64(block)))
        var header = try DSDHeader(
            rate: rate, channels: channels, order: .blocks(Int(block)), isLowestBitFirst: bits == 1, start: start,
            length: length)
        if source.little(at: 48, count: 4) == UInt64(kindOfFronts), channels == 4 { header.speakers = fronts }
        return header
    }

    /// The one kind of channels that is none of `Speaker.layout`.
    static let kindOfFronts: Int64 = 5
    static let fronts: [Speaker] = [.frontLeft, .frontRight, .frontCenter, .lowFrequency]
}

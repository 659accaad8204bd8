import MusicModel

/// The tracks of a Matroska or WebM file: of several with sound one is the song, the first that is flagged as default
/// or else the first. GStreamer takes whichever is ready first, so the others are hidden from it. It does not know ALAC
/// there, whose packets are shown to it as an MP4 file.
/// - Source: RFC 9559, 5.1.3 (Clusters) and 5.1.4 (Tracks).
enum MatroskaHeader {
    private static let (entry, type, isDefault): (UInt32, UInt32, UInt32) = (0xAE, 0x83, 0x88)
    private static let (number, codec, description, encodings): (UInt32, UInt32, UInt32, UInt32) = (
        0xD7, 0x86, 0x63A2, 0x6D80
    )
    private static let (simpleBlock, group, block): (UInt32, UInt32, UInt32) = (0xA3, 0xA0, 0xA1)
    private static let sound: UInt64 = 2
    private static let void: UInt8 = 0xEC

    /// Reads the header; nil for any other kind of file, and where one track of sound can be read as it is.
    static func read(_ source: HeaderBytes) -> TrackHeader? {
        var file = EBML(source)
        guard let segment = file.segment(), let tracks = file.part(EBML.ID.tracks, in: segment) else { return nil }
        var found: [(start: Int64, isDefault: Bool, parts: [EBML.Element])] = []
        for track in file.elements(in: tracks.body) where track.id == entry {
            let parts = file.elements(in: track.body)
            guard file.number(parts, type) == sound else { continue }
            found.append((track.start, file.number(parts, isDefault) ?? 1 != 0, parts))
        }
        guard let song = found.first(where: \.isDefault) ?? found.first else { return nil }
        if file.text(song.parts, codec) == "A_ALAC" { return lossless(song.parts, in: segment, source) }
        guard found.count > 1 else { return nil }
        let others = found.filter { $0.start != song.start }
        return TrackHeader(patches: others.map { BytePatch(offset: $0.start, bytes: [void]) })
    }

    private static func lossless(_ track: [EBML.Element], in segment: Range<Int64>, _ source: HeaderBytes)
        -> TrackHeader?
    {
        var file = EBML(source, budget: PacketFile.maxPackets)
        guard source.isComplete, let size = source.size, let number = file.number(track, number),
            let about = track.first(where: { $0.id == description })?.body, about.count <= 256,
            !track.contains(where: { $0.id == encodings }),
            let form = PacketFile.Form(source.bytes(at: about.lowerBound, count: about.count))
        else { return nil }
        var packets: [(offset: Int64, size: Int)] = []
        for cluster in file.elements(in: segment) where cluster.id == EBML.ID.cluster {
            for part in file.elements(in: cluster.body) {
                let blocks = part.id == group ? file.elements(in: part.body).filter { $0.id == block } : [part]
                for found in blocks where found.id == block || found.id == simpleBlock {
                    // The track's number, two bytes of time, and flags; several packets in one block are not known.
                    guard let first = source.number(at: found.body.lowerBound, count: 1), first == 0x80 | number,
                        source.number(at: found.body.lowerBound + 3, count: 1).map({ $0 & 6 }) == 0,
                        found.body.count > 4
                    else { continue }
                    packets.append((found.body.lowerBound + 4, found.body.count - 4))
                }
            }
        }
        return PacketFile(form, packets, frames: nil, source)?.shown(size: size)
    }
}

/// The tracks of a Matroska or WebM file: of several with sound one is the song, the first that is flagged as default
/// or else the first. GStreamer takes whichever is ready first, so the others are hidden from it.
///
/// - Source: RFC 9559, 5.1.4 (Tracks).
enum MatroskaHeader {
    private static let (entry, type, isDefault): (UInt32, UInt32, UInt32) = (0xAE, 0x83, 0x88)
    private static let sound: UInt64 = 2
    /// The number of an element that is passed over.
    private static let void: UInt8 = 0xEC

    /// Reads the header; nil for any other kind of file, and for those with one track of sound.
    static func read(_ source: HeaderBytes) -> TrackHeader? {
        var file = EBML(source)
        guard let segment = file.segment(), let tracks = file.part(EBML.ID.tracks, in: segment) else { return nil }
        var found: [(start: Int64, isDefault: Bool)] = []
        for track in file.elements(in: tracks.body) where track.id == entry {
            let parts = file.elements(in: track.body)
            guard file.number(parts, type) == sound else { continue }
            found.append((track.start, file.number(parts, isDefault) ?? 1 != 0))
        }
        guard found.count > 1, let song = found.first(where: \.isDefault) ?? found.first else { return nil }
        let others = found.filter { $0.start != song.start }
        return TrackHeader(patches: others.map { BytePatch(offset: $0.start, bytes: [void]) })
    }
}

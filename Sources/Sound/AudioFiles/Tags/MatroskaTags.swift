import MusicModel

/// The tags of a Matroska or WebM file, as they stand there, for what GStreamer 1.22 takes otherwise: it reads the
/// number of a track as that of a disc, and knows few names.
/// - Source: RFC 9559, 5.1.8 (Tags); the names of ffmpeg and mkvpropedit.
struct MatroskaTags {
    /// The tags with names in upper case, those of the track before those of the whole.
    private(set) var items: [(name: String, value: String)] = []

    private static let (tag, targets, level, simple, name, value): (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x7373, 0x63C0, 0x68CA, 0x67C8, 0x45A3, 0x4487
    )
    private static let title: UInt32 = 0x7BA9
    private static let (track, album): (UInt64, UInt64) = (30, 50)

    init?(_ source: HeaderBytes) {
        var file = EBML(source)
        guard let segment = file.segment() else { return nil }
        let about = file.part(EBML.ID.information, in: segment).map { file.elements(in: $0.body) } ?? []
        let tags = file.part(EBML.ID.tags, in: segment).map { file.elements(in: $0.body) } ?? []
        var found: [(level: UInt64, name: String, value: String)] = []
        for entry in tags where entry.id == Self.tag {
            let parts = file.elements(in: entry.body)
            let target = parts.first { $0.id == Self.targets }.map { file.elements(in: $0.body) } ?? []
            let level = file.number(target, Self.level) ?? Self.album
            for part in parts where part.id == Self.simple {
                let pair = file.elements(in: part.body)
                guard let name = file.text(pair, Self.name), let value = file.text(pair, Self.value) else { continue }
                found.append((level, name.uppercased(), value))
            }
        }
        let title = file.text(about, Self.title)
        guard !found.isEmpty || title != nil else { return nil }
        // Of the two that the standard calls alike the one of the track is the title, and that of the album its name.
        let hasTrack = found.contains { $0.level == Self.track }
        items = found.map { level, name, value in
            (hasTrack && level != Self.track ? ["TITLE": "ALBUM", "ARTIST": "ALBUMARTIST"][name] ?? name : name, value)
        }
        // It may stand next to the tags.
        if let title, !items.contains(where: { $0.name == "TITLE" }) { items.append(("TITLE", title)) }
    }
}

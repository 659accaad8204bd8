import MusicModel

/// Tags of an MP4 file that have names of their own, which GStreamer 1.22 leaves out but for a few.
/// - Source: the boxes `----` that iTunes writes: `mean`, `name`, and a `data` for each value.
struct MP4Comments {
    private static let meaning = "com.apple.iTunes"
    private static let maxNameLength: Int64 = 255
    private static let maxValues = 256
    private static let maxTextSize: Int64 = 1 << 20
    private static let isText: UInt64 = 1

    private(set) var items: [(name: String, value: String)] = []
    /// Those of iTunes' own, by the names that Vorbis comments have for them, with all values as they stand there.
    private(set) var texts: [(name: String, value: String)] = []

    /// Their first letter is no ASCII.
    private static let names: [String: String] = [
        "\u{FFFD}nam": "TITLE", "\u{FFFD}ART": "ARTIST", "\u{FFFD}alb": "ALBUM", "aART": "ALBUMARTIST",
        "\u{FFFD}gen": "GENRE", "\u{FFFD}wrt": "COMPOSER", "\u{FFFD}day": "DATE", "\u{FFFD}cmt": "COMMENT",
        "\u{FFFD}grp": "GROUPING", "soar": "ARTISTSORT", "soal": "ALBUMSORT", "soaa": "ALBUMARTISTSORT",
        "sonm": "TITLESORT", "soco": "COMPOSERSORT",
    ]

    init(_ source: HeaderBytes) {
        guard source.name(at: 4) == "ftyp" else { return }
        var file = MP4Boxes(source)
        var room = Self.maxTextSize * 4
        for item in file.tags() where item.name == "----" || Self.names[item.name] != nil {
            let parts = file.boxes(item)
            let own = Self.names[item.name]
            func text(_ name: String) -> String? {
                guard let part = parts.first(where: { $0.name == name }), part.end - part.body > 4,
                    part.end - part.body - 4 <= Self.maxNameLength
                else { return nil }
                let bytes = source.bytes(at: part.body + 4, count: Int(part.end - part.body - 4))
                return String(decoding: bytes, as: UTF8.self)
            }
            guard let name = own ?? (text("mean") == Self.meaning ? text("name") : nil) else { continue }
            var values: [String] = []
            for part in parts.lazy.filter({ $0.name == "data" }).prefix(Self.maxValues) {
                let size = part.end - part.body - 8
                guard source.number(at: part.body, count: 4) == Self.isText, size > 0,
                    size <= min(Self.maxTextSize, room)
                else { continue }
                room -= size
                values.append(String(decoding: source.bytes(at: part.body + 8, count: Int(size)), as: UTF8.self))
            }
            if own == nil {
                items += values.map { (name.uppercased(), $0) }
            } else {
                texts += values.map { (name, $0) }
            }
        }
    }

    var cueSheet: CueSheet? { CueSheet(tag: items.first { $0.name == "CUESHEET" }?.value) }
}

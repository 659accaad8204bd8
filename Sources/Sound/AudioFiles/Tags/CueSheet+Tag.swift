import MusicModel

extension CueSheet {
    private static let maxLength = 1 << 20

    /// Reads the text of a tag; nil without one, of more than a MiB, or without tracks.
    init?(tag text: String?) {
        guard let text, text.utf8.count <= Self.maxLength else { return nil }
        let sheet = CueSheet(text)
        guard !sheet.tracks.isEmpty else { return nil }
        self = sheet
    }

    /// The first of a file's sheets that divides it, else the first one.
    static func preferred(_ sheets: [CueSheet?]) -> CueSheet? {
        let sheets = sheets.compactMap(\.self)
        return sheets.first { $0.tracks.count > 1 } ?? sheets.first
    }
}

import MusicModel

extension CueSheet {
    private static let largest = 1 << 20

    /// Reads the text of a tag; nil without one, of more than a MiB, or with fewer tracks than a disc has.
    init?(ofDisc text: String?) {
        guard let text, text.utf8.count <= Self.largest else { return nil }
        let sheet = CueSheet(text)
        guard sheet.tracks.count > 1 else { return nil }
        self = sheet
    }
}

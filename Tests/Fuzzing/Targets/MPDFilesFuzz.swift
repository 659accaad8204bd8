import MPDImport

/// Reads what an MPD left behind, and expects settings and entries that Segue can keep.
///
/// - Shape: the first byte chooses the file: `mpd.conf`, the state file, the database, a playlist or the rows of the
///   sticker database, which tabs and line ends divide; the rest is its content.
enum MPDFilesFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let kind = bytes.first else { return }
        if let complaint = UntrustedMPDFile.read(Array(bytes.dropFirst()), kind: kind) { throw FuzzFinding(complaint) }
    }
}

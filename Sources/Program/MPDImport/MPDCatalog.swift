import CZlib
import MusicModel

/// The songs of MPD's database: enough to find them in another library.
///
/// - Source: MPD v0.24.13 src/db/plugins/simple; compressed with gzip or not.
struct MPDCatalog {
    /// A song as MPD knows it.
    struct Song {
        var tags: [TagValue]
        var duration: Duration?
    }

    private static let maxFile = 2 << 30

    /// The songs by their paths below the music directory.
    private(set) var songs: [String: Song] = [:]
    /// A sentence where only a part of the file could be read.
    private(set) var problem: String?

    /// Knows no songs.
    init() {}

    /// Reads a database.
    ///
    /// - Throws: `MPDImportError` when it can't be read or is none of MPD's.
    init(path: String) throws(MPDImportError) {
        let (text, isDamaged) = try Self.unpacked(path)
        if isDamaged, !text.hasPrefix("info_begin") {
            throw MPDImportError("\(path) is damaged; `mpc rescan` makes a new one")
        }
        try self.init(text: text, path: path)
        if isDamaged { problem = "\(path) is damaged; after the damage only the songs' paths are known" }
    }

    init(text: String, path: String) throws(MPDImportError) {
        var lines = MPDLines(text)
        guard lines.next() == "info_begin" else { throw MPDImportError("\(path) is not a database of MPD's") }
        var folder = ""
        while let line = lines.next() {
            guard let (name, value) = MPDLines.pair(line) else { continue }
            switch name {
            case "begin": folder = value + "/"
            case "end": folder = Self.parent(value)
            case "song_begin":
                let song = MPDSongBlock(&lines)
                songs[folder + value] = Song(tags: song.tags, duration: song.duration)
            default: break
            }
        }
    }

    /// The folder around one that ends, as a prefix of paths.
    private static func parent(_ path: Substring) -> String {
        path.hasSlash ? path.pathFolder + "/" : ""
    }

    private static func unpacked(_ path: String) throws(MPDImportError) -> (text: String, isDamaged: Bool) {
        // Says what is wrong with a path that is no file; zlib would not.
        _ = try BoundedFile.bytes(at: path, atMost: maxFile)
        guard let file = gzopen(LosslessText.cString(path), "rb") else { throw MPDImportError("can't read \(path)") }
        defer { gzclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = gzread(file, &part, UInt32(part.count))
            if count <= 0 { break }
            bytes.append(contentsOf: part.prefix(Int(count)))
            guard bytes.count <= maxFile else { throw MPDImportError("\(path) is too large") }
        }
        // A file that ends too early is no error of the last read.
        var status = Z_OK
        _ = gzerror(file, &status)
        return (LosslessText.text(bytes), status != Z_OK && status != Z_STREAM_END)
    }
}

import Foundation
import GRDB
import MusicModel

struct MPDPlaylist {
    struct Entry: Equatable {
        /// A path below the music directory, an absolute path, or a URL.
        var uri: String
        var title: String?
    }

    /// Its name, without the file's ending.
    var name: String
    var entries: [Entry]

    private static let maxFile = 64 << 20
    private static let maxPlaylists = 100_000

    /// The playlists of a folder by name, and what kept others from being read, each as a sentence. Names that are no
    /// UTF-8 are read in `charset`; nil keeps their bytes.
    static func all(
        in folder: String, charset: String? = nil
    ) throws(MPDImportError) -> (playlists: [MPDPlaylist], problems: [String]) {
        let names = try fileNames(in: folder)
        var (playlists, problems): ([MPDPlaylist], [String]) = ([], [])
        for name in names.sorted().prefix(maxPlaylists) where name.hasSuffix(".m3u") || name.hasSuffix(".m3u8") {
            do {
                let text = try BoundedFile.text(at: "\(folder)/\(name)", atMost: maxFile, charset: charset)
                // Clients have to be able to name it.
                let title = LosslessText.shown(
                    LosslessText.text(LosslessText.bytes(name), charset: charset ?? TextDecoding.usualCharset))
                playlists.append(.init(name: (title as NSString).deletingPathExtension, entries: entries(of: text)))
            } catch { problems.append(error.message) }
        }
        return (playlists, problems)
    }

    /// The names in a folder with all their bytes, which Foundation would not keep.
    private static func fileNames(in folder: String) throws(MPDImportError) -> [String] {
        guard let listing = opendir(LosslessText.cString(folder)) else {
            throw MPDImportError("can't list the playlists in \(folder): \(String(cString: strerror(errno)))")
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { LosslessText.text($0.prefix { $0 != 0 }) }
            names.append(name)
        }
        return names
    }

    /// The entries of an M3U file: a path or URL per line, `#EXTINF` before it names its title.
    static func entries(of text: String) -> [Entry] {
        var entries: [Entry] = []
        var title: String?
        var lines = MPDLines(text)
        while let line = lines.next() {
            if line.isEmpty { continue }
            if line.utf8.starts(with: "#EXTINF:".utf8) {
                let parts = line.unicodeScalars.dropFirst(8).split(separator: ",", maxSplits: 1)
                title = parts.count > 1 && !parts[1].isEmpty ? String(Substring(parts[1])) : nil
            } else if line.utf8.first != 0x23 {
                entries.append(.init(uri: String(line), title: title))
                title = nil
            }
        }
        return entries
    }
}

struct MPDSticker: Equatable {
    /// `song`, `playlist`, `filter`, or a tag's name.
    var type: String
    /// The song's path, the playlist's name, the expression or the tag's value.
    var uri: String
    var name: String
    var value: String

    private static let maxStickers = 10_000_000

    static func all(in path: String) throws(MPDImportError) -> [MPDSticker] {
        guard access(path, R_OK) == 0 else {
            throw MPDImportError("can't read \(path): \(String(cString: strerror(errno)))")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            return try DatabaseQueue(path: path, configuration: configuration).read { database in
                let rows = try Row.fetchCursor(
                    database,
                    sql: "SELECT type, CAST(uri AS BLOB), name, CAST(value AS BLOB) FROM sticker ORDER BY 1, 2, 3")
                var stickers: [MPDSticker] = []
                while let row = try rows.next(), stickers.count < maxStickers {
                    stickers.append(
                        MPDSticker(type: text(row, 0), uri: text(row, 1), name: text(row, 2), value: text(row, 3)))
                }
                return stickers
            }
        } catch DatabaseError.SQLITE_NOTADB {
            // SQLite's own words are no help.
            throw MPDImportError("\(path) is not a sticker database of MPD's")
        } catch {
            let reason = (error as? DatabaseError)?.message ?? "\(error)"
            throw MPDImportError("\(path) can't be read as a sticker database of MPD's: \(reason)", cause: error)
        }
    }

    private static func text(_ row: Row, _ column: Int) -> String {
        switch (row[column] as DatabaseValue).storage {
        case .string(let text): text
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .blob(let data): LosslessText.text(data)
        case .null: ""
        }
    }
}

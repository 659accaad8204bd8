import Foundation
import MusicModel

/// A stored playlist of MPD's.
struct MPDPlaylist {
    /// A line that names a song or a stream.
    struct Entry: Equatable {
        /// A path below the music directory, an absolute path, or a URL.
        var uri: String
        /// The title that stands before it; nil without one.
        var title: String?
    }

    /// Its name, without the file's ending.
    var name: String
    /// Its songs and streams, in order.
    var entries: [Entry]

    private static let maxFile = 64 << 20
    private static let maxPlaylists = 100_000

    /// The playlists of a folder by name, and what kept others from being read, each as a sentence.
    ///
    /// - Parameter charset: the charset of names that are no UTF-8; nil keeps their bytes.
    /// - Throws: `MPDImportError` when the folder can't be listed.
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
            } catch {
                problems.append(error.message)
            }
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

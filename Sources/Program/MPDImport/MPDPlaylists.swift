import Foundation

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

    private static let longestFile = 64 << 20
    private static let mostPlaylists = 100_000

    /// The playlists of a folder by name, and what kept others from being read, each as a sentence.
    ///
    /// - Throws: `MPDImportError` when the folder can't be listed.
    static func all(in folder: String) throws(MPDImportError) -> (playlists: [MPDPlaylist], problems: [String]) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw MPDImportError("can't list the playlists in \(folder)", cause: error)
        }
        var (playlists, problems): ([MPDPlaylist], [String]) = ([], [])
        for name in names.sorted().prefix(mostPlaylists) where name.hasSuffix(".m3u") || name.hasSuffix(".m3u8") {
            do {
                let text = try BoundedFile.text(at: "\(folder)/\(name)", atMost: longestFile)
                playlists.append(.init(name: (name as NSString).deletingPathExtension, entries: entries(of: text)))
            } catch {
                problems.append(error.message)
            }
        }
        return (playlists, problems)
    }

    /// The entries of an M3U file: a path or URL per line, `#EXTINF` before it names its title.
    static func entries(of text: String) -> [Entry] {
        var entries: [Entry] = []
        var title: String?
        var lines = MPDLines(text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text)
        while let line = lines.next() {
            let line = line.unicodeScalars.last == "\r" ? Substring(line.unicodeScalars.dropLast()) : line
            if line.isEmpty { continue }
            if line.hasPrefix("#EXTINF:") {
                let parts = line.dropFirst(8).split(separator: ",", maxSplits: 1)
                title = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
            } else if !line.hasPrefix("#") {
                entries.append(.init(uri: String(line), title: title))
                title = nil
            }
        }
        return entries
    }
}

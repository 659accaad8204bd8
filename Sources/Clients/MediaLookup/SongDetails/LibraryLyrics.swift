import AudioFiles
import Foundation
import LibraryIndex
import MPDCommands
package import MediaCache
package import MusicModel
package import UserLibrary

/// Finds lyrics: of the server's songs through the cache, of local songs in files next to them and in them.
package final class LibraryLyrics: LyricsProviding {
    private let library: Library
    private let cache: LyricsCache?

    /// How long callers wait that have more to tell.
    private static let urgency = Duration.seconds(2)
    private static let maxFileSize = 1 << 20

    /// Reads the library; without a server there are no lyrics but those of files.
    package init(library: Library, cache: LyricsCache?) { (self.library, self.cache) = (library, cache) }

    @concurrent
    package func lyrics(of uri: String, isUrgent: Bool) async -> Lyrics? {
        guard let song = try? await library.index.song(at: uri), let id = song.id,
            let source = try? await library.index.source(of: id)?.source
        else { return nil }
        switch source {
        case .navidrome(let serverID):
            let known = (id: serverID, artist: song.first(.artist) ?? "", title: song.first(.title) ?? "")
            let found = await cache?.lyrics(of: known, waitingAtMost: isUrgent ? Self.urgency : nil)
            // A disc may have its cue sheet there.
            return found.flatMap { $0.isCueSheet ? nil : $0 }
        // Lyrics of a whole disc belong to none of its tracks: they would be shown with each.
        case .localPart, .navidromePart: return nil
        case .localFile(let path): return try? await onThread(reading: path) { Self.localLyrics(of: path) }
        }
    }

    /// Fetches a song's lyrics before a client asks for them.
    @concurrent
    package func prefetch(_ song: SongID) async {
        guard cache != nil, let found = try? await library.index.songs([song]).first, let uri = found?.uri
        else { return }
        _ = await lyrics(of: uri, isUrgent: false)
    }

    /// Lyrics in a file next to the song, `.lrc` before `.txt`, or in the song itself: Navidrome's order.
    private static func localLyrics(of path: String) -> Lyrics? {
        let base = (path as NSString).deletingPathExtension
        for suffix in ["lrc", "LRC", "txt", "TXT"] {
            let file = "\(base).\(suffix)"
            guard let bytes = try? SideFile.read(file, upTo: maxFileSize),
                let found = Lyrics(text: TextDecoding.text(bytes))
            else { continue }
            return found
        }
        // A file that can't be read has no lyrics to show; playing it says what is wrong with it.
        return (try? AudioFileReader.lyrics(path: path)).flatMap { $0 }.flatMap { Lyrics(text: $0) }
    }
}

import Synchronization

@testable import MPDCommands

/// Files of a music folder and of a web server that exist only here.
final class ImaginaryFiles: OutsideFiles {
    private let files: [String: String]
    let requests = Mutex<[String]>([])
    /// What was told of playlists, with the names that were found nowhere.
    let missing = Mutex<[String]>([])

    init(_ files: [String: String]) { self.files = files }

    func playlist(file path: String, ofLibrary: Bool) async throws -> [UInt8]? {
        files[path].map { Array($0.utf8) }
    }

    func playlist(
        url: String, limit: @escaping @Sendable (_ mimeType: String?, _ url: String) -> Int?
    ) async throws -> RemotePlaylist? {
        requests.withLock { $0.append(url) }
        let place = url == "http://h/moved.m3u" ? "http://inside/page" : url
        let type: String? = url.hasSuffix("page.m3u") ? "text/html; charset=utf-8" : nil
        guard let text = files[url], limit(type, place) != nil else { return nil }
        return (bytes: Array(text.utf8), mimeType: type, url: place)
    }

    func contents(folder path: String) async throws -> [FolderEntry]? {
        path == "/srv/music/Café"
            ? [
                (name: "Straße.flac", size: 1000, modified: 1_000_000_007),
                (name: "cover.png", size: 5, modified: 0),
                (name: "sub", size: nil, modified: 0),
            ] : nil
    }

    func note(missing: [String], of playlist: String) {
        self.missing.withLock { $0.append("\(playlist): \(missing.joined(separator: ", "))") }
    }

    /// A client of a server with these files.
    func desk() async throws -> Desk {
        let desk = try await Desk()
        await desk.reassemble { parts, facts in
            facts.musicDirectory = "/srv/music"
            parts.outsideFiles = self
        }
        return desk
    }
}

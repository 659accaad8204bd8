import Foundation
import Logging
package import MPDCommands
import MPDProtocol
import MusicModel
import Synchronization

/// Reads playlists of folders and of web servers, and lists folders. Errors name neither address nor contents.
package final class OutsideFileReader: OutsideFiles {
    private static let maxPlaylistSize = 4 << 20
    private static let maxListing = 100_000

    private let remote: RemotePlaylists
    private let reported = Mutex<[String: [String]]>([:])
    private let log = Logger(label: "segue.playlists")

    private static let (maxReported, maxNames) = (1000, 3)

    /// Reads files itself, and has `remote` read what is on the web.
    package init(_ remote: RemotePlaylists) { self.remote = remote }

    package func playlist(
        url: String, limit: @escaping @Sendable (_ mimeType: String?, _ url: String) -> Int?
    ) async throws -> RemotePlaylist? {
        try await remote.read(url, mayBePrivate: false, limit: limit)?.playlist
    }

    package func playlist(file path: String, ofLibrary: Bool) async throws -> [UInt8]? {
        try await onThread(reading: path) {
            do {
                return ofLibrary
                    ? try SideFile.read(path, upTo: Self.maxPlaylistSize)
                    : try RegularFile.read(path, upTo: Self.maxPlaylistSize)
            } catch RegularFile.Problem.missing {
                return nil
            } catch RegularFile.Problem.tooLarge {
                throw AckError(.system, "The playlist is too large")
            } catch {
                throw AckError(.system, "The playlist can't be read: \(error)")
            }
        }
    }

    package func note(missing: [String], of playlist: String) {
        let names = Array(missing.prefix(Self.maxNames)) + ["\(missing.count)"]
        let isNew = reported.withLock { reported in
            if reported.count >= Self.maxReported, reported[playlist] == nil { reported = [:] }
            defer { reported[playlist] = names }
            return reported[playlist] != names
        }
        guard isNew else { return }
        let shown = missing.prefix(Self.maxNames).map { $0.prefix(utf8: 200).withoutControls.quoted }
        let more = missing.count > shown.count ? " and \(missing.count - shown.count) more" : ""
        log.notice(
            """
            The playlist \(playlist.withoutControls.quoted) names files that are not in the library: \
            \(shown.joined(separator: ", "))\(more)
            """)
    }

    package func contents(folder path: String) async throws -> [FolderEntry]? {
        try await onThread(reading: path) { isAbandoned in
            guard let listing = DiskPath(path).list(atMost: Self.maxListing) else { return nil }
            guard listing.entries.count <= Self.maxListing
            else { throw AckError(.system, "The folder has too many files to list them") }
            let sorted = listing.entries.filter { !$0.name.utf8.contains(UInt8(ascii: "\n")) }.sorted {
                $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
            }
            return sorted.compactMap { isAbandoned() ? nil : Self.entry($0.name, at: $0.path) }
        }
    }

    private static func entry(_ name: String, at path: DiskPath) -> FolderEntry? {
        // Links are neither files nor folders to MPD.
        guard let status = path.linkStatus() else { return nil }
        let modified = FileTime.seconds(status.st_mtim)
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (name: name, size: Int64(status.st_size), modified: modified)
        case S_IFDIR: return (name: name, size: nil, modified: modified)
        default: return nil
        }
    }
}

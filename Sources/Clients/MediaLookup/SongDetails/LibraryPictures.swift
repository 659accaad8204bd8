import AudioFiles
import Foundation
import LibraryIndex
package import MPDCommands
package import MediaCache
package import MusicModel
import Subsonic
package import UserLibrary

/// Finds pictures: covers of the server through the picture cache, of local songs in their files and folders.
/// `albumart` gets the album's picture in the configured size, `readpicture` the song's own as the server has it.
package final class LibraryPictures: PictureProviding {
    private let library: Library
    private let covers: CoverArtCache?
    private let files: CoverFiles
    private let scaled: ScaledPictureCache?

    /// The names of cover files, best first.
    /// - Source: MPD v0.24.13 src/command/FileCommands.cxx, and the names that other players write.
    package static let usualCoverNames = ["cover", "folder", "front", "albumart"]
    private static let maxFileSize = 64 << 20
    /// Pictures inside songs are hardly ever larger; how large one is is known when it has been read.
    private static let usualInSong = 16 << 20

    /// Reads the library; without a server there are no covers but those of files, and without `scaled` none are made
    /// smaller. The names of pictures in folders have no endings, and any case; the best comes first.
    package init(
        library: Library, covers: CoverArtCache?, coverNames: [String] = usualCoverNames,
        scaled: ScaledPictureCache? = nil
    ) {
        self.scaled = scaled
        files = CoverFiles(names: coverNames.map { $0.lowercased() })
        (self.library, self.covers) = (library, covers)
    }

    /// The picture of a song's album, scaled down to a longer edge; the one in the song where its folder has none.
    @concurrent
    package func picture(ofAlbumWith uri: String, edge: Int) async throws -> (bytes: [UInt8], mimeType: String?)? {
        let files = files
        switch try await albumSource(uri) {
        case .navidrome(let coverArtID): return await cover(coverArtID, .edge(edge))
        case .local(let songPath):
            let folder = String(songPath.pathFolder)
            if let file = try await onThread(reading: folder, { files.cover(in: folder) }) {
                return try await small(file.path, edge) { Self.read(file) }
            }
        case .localFolder(let folder):
            guard let file = try await onThread(reading: folder, { files.cover(in: folder) }) else { return nil }
            return try await small(file.path, edge) { Self.read(file) }
        case nil: break
        }
        guard case .local(let path)? = try await library.index.pictureSource(at: uri, isDirectory: false)
        else { return nil }
        return try await small(path, edge, upTo: Self.usualInSong) {
            try AudioFileReader.embeddedPicture(path: path).map { ($0.bytes, $0.mimeType) }
        }
    }

    /// The picture that `read` finds in a file, of at most `most` bytes, scaled down where that can be cached.
    private func small(
        _ path: String, _ edge: Int, upTo most: Int = LibraryPictures.maxFileSize,
        read: @escaping @Sendable () throws -> (bytes: [UInt8], mimeType: String?)?
    ) async throws -> (bytes: [UInt8], mimeType: String?)? {
        guard let scaled, let version = try await FileVersion.current(of: path)
        else { return try await onThread(reading: path, read) }
        let picture = try await scaled.picture(version.name, edge: edge, size: min(version.size, most)) { room in
            try await onThread(reading: path) {
                try withExtendedLifetime(room) {
                    try read().map { CoverPicture(bytes: $0.bytes, contentType: $0.mimeType ?? "") }
                }
            }
        }
        return picture.map { ($0.bytes, $0.contentType) }
    }

    @concurrent
    private func albumSource(_ uri: String) async throws -> PictureSource? {
        let isDirectory = try await library.index.kind(of: uri) == .directory
        return isDirectory
            ? try await library.index.pictureSource(at: uri, isDirectory: true)
            : try await library.index.albumPictureSource(ofSongAt: uri)
    }

    @concurrent
    package func albumArt(for uri: String) async throws -> FoundCover? {
        switch try await albumSource(uri) {
        case .navidrome(let coverArtID): return await cover(coverArtID, .sized).map { ($0.bytes, $0.mimeType, nil) }
        case .local(let songPath): return try await cover(inFolder: String(songPath.pathFolder))
        case .localFolder(let path): return try await cover(inFolder: path)
        case nil: return nil
        }
    }

    @concurrent
    package func cover(inFolder path: String) async throws -> FoundCover? {
        let files = files
        return try await onThread(reading: path) {
            guard let file = files.cover(in: path), let (bytes, type) = Self.read(file) else { return nil }
            return (bytes, type, file.path)
        }
    }

    @concurrent
    package func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        switch try await library.index.pictureSource(at: uri, isDirectory: false) {
        case .navidrome(let coverArtID): return await cover(coverArtID, .original)
        case .local(let songPath):
            return try await onThread(reading: songPath) {
                try AudioFileReader.embeddedPicture(path: songPath).map { ($0.bytes, $0.mimeType) }
            }
        case .localFolder, nil: return nil
        }
    }

    /// Fetches the albums' pictures of songs that will be shown soon, nearest first.
    @concurrent
    package func prefetch(_ songs: [SongID]) async {
        guard let covers, let wanted = try? await library.index.albumCovers(of: songs) else { return }
        covers.prefetch(wanted)
    }

    private func cover(_ id: String, _ form: CoverArtCache.Form) async -> (bytes: [UInt8], mimeType: String?)? {
        guard let picture = await covers?.picture(coverArtID: id, form: form) else { return nil }
        return (picture.bytes, picture.contentType)
    }

    /// Reads a picture; nil where that can't be read or is none: a text with the name of one is never shown.
    private static func read(_ file: (path: String, type: String)) -> (bytes: [UInt8], mimeType: String?)? {
        guard let bytes = try? SideFile.read(file.path, upTo: maxFileSize),
            PictureSignature.mimeType(bytes) != nil
        else { return nil }
        return (bytes, file.type)
    }
}

private struct CoverFiles: Sendable {
    private static let suffixes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "jxl": "image/jxl", "webp": "image/webp",
    ]

    /// The names without their endings, in lower case, best first.
    let names: [String]

    /// The best picture in a folder.
    /// - Isolation: blocks for reads of the folder.
    func cover(in folder: String) -> (path: String, type: String)? {
        let found = DiskPath(folder).list { ranked($0) != nil }
        let best = found?.entries.compactMap { ranked($0.name) }.min { ($0.rank, $0.name) < ($1.rank, $1.name) }
        return best.map { (folder + "/" + $0.name, $0.type) }
    }

    private func ranked(_ name: String) -> (rank: Int, name: String, type: String)? {
        let path = name as NSString
        guard let rank = names.firstIndex(of: path.deletingPathExtension.lowercased()),
            let type = Self.suffixes[path.pathExtension.lowercased()]
        else { return nil }
        return (rank, name, type)
    }
}

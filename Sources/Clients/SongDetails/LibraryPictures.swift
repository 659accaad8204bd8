import Foundation
import GStreamerAudio
import LibraryIndex
import MPDCommands
package import MusicModel
package import MediaCache
import Subsonic
package import UserLibrary

/// Finds pictures: covers of the server through the picture cache, of local songs in their files and folders.
///
/// `albumart` gets the album's picture in the configured size, `readpicture` the song's own as the server has it.
package final class LibraryPictures: PictureProviding {
    private let library: Library
    private let covers: CoverArtCache?
    private let coverNames: [String]

    /// The names of cover files, best first.
    ///
    /// - Source: MPD v0.24.13 src/command/FileCommands.cxx, and the names that other players write.
    package static let usualCoverNames = ["cover", "folder", "front", "albumart"]
    private static let coverSuffixes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "jxl": "image/jxl", "webp": "image/webp",
    ]
    private static let largestFile = 64 << 20

    /// Looks into the library; without a server there are no covers but those of files.
    ///
    /// - Parameter coverNames: the names of pictures in folders without their endings, best first, in any case.
    package init(library: Library, covers: CoverArtCache?, coverNames: [String] = usualCoverNames) {
        self.coverNames = coverNames.map { $0.lowercased() }
        self.library = library
        self.covers = covers
    }

    @concurrent
    package func albumArt(for uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        try await albumArt(for: uri, .sized)
    }

    /// The picture of a song's album with a longer edge of so many pixels where the server scales it; pictures in files
    /// come as they are, also those in the song itself where its folder has none.
    @concurrent
    package func picture(ofAlbumWith uri: String, edge: Int) async throws -> (bytes: [UInt8], mimeType: String?)? {
        if let picture = try await albumArt(for: uri, .edge(edge)) { return picture }
        guard case .local(let path)? = try await library.index.pictureSource(at: uri, isDirectory: false) else {
            return nil
        }
        return try await onThread {
            try AudioFileReader.embeddedPicture(path: path).map { ($0.bytes, $0.mimeType) }
        }
    }

    @concurrent
    private func albumArt(
        for uri: String, _ form: CoverArtCache.Form
    ) async throws -> (bytes: [UInt8], mimeType: String?)? {
        let isDirectory = try await library.index.kind(of: uri) == .directory
        let source =
            isDirectory
            ? try await library.index.pictureSource(at: uri, isDirectory: true)
            : try await library.index.albumPictureSource(ofSongAt: uri)
        switch source {
        case .navidrome(let coverArtID): return await cover(coverArtID, form)
        case .local(let songPath):
            return try await cover(inFolder: (songPath as NSString).deletingLastPathComponent)
        case .localFolder(let path): return try await cover(inFolder: path)
        case nil: return nil
        }
    }

    @concurrent
    package func cover(inFolder path: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        let names = coverNames
        return try await onThread { Self.folderPicture(in: path, names) }
    }

    @concurrent
    package func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        switch try await library.index.pictureSource(at: uri, isDirectory: false) {
        case .navidrome(let coverArtID): return await cover(coverArtID, .original)
        case .local(let songPath):
            return try await onThread {
                try AudioFileReader.embeddedPicture(path: songPath).map { ($0.bytes, $0.mimeType) }
            }
        case .localFolder, nil: return nil
        }
    }

    /// Fetches the albums' pictures of songs that will be looked at soon, nearest first.
    @concurrent
    package func prefetch(_ songs: [SongID]) async {
        guard let covers, let wanted = try? await library.index.albumCovers(of: songs) else { return }
        covers.prefetch(wanted)
    }

    private func cover(_ id: String, _ form: CoverArtCache.Form) async -> (bytes: [UInt8], mimeType: String?)? {
        guard let picture = await covers?.picture(coverArtID: id, form: form) else { return nil }
        return (picture.bytes, picture.contentType)
    }

    private static func folderPicture(in folder: String, _ coverNames: [String]) -> (bytes: [UInt8], mimeType: String?)?
    {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let ranked = names.compactMap { name -> (rank: Int, name: String, type: String)? in
            let path = name as NSString
            guard let rank = coverNames.firstIndex(of: path.deletingPathExtension.lowercased()),
                let type = coverSuffixes[path.pathExtension.lowercased()]
            else { return nil }
            return (rank, name, type)
        }
        guard let best = ranked.min(by: { ($0.rank, $0.name) < ($1.rank, $1.name) }),
            let bytes = try? RegularFile.read(folder + "/" + best.name, upTo: largestFile), !bytes.isEmpty
        else { return nil }
        return (bytes, best.type)
    }
}

import Foundation
import GStreamerAudio
import Library
import MPDCommands
import MPDProtocol
import Subsonic
import TrackCache

/// Finds pictures: covers of the server through the picture cache, of local songs in their files and folders.
final class LibraryPictures: PictureProviding {
    private let library: Library
    private let covers: CoverArtCache?

    /// The names of cover files, best first.
    ///
    /// - Source: MPD v0.24.13 src/command/FileCommands.cxx, and the names that other players write.
    private static let coverNames = ["cover", "folder", "front", "albumart"]
    private static let coverSuffixes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "jxl": "image/jxl", "webp": "image/webp",
    ]
    private static let largestFile = 64 << 20

    init(library: Library, covers: CoverArtCache?) {
        self.library = library
        self.covers = covers
    }

    func albumArt(for uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        let isDirectory = try await library.kind(of: uri) == .directory
        switch try await library.pictureSource(at: uri, isDirectory: isDirectory) {
        case .navidrome(let coverArtID): return try await cover(coverArtID)
        case .local(let songPath):
            return try await onThread { Self.folderPicture(in: (songPath as NSString).deletingLastPathComponent) }
        case .localFolder(let path): return try await onThread { Self.folderPicture(in: path) }
        case nil: return nil
        }
    }

    func cover(inFolder path: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        try await onThread { Self.folderPicture(in: path) }
    }

    func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        switch try await library.pictureSource(at: uri, isDirectory: false) {
        case .navidrome(let coverArtID): return try await cover(coverArtID)
        case .local(let songPath):
            return try await onThread {
                try AudioFileReader.embeddedPicture(path: songPath).map { ($0.bytes, $0.mimeType) }
            }
        case .localFolder, nil: return nil
        }
    }

    private func cover(_ id: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        do {
            guard let covers, let picture = try await covers.picture(coverArtID: id) else { return nil }
            return (picture.bytes, picture.contentType)
        } catch let error as SubsonicError {
            throw AckError(.system, "The picture can't be fetched: \(error.message)")
        }
    }

    private static func folderPicture(in folder: String) -> (bytes: [UInt8], mimeType: String?)? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let ranked = names.compactMap { name -> (rank: Int, name: String, type: String)? in
            let path = name as NSString
            guard let rank = coverNames.firstIndex(of: path.deletingPathExtension.lowercased()),
                let type = coverSuffixes[path.pathExtension.lowercased()]
            else { return nil }
            return (rank, name, type)
        }
        guard let best = ranked.min(by: { ($0.rank, $0.name) < ($1.rank, $1.name) }),
            let handle = FileHandle(forReadingAtPath: folder + "/" + best.name),
            let data = try? handle.read(upToCount: largestFile), !data.isEmpty
        else { return nil }
        return ([UInt8](data), best.type)
    }
}

import AudioFiles
import Coordination
import Foundation
import Sync
import LibraryIndex
import Logging
import MusicModel
import SegueConfiguration
import UserLibrary

// Conformances of one target's types to another's protocols, where neither may know the other.

extension Library {
    /// Opens the index at `path` to serve from it, with the limits of the configuration.
    convenience init(
        _ path: String, _ configuration: Configuration, _ memoryBudget: MemoryBudget,
        written: @escaping @Sendable () -> Void
    ) throws {
        try self.init(
            path: path, playlistLimit: configuration.server.maxPlaylistLength,
            // Beyond the caches' share, which they leave free for the state: an eighth is enough for it.
            keepFree: configuration.cache.keepFree / 8, rescuesDamage: true, memoryBudget: memoryBudget,
            written: written)
    }
}

extension MemoryBudget {
    /// The budget of `[server]`, or one that fits the machine; refusals go to the log.
    convenience init(_ server: Configuration.Server, log: Logger) {
        let limit = server.memoryBudget.map { Int(clamping: $0) } ?? ProcessMemory.standardBudget()
        self.init(limit: limit == 0 ? nil : limit, report: { log.warning("\($0)") })
    }
}

/// Lets the folder scan read tags with GStreamer.
struct GStreamerTagReader: TagReading {
    var version: String { AudioFileReader.version }

    func read(path: String) throws -> ScannedTags {
        let file: ScannedFile
        do { file = try AudioFileReader.read(path: path) } catch let error as AudioFileError {
            switch error.kind {
            case .unusable: throw error
            case .hanging: throw UnreadFile(.tookTooLong, error.message, cause: error)
            case .outOfReach: throw UnreadFile(.outOfReach, error.message, cause: error)
            }
        }
        return ScannedTags(
            tags: file.tags, duration: file.duration, format: file.format, replayGain: file.replayGain,
            cueSheet: file.cueSheet)
    }
}

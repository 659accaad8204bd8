import AudioFiles
import Foundation
import MPDCommands
import MPDProtocol
package import MusicModel
package import Playback
import Synchronization

/// Computes the acoustic fingerprints of songs, which are fetched first where they aren't on this machine.
package final class SongFingerprints: Fingerprinting {
    private let tracks: any TrackProvider

    /// Makes one if the system can compute fingerprints at all.
    package init?(tracks: any TrackProvider) {
        guard AudioFingerprint.isAvailable else { return nil }
        self.tracks = tracks
    }

    @concurrent
    package func fingerprint(of song: SongID) async throws -> String {
        let file = try await tracks.open(song)
        let work = Work()
        return try await withTaskCancellationHandler {
            try await onThread(qos: .utility) { try Self.fingerprint(of: file, work) }
        } onCancel: {
            work.isCancelled.store(true, ordering: .relaxed)
            file.wake()
        }
    }

    /// Tells a thread that its work is no longer wanted.
    private final class Work: Sendable {
        let isCancelled = Atomic(false)
    }

    /// The longest pause in a song's download, in seconds.
    private static let maxPause = 60

    private static func fingerprint(of file: TrackFile, _ work: Work) throws -> String {
        var silentSeconds = 0
        while !file.current.isComplete {
            let available = file.current.available
            let result = file.wait(for: available, milliseconds: 1000)
            if work.isCancelled.load(ordering: .relaxed) { throw CancellationError() }
            if case .failed(let message) = result { throw AckError(.system, message) }
            silentSeconds = file.current.available > available ? 0 : silentSeconds + 1
            guard silentSeconds < maxPause else { throw AckError(.system, "The song does not arrive") }
        }
        do {
            return try AudioFingerprint.read(path: file.path)
        } catch let error as AudioFileError {
            throw AckError(.system, "No fingerprint: \(error.message)")
        }
    }
}

import AudioFiles
import Dispatch
import MPDCommands
import MPDProtocol
package import MusicModel
package import Playback

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
        return try await withTaskCancellationHandler {
            try await onThread(qos: .utility) { isAbandoned in
                do {
                    guard try file.awaitAll(isCancelled: isAbandoned) else { throw CancellationError() }
                    return try AudioFingerprint.read(path: file.path)
                } catch let error as TrackError {
                    throw AckError(.system, error.message)
                } catch let error as AudioFileError {
                    throw AckError(.system, "No fingerprint: \(error.message)")
                }
            }
        } onCancel: {
            file.wake()
        }
    }
}

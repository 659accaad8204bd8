import Foundation
import GStreamerAudio
import MPDCommands
import MPDProtocol
import MusicModel
import Playback

/// Computes the acoustic fingerprints of songs, which are fetched first where they aren't on this machine.
final class SongFingerprints: Fingerprinting {
    private let tracks: any TrackProvider

    /// Makes one if the system can compute fingerprints at all.
    init?(tracks: any TrackProvider) {
        guard AudioFingerprint.isAvailable else { return nil }
        self.tracks = tracks
    }

    @concurrent
    func fingerprint(of song: SongID) async throws -> String {
        let file = try await tracks.open(song)
        return try await onThread(qos: .utility) { try Self.fingerprint(of: file) }
    }

    private static func fingerprint(of file: TrackFile) throws -> String {
        while !file.current.isComplete {
            if case .failed(let message) = file.wait(for: file.current.available, milliseconds: 1000) {
                throw AckError(.system, message)
            }
        }
        do {
            return try AudioFingerprint.read(path: file.path)
        } catch let error as AudioFileError {
            throw AckError(.system, "No fingerprint: \(error.message)")
        }
    }
}

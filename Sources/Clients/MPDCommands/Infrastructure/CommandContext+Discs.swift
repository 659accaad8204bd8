import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension CommandContext {
    /// A stream on its way into the queue; for an audio CD its tracks, or the one that is named.
    ///
    /// - Throws: `AckError` 50 where the disc can't be read, or has no such track.
    @ServerActor
    func candidates(stream url: String) async throws -> [QueueCandidate] {
        guard let disc = DiscAddress(url), let device = disc.device else {
            return [QueueCandidate(.stream(url: url, tags: []))]
        }
        guard let reader = server.parts.discs else { throw AckError(.noExist, "Audio CDs can't be played here") }
        let tracks = try await reader.tracks(device: device).filter { disc.track == nil || $0.uri == url }
        guard !tracks.isEmpty else { throw AckError(.noExist, "No such track on the disc") }
        return tracks.map { QueueCandidate(.stream(url: $0.uri, tags: $0.tags), duration: $0.duration) }
    }
}

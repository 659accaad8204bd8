import GStreamerAudio
import MPDCommands

/// Finds the streams in the playlists that radio stations have on their pages.
struct StreamResolver: StreamResolving {
    let files: OutsideFileReader

    /// Playlists may name playlists, but not for ever.
    private static let depth = 3

    func streams(inPlaylist url: String) async -> [String]? { await streams(inPlaylist: url, depth: Self.depth) }

    private func streams(inPlaylist url: String, depth: Int) async -> [String]? {
        let answer = try? await files.playlist(url: url) { StreamPlaylist.mayBe(mimeType: $0, url: url) }
        guard let (bytes, type) = answer,
            let found = StreamPlaylist.streams(in: bytes, mimeType: type, url: url)
        else { return nil }
        var streams: [String] = []
        for stream in found.prefix(20) {
            let isPlaylist = depth > 1 && StreamPlaylist.isNamedAsPlaylist(stream)
            streams += isPlaylist ? await self.streams(inPlaylist: stream, depth: depth - 1) ?? [stream] : [stream]
        }
        return streams
    }
}

import Logging
import MPDCommands
import MusicModel
import Playback

/// Finds the streams in the playlists of radio stations, and behind pages that a program of the user's can read.
package struct StreamResolver: StreamResolving {
    private let playlists: RemotePlaylists
    private let program: StreamProgram?
    private let log = Logger(label: "segue.playlists")

    private static let depth = 3
    private static let maxStreams = 20
    private static let maxPlaylists = 8

    /// Reads the playlists with what reads them for clients, and asks a program for the addresses of its hosts.
    package init(playlists: RemotePlaylists, program: StreamProgram? = nil) {
        (self.playlists, self.program) = (playlists, program)
    }

    package func streams(inPlaylist url: String) async -> [String]? {
        if let program, program.takes(url) { return Array(await program.streams(at: url).prefix(Self.maxStreams)) }
        var left = Self.maxPlaylists
        // Sound of this host would be played, so it may be in a private network; what it names elsewhere may not.
        let streams = await streams(inPlaylist: url, mayBePrivate: true, depth: Self.depth, left: &left)
        // The charset of titles that the URL names is that of the streams behind it.
        guard let fragment = url.firstIndex(of: "#").map({ url[$0...] }) else { return streams }
        return streams?.map { $0.contains("#") ? $0 : $0 + fragment }
    }

    private func streams(inPlaylist url: String, mayBePrivate: Bool, depth: Int, left: inout Int) async -> [String]? {
        guard left > 0 else { return nil }
        left -= 1
        var answer: RemotePlaylists.Answer?
        do {
            answer = try await playlists.read(url, mayBePrivate: mayBePrivate) { type, url in
                StreamPlaylist.mayBe(mimeType: type, url: url) ? StreamPlaylist.maxSize : nil
            }
        } catch {
            if !(error is CancellationError) { log.notice("a station's playlist can't be read: \(chain: error)") }
        }
        guard let (playlist, isPrivate) = answer,
            let found = StreamPlaylist.streams(
                in: playlist.bytes, mimeType: playlist.mimeType, url: playlist.url)
        else { return nil }
        var streams: [String] = []
        let mayBePrivate = mayBePrivate && isPrivate
        for stream in await playlists.allowed(Array(found.prefix(Self.maxStreams)), mayBePrivate: mayBePrivate) {
            let isPlaylist = depth > 1 && StreamPlaylist.isNamedAsPlaylist(stream)
            let inner =
                isPlaylist
                ? await self.streams(inPlaylist: stream, mayBePrivate: mayBePrivate, depth: depth - 1, left: &left)
                : nil
            streams += inner ?? [stream]
        }
        return Array(streams.prefix(Self.maxStreams))
    }
}

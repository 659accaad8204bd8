import Foundation
package import Logging
package import MusicModel
import Playback
package import Subsonic
import Synchronization

/// Words of songs on disk, fetched from the server when they are asked for first, and checked again after a while.
package final class LyricsCache: Sendable {
    /// A song by its id on the server, and for servers that find words by those only, by artist and title.
    package typealias Song = (id: String, artist: String, title: String)

    private typealias Record = (lyrics: Lyrics?, fetched: Int64)

    /// How long words are believed, and their absence, in seconds.
    private static let lifetime: (found: Int64, none: Int64) = (7 * 86_400, 86_400)

    private let client: SubsonicClient?
    private let fetcher: PatientFetcher<Lyrics?>
    private let log: Logger
    private let files: SealedFolder
    /// True if the server has `getLyricsBySongId`; nil while unknown.
    private let knowsIDs = Mutex<Bool?>(nil)
    private let now: @Sendable () -> Int64

    /// Opens the cache in a directory of its own, as `CoverArtCache` does; `now` counts Unix seconds.
    package init(
        directory: String, byteLimit: Int64 = 32 << 20, keepFree: Int64 = 0, client: SubsonicClient?, gate: RequestGate,
        patience: (usual: Duration, doubtful: Duration) = PatientFetcher<Lyrics?>.patience,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }, log: Logger
    ) throws {
        (self.client, self.log, self.now) = (client, log, now)
        fetcher = PatientFetcher(gate: gate, patience: patience)
        files = try SealedFolder(directory, byteLimit: byteLimit, keepFree: keepFree, of: "lyrics", log: log)
    }

    /// A song's words; nil if there are none, or none that can be had now.
    /// - Parameter longest: waits no longer than this for the server.
    @concurrent
    package func lyrics(of song: Song, waitingAtMost longest: Duration? = nil) async -> Lyrics? {
        let known = stored(song)
        if let known, isFresh(known) { return known.lyrics }
        guard let client else { return known?.lyrics }
        do {
            let found = try await fetcher.value(fileName(song), atMost: longest) { try await self.fetch(song, client) }
            // Old lyrics are better than none while the server is away.
            return found ?? known?.lyrics
        } catch {
            log.debug("can't fetch lyrics now", metadata: ["because": "\(ErrorChain(error))"])
            return known?.lyrics
        }
    }

    @concurrent
    private func fetch(_ song: Song, _ client: SubsonicClient) async throws -> Lyrics? {
        let lyrics = try await ask(song, client)
        store((lyrics, now()), song)
        return lyrics
    }

    private func ask(_ song: Song, _ client: SubsonicClient) async throws -> Lyrics? {
        if knowsIDs.withLock({ $0 }) != false {
            do {
                let all = try await client.lyrics(songID: song.id)
                knowsIDs.withLock { $0 = all != nil }
                if let all { return Self.best(of: all) }
            } catch let error as SubsonicError where error.code == .notFound {
                return nil
            }
        }
        guard !song.title.isEmpty else { return nil }
        return try await client.lyrics(artist: song.artist, title: song.title).flatMap { Lyrics(text: $0) }
    }

    /// The words as they are sung, with times if there are any; the server's order decides between languages.
    private static func best(of all: [SubsonicLyrics]) -> Lyrics? {
        let sung = all.filter { ($0.kind ?? "main") == "main" }
        let ranked = sung.filter(\.isSynced) + sung.filter { !$0.isSynced }
        return ranked.lazy.compactMap { words in
            Lyrics(lines: words.lines.map { (words.isSynced ? $0.start : nil, $0.text) })
        }.first
    }

    // MARK: Files, with the time and the kind as their note

    private func fileName(_ song: Song) -> String {
        CacheKey(id: song.id, form: TrackForm(format: "lyrics"), suffix: "txt", size: nil).fileName
    }

    private func isFresh(_ record: Record) -> Bool {
        let age = now().subtractingClamped(record.fetched)
        return age >= 0 && age < (record.lyrics == nil ? Self.lifetime.none : Self.lifetime.found)
    }

    private func stored(_ song: Song) -> Record? {
        guard let (note, contents) = files.file(fileName(song)), let fetched = Int64(note) else { return nil }
        return (Lyrics(text: String(decoding: contents, as: UTF8.self)), fetched)
    }

    private func store(_ record: Record, _ song: Song) {
        files.keep(Array((record.lyrics?.text ?? "").utf8), note: String(record.fetched), as: fileName(song))
    }
}

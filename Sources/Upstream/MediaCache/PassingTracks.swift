import Coordination
import Glibc
package import Logging
import NIOCore
package import MusicModel
package import Playback
package import Subsonic

/// Lends songs for a short read, fetched slowly past the cache, so that nothing leaves it, and deleted afterwards.
package struct PassingTracks: Sendable {
    private static let maxSize: Int64 = 1 << 30
    /// Bytes for which the disk must have room before they are written.
    private static let roomAtOnce: Int64 = 8 << 20
    private static let pollInterval = Duration.seconds(1)

    private let directory: String
    private let folder: CacheFolder
    private let notice: KeepingNotice
    private let cache: TrackCache
    private let client: SubsonicClient?
    private let bytesPerSecond: Int64

    /// Prepares to lend songs by a directory of its own, which is emptied. `keepFree` bytes of the disk stay free.
    /// - Throws: `TrackError` where the directory can't be used.
    package init(
        directory: String, keepFree: Int64, cache: TrackCache, client: SubsonicClient?, bytesPerSecond: Int64,
        log: Logger
    ) throws {
        (self.directory, self.cache, self.client) = (directory, cache, client)
        self.bytesPerSecond = max(bytesPerSecond, 1)
        notice = KeepingNotice(of: "songs for measuring", log: log)
        var folder = try CacheFolder(path: directory, byteLimit: 0, keepFree: keepFree)
        folder.evict(sparing: [])
        self.folder = folder
    }

    /// Opens a song whole, for the time of `body`.
    /// - Throws: `TrackAway`, or `TrackError` when the song can't be had at all, and what `body` throws.
    @concurrent
    package func open<Value: Sendable>(
        _ song: SongID, _ body: @Sendable (TrackFile) async throws -> Value
    ) async throws -> Value {
        switch try await standing(of: song) {
        case .here(let file): return try await body(file)
        case .onServer(let id, let key):
            guard let client else { throw TrackAway("There is no server to fetch it from.") }
            let path = "\(directory)/\(song.rawValue).\(key.suffix)"
            defer { unlink(path) }
            let size = try await fetch(id, key.form, to: path, client)
            return try await body(TrackFile(completePath: path, suffix: key.suffix, size: size))
        }
    }

    /// Where a song is; a disk that hangs is given up.
    private func standing(of song: SongID) async throws -> TrackCache.Standing {
        let found = try await withTimeLimit(.seconds(60)) { [cache] in try await cache.standing(of: song) }
        guard let found else { throw TrackError("Its disk doesn't answer.") }
        return found
    }

    private func fetch(
        _ id: String, _ form: TrackForm, to path: String, _ client: SubsonicClient
    ) async throws -> Int64 {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw noRoom("It can't be kept: \(CacheFolder.reason()).") }
        defer { close(descriptor) }
        do {
            return try await copy(try await client.stream(id: id, form), to: descriptor)
        } catch let error as SubsonicError {
            // Only a song that the server doesn't have is the song's own fault.
            if error.code == .notFound { throw TrackError(error.message, cause: error) }
            throw TrackAway(error.message, cause: error)
        }
    }

    private func copy(_ stream: SongStream, to descriptor: Int32) async throws -> Int64 {
        let start = ContinuousClock.now
        var written: Int64 = 0
        var unchecked: Int64 = 0
        for try await piece in stream.body {
            guard Int64(piece.readableBytes) <= Self.maxSize - written
            else { throw TrackError("It is larger than 1 GiB, too large to measure.") }
            if unchecked <= 0 {
                unchecked = Self.roomAtOnce
                guard folder.missingSpace(for: unchecked) <= 0 else { throw noRoom(CacheFolder.isNearlyFull) }
            }
            unchecked -= Int64(piece.readableBytes)
            guard piece.withUnsafeReadableBytes({ CacheFolder.write($0, to: descriptor, at: written) })
            else { throw noRoom("It can't be kept: \(CacheFolder.reason()).") }
            written += Int64(piece.readableBytes)
            let due = start + .seconds(Double(written) / Double(bytesPerSecond))
            if due > .now { try await Task.sleep(until: due, clock: .continuous) }
            // Songs that people hear have the line for themselves.
            while !cache.hasFreeLine { try await Task.sleep(for: Self.pollInterval) }
        }
        guard written > 0 else { throw TrackError("The song is empty on the server.") }
        notice.worked()
        return written
    }

    /// That there is no room for a song now; the log says so once.
    private func noRoom(_ message: String) -> TrackAway {
        notice.failed(message)
        return TrackAway(message)
    }
}

package import Logging
import MusicModel
import Playback
package import Subsonic
import Synchronization

/// Pictures on disk, fetched from the server when they are asked for, or ahead of that. Ids move when the picture does,
/// so a file never gets stale. One that can't be had now is none: no client waits for a server that is away.
package final class CoverArtCache: Sendable {
    /// Which form of a picture.
    package enum Form: Hashable, Sendable {
        /// As large as the configuration says.
        case sized
        case original
        /// With a longer edge of this many pixels, scaled by the server.
        case edge(Int)
    }

    private struct State {
        var absent: [String: ContinuousClock.Instant] = [:]
        /// The picture that the server sends for things without one, by size; empty where it sends nothing.
        var placeholders: [Int?: [UInt8]] = [:]
        var ahead: [String] = []
        var isFetchingAhead = false
    }

    /// How long something without a picture counts as such. Its id moves with the file, but not with every picture.
    private static let absence = Duration.seconds(3600)
    private static let maxAbsent = 20_000

    private let client: SubsonicClient?
    private let size: Int?
    private let fetcher: PatientFetcher<CoverPicture?>
    private let gate: RequestGate
    private let log: Logger
    private let files: SealedFolder
    private let state = Mutex(State())

    /// Opens the cache in a directory of its own, which is made if there is none; `keepFree` bytes of it stay free.
    /// `size` is the longer edge in pixels, nil the original; `patience` is as `PatientFetcher` has it.
    package init(
        directory: String, byteLimit: Int64, keepFree: Int64 = 0, size: Int?, client: SubsonicClient?,
        gate: RequestGate, patience: (usual: Duration, doubtful: Duration) = PatientFetcher<CoverPicture?>.patience,
        log: Logger
    ) throws {
        (self.client, self.size, self.gate, self.log) = (client, size, gate, log)
        fetcher = PatientFetcher(gate: gate, patience: patience)
        files = try SealedFolder(directory, byteLimit: byteLimit, keepFree: keepFree, of: "pictures", log: log)
    }

    /// A picture; nil if there is none, or none now; the sized one where an original can't be had now.
    /// - Parameter coverArtID: the `coverArt` of a song or an album.
    @concurrent
    package func picture(coverArtID: String, form: Form = .sized) async -> CoverPicture? {
        if let picture = files.picture(fileName(coverArtID, form)) { return picture }
        if isAbsent(coverArtID) { return nil }
        guard let client else { return nil }
        let size = edge(form)
        let found: CoverPicture?
        do {
            found =
                try await fetcher.value(fileName(coverArtID, form)) {
                    try await self.fetch(coverArtID, size, form, client)
                } ?? nil
        } catch {
            log.debug("can't fetch a picture now", metadata: ["because": "\(ErrorChain(error))"])
            found = nil
        }
        return found ?? (form == .original && !isAbsent(coverArtID) ? files.picture(fileName(coverArtID, .sized)) : nil)
    }

    /// Fetches sized pictures ahead, one after the other, nearest first; replaces what an earlier call wanted.
    package func prefetch(_ coverArtIDs: [String]) {
        guard client != nil else { return }
        let starts = state.withLock { state in
            state.ahead = coverArtIDs
            defer { state.isFetchingAhead = true }
            return !state.isFetchingAhead && !coverArtIDs.isEmpty
        }
        if starts { Task { await fetchAhead() } }
    }

    private func fetchAhead() async {
        while let id = nextAhead() {
            let size = size
            let task = client.flatMap { client in
                fetcher.start(fileName(id, .sized)) { try await self.fetch(id, size, .sized, client) }
            }
            // While the gate is closed there is nothing to wait for; the next change of the queue tries again.
            if await task?.result == nil { state.withLock { $0.ahead = [] } }
        }
    }

    private func nextAhead() -> String? {
        state.withLock { state in
            while !state.ahead.isEmpty {
                let id = state.ahead.removeFirst()
                if state.absent[id] == nil, !files.has(fileName(id, .sized)) { return id }
            }
            state.isFetchingAhead = false
            return nil
        }
    }

    @concurrent
    private func fetch(
        _ id: String, _ size: Int?, _ form: Form, _ client: SubsonicClient
    ) async throws -> CoverPicture? {
        // Known before anything is kept: a placeholder that is taken for a picture would stay.
        let placeholder = try await placeholder(size, client)
        guard let picture = try await client.coverArt(id: id, size: size), picture.bytes != placeholder else {
            state.withLock { state in
                if state.absent.count >= Self.maxAbsent { state.absent = [:] }
                state.absent[id] = gate.clock.now + Self.absence
            }
            return nil
        }
        files.keep(picture, as: fileName(id, form))
        return picture
    }

    /// Everything that the server sends for things without a picture; empty on servers that send nothing.
    private func placeholder(_ size: Int?, _ client: SubsonicClient) async throws -> [UInt8] {
        if let known = state.withLock({ $0.placeholders[size] }) { return known }
        let bytes = try await client.placeholderArt(size: size)?.bytes ?? []
        state.withLock { $0.placeholders[size] = bytes }
        return bytes
    }

    private func isAbsent(_ id: String) -> Bool {
        state.withLock { state in
            guard let until = state.absent[id] else { return false }
            if gate.clock.now < until { return true }
            state.absent[id] = nil
            return false
        }
    }

    // MARK: Files, with the MIME type as their note

    private func edge(_ form: Form) -> Int? {
        switch form {
        case .sized: size
        case .original: nil
        case .edge(let edge): edge
        }
    }

    private func fileName(_ id: String, _ form: Form) -> String {
        let form = TrackForm(format: "cover", maxBitRate: edge(form))
        return CacheKey(id: id, form: form, suffix: "img", size: nil).fileName
    }
}

package import Coordination
import Glibc
package import Logging
package import MusicModel
package import Playback
package import Subsonic
import Synchronization

/// Songs on disk: fetched at full speed, kept until the room is needed, served at once when they are there.
package final class TrackCache: TrackProvider {
    /// Finds where a song's bytes come from; nil where there is no such song any more.
    package typealias Resolver = @Sendable (SongID) async throws -> (source: SongSource, suffix: String, size: Int64?)?

    private struct State {
        var folder: CacheFolder
        var downloads: [CacheKey: TrackDownload] = [:]
        var handles: [CacheKey: WeakFile] = [:]
        var ahead: [SongID] = []
        var aheadKeys: Set<CacheKey> = []
        var prefetching: Task<Void, Never>?
        var ended = Alarm()
        var isShutDown = false
        /// The keys of conversions of songs whose originals could not be decoded since the start.
        var undecodable: Set<CacheKey> = []
        var figures = Figures()

        /// The files that must stay: in use, or wanted next.
        var spared: Set<String> {
            var spared = Set(aheadKeys.map(\.fileName))
            for (key, handle) in handles where handle.file != nil { spared.insert(key.fileName) }
            return spared
        }

        /// Takes out a download that has ended, unless another one has its place.
        mutating func remove(_ download: TrackDownload) {
            guard downloads[download.key] === download else { return }
            downloads[download.key] = nil
            figures.downloaded = figures.downloaded.addingClamped(download.received)
        }

        mutating func hold(_ file: TrackFile, _ key: CacheKey) {
            if handles.count > 64 { handles = handles.filter { $0.value.file != nil } }
            handles[key] = WeakFile(file: file)
        }
    }

    private struct WeakFile {
        weak var file: TrackFile?
    }

    private let client: SubsonicClient?
    private let form: TrackForm
    private let canDecode: @Sendable (String) -> Bool
    private let resolve: Resolver
    private let log: Logger
    private let pauses: (first: Duration, longest: Duration)
    private let patience: Duration
    private let clock: any ServiceClock
    private let notice: KeepingNotice
    private let state: Mutex<State>

    /// Opens the cache in a directory of its own, which is made if there is none.
    /// - Parameters:
    ///   - byteLimit: how many bytes may stay; songs in use may exceed it for a while.
    ///   - keepFree: bytes of the disk that downloads leave free; songs go while there is less than a quarter more.
    ///   - canDecode: whether files of a suffix can be played; the server converts others.
    ///   - pauses, patience: how long a broken download waits, first and at most, and one that has not begun.
    /// - Throws: `TrackError` where the directory can't be used.
    package init(
        directory: String, byteLimit: Int64, keepFree: Int64 = 0, client: SubsonicClient?,
        form: TrackForm = TrackForm(), canDecode: @escaping @Sendable (String) -> Bool = { _ in true },
        pauses: (first: Duration, longest: Duration) = (.seconds(1), .seconds(30)), patience: Duration = .seconds(120),
        clock: any ServiceClock = ContinuousClock(), resolve: @escaping Resolver, log: Logger
    ) throws {
        (self.client, self.form, self.canDecode, self.pauses) = (client, form, canDecode, pauses)
        (self.patience, self.clock, self.resolve, self.log) = (patience, clock, resolve, log)
        notice = KeepingNotice(of: "songs", log: log)
        var folder = try CacheFolder(path: directory, byteLimit: byteLimit, keepFree: keepFree, reserve: keepFree / 4)
        folder.evict(sparing: [])
        state = Mutex(State(folder: folder))
    }

    /// Gives up what is being fetched.
    package func shutDown() {
        let (task, downloads) = state.withLock { state in
            state.isShutDown = true
            state.ahead = []
            return (state.prefetching, Array(state.downloads.values))
        }
        task?.cancel()
        for download in downloads { download.end(.failure(TrackError("The server is shutting down."))) }
    }

    /// Lets downloads continue at once that wait for the server.
    package func serverIsBack() {
        for download in state.withLock({ Array($0.downloads.values) }) { download.serverIsBack() }
    }

    /// The bytes of all complete files.
    package var totalSize: Int64 { state.withLock { $0.folder.totalSize } }

    /// The requests to the cache since the start.
    package struct Figures: Sendable, Equatable {
        /// Songs that were here when they were opened.
        package var hits = 0
        /// Songs that had to be fetched, or were still being fetched.
        package var misses = 0
        /// The bytes of songs that came from the server.
        package var downloaded: Int64 = 0
    }

    /// The figures now, with downloads that are under way.
    package var figures: Figures {
        state.withLock { state in
            var figures = state.figures
            for download in state.downloads.values { figures.downloaded += download.received }
            return figures
        }
    }

    private func cacheKey(_ id: String, _ suffix: String, _ size: Int64?) -> CacheKey {
        let converted = CacheKey(id: id, form: .converted, suffix: suffix, size: size)
        func isUndecodable() -> Bool {
            !suffix.isEmpty && !canDecode(suffix.lowercased()) || state.withLock { $0.undecodable.contains(converted) }
        }
        if form.isOriginal, isUndecodable() { return converted }
        return CacheKey(id: id, form: form, suffix: suffix, size: size)
    }

    // MARK: Opening

    /// Opens a song: at once when it is here or a local file, otherwise as soon as its first bytes are announced.
    /// - Throws: `TrackError` when the song can't be had.
    @concurrent
    package func open(_ song: SongID) async throws -> TrackFile {
        let found: (source: SongSource, suffix: String, size: Int64?)?
        do {
            found = try await resolve(song)
        } catch {
            throw TrackError("The library can't be read: \(error)", cause: error)
        }
        guard let found else { throw TrackError("The song is no longer in the library.") }
        switch found.source {
        case .localFile(let path): return try await TrackFile.local(path, suffix: found.suffix)
        case .localPart(let path, let range): return try await TrackFile.local(path, suffix: found.suffix, part: range)
        case .navidrome(let id):
            let key = cacheKey(id, found.suffix, found.size)
            return try await open(key, songID: id, size: found.size)
        case .navidromePart(let id, let range):
            let key = cacheKey(id, found.suffix, found.size)
            return try await open(key, songID: id, size: found.size).limited(to: range)
        }
    }

    /// Opens a song whose original can't be decoded here, as the server converts it, as `open` does from then on.
    /// - Throws: `TrackError` when nothing else than that original can be had.
    @concurrent
    package func openConverted(_ song: SongID) async throws -> TrackFile {
        guard let found = try await resolve(song), let id = found.source.serverID, form.isOriginal,
            cacheKey(id, found.suffix, found.size).form.isOriginal
        else { throw TrackError("There is nothing but the original.") }
        log.notice("The server converts a song that can't be decoded here.", metadata: ["suffix": "\(found.suffix)"])
        state.withLock { state in
            // Others are tried again, as after a restart, when there may be a decoder.
            if state.undecodable.count >= 10_000 { state.undecodable = [] }
            state.undecodable.insert(CacheKey(id: id, form: .converted, suffix: found.suffix, size: found.size))
        }
        return try await open(song)
    }

    /// Whether a song's bytes are on this machine, whole; of local files nothing is asked.
    package func isHere(_ source: SongSource, suffix: String, size: Int64?) -> Bool {
        guard let id = source.serverID else { return true }
        let name = cacheKey(id, suffix, size).fileName
        return state.withLock { $0.folder.contains(name) }
    }

    enum Standing {
        case here(TrackFile)
        case onServer(id: String, CacheKey)
    }

    /// Finds out where a song is, without fetching it.
    /// - Throws: `TrackError` when there is no such song, or no file of it.
    @concurrent
    func standing(of song: SongID) async throws -> Standing {
        guard let found = try await resolve(song) else { throw TrackError("The song is no longer in the library.") }
        guard case .navidrome(let id) = found.source else { return .here(try await open(song)) }
        let key = cacheKey(id, found.suffix, found.size)
        return cachedFile(key).map { .here($0) } ?? .onServer(id: id, key)
    }

    private func open(_ key: CacheKey, songID: String, size: Int64?) async throws -> TrackFile {
        while true {
            if let file = cachedFile(key) {
                state.withLock { $0.figures.hits += 1 }
                return file
            }
            guard let download = try download(key, songID: songID, size: size, isAhead: false) else { continue }
            state.withLock { $0.figures.misses += 1 }
            let file = try await download.file()
            state.withLock { $0.hold(file, key) }
            return file
        }
    }

    private func cachedFile(_ key: CacheKey) -> TrackFile? {
        state.withLock { state in
            guard let size = state.folder.use(key.fileName) else { return nil }
            if let file = state.handles[key]?.file, file.current.isComplete { return file }
            let file = TrackFile(
                completePath: state.folder.path(of: key.fileName), suffix: key.suffix,
                isConverted: !key.form.isOriginal, size: size)
            state.hold(file, key)
            return file
        }
    }

    // MARK: Downloads

    /// The download of a song that is under way, or a new one; nil if the song came here since it was looked up: a new
    /// one would empty the file under its readers.
    private func download(_ key: CacheKey, songID: String, size: Int64?, isAhead: Bool) throws -> TrackDownload? {
        guard let client else { throw TrackError("The song is on a Navidrome server, but none is configured.") }
        let (download, file) = try state.withLock { state throws(TrackError) in
            if state.isShutDown { throw TrackError("The server is shutting down.") }
            if state.folder.contains(key.fileName) { return (TrackDownload?.none, Int32(-1)) }
            if let running = state.downloads[key] {
                if isAhead { running.isWantedAhead = true } else { running.reserve() }
                return (running, Int32(-1))
            }
            let file = try state.folder.create(key.fileName)
            let new = TrackDownload(
                key: key, songID: songID, path: state.folder.path(of: key.fileName), isWantedAhead: isAhead,
                clock: clock)
            if !isAhead { new.reserve() }
            state.downloads[key] = new
            return (new, file)
        }
        if let download, file >= 0 { start(download, file, size, client) }
        return download
    }

    private func start(_ download: TrackDownload, _ file: Int32, _ size: Int64?, _ client: SubsonicClient) {
        let fetcher = TrackFetcher(
            client: client, form: download.key.form,
            hasFallback: !state.withLock { $0.undecodable.contains(download.key) }, download: download, file: file,
            pauses: pauses, patience: patience, clock: clock, expectedSize: size,
            makeRoom: { self.makeRoom($0, for: download) }, mayFetchAhead: { self.hasFreeLine }, notice: notice,
            log: log)
        Task {
            let result = await outcome(of: fetcher)
            close(file)
            finish(download, result)
        }
    }

    private func outcome(of fetcher: TrackFetcher) async -> Result<Void, TrackError> {
        while true {
            do {
                try await fetcher.run()
                return .success(())
            } catch let error as TrackError {
                return .failure(error)
            } catch TrackFetcher.Stop.unwanted {
                // A reader may have come at the last moment; after this it starts a new download.
                let isUnwanted = state.withLock { state in
                    if fetcher.download.isWanted && !state.isShutDown { return false }
                    state.remove(fetcher.download)
                    return true
                }
                if isUnwanted { return .failure(TrackError("The song is no longer needed.")) }
            } catch {
                return .failure(TrackError("The song can't be fetched: \(error)", cause: error))
            }
        }
    }

    private func finish(_ download: TrackDownload, _ result: Result<Void, TrackError>) {
        let name = download.key.fileName
        let (gone, ended) = state.withLock { state in
            let isReplaced = state.downloads[download.key].map { $0 !== download } ?? false
            state.remove(download)
            switch result {
            case .success: state.folder.finish(name, size: download.written)
            case .failure:
                // A reader that finds no file must find the reason why.
                download.end(result)
                // The same song may be on its way again, into the same file, or even be here.
                if !isReplaced, !state.folder.contains(name) { state.folder.discard(name) }
            }
            if let file = download.currentFile { state.hold(file, download.key) }
            return (state.folder.evict(sparing: state.spared.union([name])), state.ended)
        }
        if case .success = result { download.end(result) }
        ended.ring()
        for other in state.withLock({ Array($0.downloads.values) }) { other.changes.ring() }
        if case .failure(let error) = result {
            log.debug("a download ended", metadata: ["because": "\(ErrorChain(error))"])
        }
        if !gone.isEmpty { log.debug("made room in the cache", metadata: ["files": "\(gone.count)"]) }
    }

    private func makeRoom(_ bytes: Int64, for download: TrackDownload) -> Bool {
        let (gone, isEnough) = state.withLock { state in
            let gone =
                state.folder.isNarrow(for: bytes)
                ? state.folder.evict(making: bytes, sparing: state.spared.union([download.key.fileName])) : []
            return (gone.count, state.folder.missingSpace(for: bytes) <= 0)
        }
        if gone > 0 { log.info("removed songs: the disk is nearly full", metadata: ["files": "\(gone)"]) }
        if !isEnough { notice.failed("the disk with the cache is nearly full") }
        return isEnough
    }

    /// True if no song that is played now is on its way.
    var hasFreeLine: Bool { state.withLock { state in !state.downloads.values.contains { $0.isOpen } } }

    // MARK: Fetching ahead

    /// Names the songs that come next, fetched in turn while none that plays needs the line; others are given up.
    package func prefetch(_ songs: [SongID]) {
        state.withLock { state in
            if state.isShutDown || state.ahead == songs { return }
            state.ahead = songs
            state.prefetching?.cancel()
            let ended = Alarm()
            state.ended = ended
            state.prefetching = Task { [weak self] in await self?.fetchAhead(songs, ended) }
        }
    }

    @concurrent
    private func fetchAhead(_ songs: [SongID], _ ended: Alarm) async {
        var wanted: [(key: CacheKey, id: String, size: Int64?)] = []
        for song in songs {
            guard let found = try? await resolve(song), let id = found.source.serverID else { continue }
            wanted.append((cacheKey(id, found.suffix, found.size), id, found.size))
        }
        if Task.isCancelled { return }
        let keys = Set(wanted.map(\.key))
        state.withLock { state in
            state.aheadKeys = keys
            for download in state.downloads.values where !keys.contains(download.key) { download.isWantedAhead = false }
        }
        for (key, id, size) in wanted {
            if Task.isCancelled { return }
            if state.withLock({ $0.folder.contains(key.fileName) }) { continue }
            // A download's end wakes this; nothing tells when a song that is still coming is played no longer.
            while !hasFreeLine {
                await ended.wait(atMost: .seconds(1))
                if Task.isCancelled { return }
            }
            let begun: TrackDownload?
            do { begun = try self.download(key, songID: id, size: size, isAhead: true) } catch {
                log.info("can't prefetch a song", metadata: ["because": "\(ErrorChain(error))"])
                continue
            }
            guard let download = begun else { continue }
            while state.withLock({ $0.downloads[key] === download }) {
                await ended.wait(atMost: .seconds(30))
                if Task.isCancelled { return }
            }
        }
    }
}

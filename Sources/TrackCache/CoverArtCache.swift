import Glibc
public import Logging
import Playback
public import Subsonic
import Synchronization

/// Pictures on disk, fetched from the server when they are asked for first.
///
/// Picture ids move when the picture does, so a file never gets stale. Never more than two requests are in flight:
/// a real server answers a crowd with HTTP 429.
/// - Isolation: any; calls work on the global executor.
public final class CoverArtCache: Sendable {
    private struct State {
        var folder: CacheFolder
        var fetching: [String: Task<CoverPicture?, any Error>] = [:]
        /// Ids that have no picture, for the life of the process.
        var absent: Set<String> = []
        /// The picture of the last call: clients ask for it piece by piece.
        var latest: (id: String, picture: CoverPicture)?
        /// What the server sends for things without a picture; nil until it is known.
        var placeholder: [UInt8]?
        var inFlight = 0
        var queue: [CheckedContinuation<Void, Never>] = []
    }

    private static let requestsInFlight = 2

    private let client: SubsonicClient?
    private let size: Int?
    private let log: Logger
    private let state: Mutex<State>

    /// Opens the cache.
    ///
    /// - Parameters:
    ///   - directory: where the files are; made if there is none. Nothing else may live in it.
    ///   - byteLimit: how many bytes may stay.
    ///   - size: the longer edge in pixels; nil is the original.
    ///   - client: the server; nil without one.
    ///   - log: what happens is noted here.
    /// - Throws: `TrackError` where the directory can't be used.
    public init(
        directory: String, byteLimit: Int64 = 256 << 20, size: Int? = 600, client: SubsonicClient?, log: Logger
    ) throws {
        self.client = client
        self.size = size
        self.log = log
        state = Mutex(State(folder: try CacheFolder(path: directory, byteLimit: byteLimit)))
    }

    /// A picture; nil if there is none.
    ///
    /// - Parameter coverArtID: the `coverArt` of a song or an album.
    /// - Throws: `SubsonicError` when it isn't here and the server can't be asked.
    @concurrent
    public func picture(coverArtID: String) async throws -> CoverPicture? {
        let form = TrackForm(format: "cover", maxBitRate: size)
        let name = CacheKey(id: coverArtID, form: form, suffix: "img", size: nil).fileName
        if let known = state.withLock({ Self.known(coverArtID, $0) }) { return known }
        if let picture = stored(name) {
            state.withLock { $0.latest = (coverArtID, picture) }
            return picture
        }
        guard let client else { return nil }
        let task = state.withLock { state in
            if let running = state.fetching[coverArtID] { return running }
            let task = Task { try await self.fetch(coverArtID, name, client) }
            state.fetching[coverArtID] = task
            return task
        }
        return try await task.value
    }

    private static func known(_ id: String, _ state: State) -> CoverPicture?? {
        if state.absent.contains(id) { return .some(nil) }
        if let latest = state.latest, latest.id == id { return .some(latest.picture) }
        return nil
    }

    // MARK: Fetching

    private func fetch(_ id: String, _ name: String, _ client: SubsonicClient) async throws -> CoverPicture? {
        await takeTurn()
        defer {
            leaveTurn()
            state.withLock { $0.fetching[id] = nil }
        }
        let placeholder = await placeholder(client)
        guard let picture = try await client.coverArt(id: id, size: size), picture.bytes != placeholder else {
            state.withLock { _ = $0.absent.insert(id) }
            return nil
        }
        store(picture, name)
        state.withLock { $0.latest = (id, picture) }
        return picture
    }

    /// What the server sends for things without a picture; empty on servers that send nothing.
    private func placeholder(_ client: SubsonicClient) async -> [UInt8] {
        if let known = state.withLock({ $0.placeholder }) { return known }
        do {
            let bytes = try await client.placeholderArt(size: size)?.bytes ?? []
            state.withLock { $0.placeholder = bytes }
            return bytes
        } catch {
            log.debug("no placeholder picture", metadata: ["because": "\(error)"])
            return []
        }
    }

    private func takeTurn() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.inFlight < Self.requestsInFlight {
                    state.inFlight += 1
                    return true
                }
                state.queue.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leaveTurn() {
        let next = state.withLock { state in
            if state.queue.isEmpty {
                state.inFlight -= 1
                return CheckedContinuation<Void, Never>?.none
            }
            return state.queue.removeFirst()
        }
        next?.resume()
    }

    // MARK: Files: a line with the MIME type, then the picture

    private func stored(_ name: String) -> CoverPicture? {
        guard let size = state.withLock({ $0.folder.use(name) }) else { return nil }
        let file = open(state.withLock { $0.folder.path(of: name) }, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        guard read(file, &bytes, bytes.count) == bytes.count, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return nil
        }
        return CoverPicture(
            bytes: Array(bytes[(end + 1)...]), contentType: String(decoding: bytes[..<end], as: UTF8.self))
    }

    /// Keeps a picture; when that fails it is fetched again next time.
    private func store(_ picture: CoverPicture, _ name: String) {
        let bytes = Array("\(picture.contentType)\n".utf8) + picture.bytes
        do {
            let file = try state.withLock { state throws(TrackError) in try state.folder.create(name) }
            let count = write(file, bytes, bytes.count)
            close(file)
            state.withLock { state in
                if count == bytes.count {
                    state.folder.finish(name, size: Int64(count))
                    state.folder.evict(sparing: [name])
                } else {
                    state.folder.discard(name)
                }
            }
        } catch {
            log.warning("a picture can't be kept", metadata: ["because": "\(error)"])
        }
    }
}

package import Coordination
package import Logging
package import Subsonic

/// Pictures made smaller on this machine, on disk. Names hold what one was made of, so that no file gets stale.
package final class ScaledPictureCache: Sendable {
    private let files: SealedFolder
    private let limit = ConcurrencyLimit(2)
    private let memory: PictureMemory

    /// Opens the cache in a directory of its own, which is made if there is none; `keepFree` bytes stay free.
    package init(
        directory: String, byteLimit: Int64, keepFree: Int64, memoryBudget: MemoryBudget = .unlimited, log: Logger
    ) throws {
        memory = PictureMemory(budget: memoryBudget)
        files = try SealedFolder(directory, byteLimit: byteLimit, keepFree: keepFree, of: "pictures", log: log)
    }

    /// A picture of `edge` pixels from the cache, or one that `make` makes; the name says of what, and of when.
    @concurrent
    package func picture(
        _ name: String, edge: Int, make: @Sendable (_ memory: PictureMemory) async throws -> CoverPicture?
    ) async throws -> CoverPicture? {
        let form = TrackForm(format: "scaled", maxBitRate: edge)
        let file = CacheKey(id: name, form: form, suffix: "img", size: nil).fileName
        if let known = files.picture(file) { return known }
        try await limit.acquire()
        defer { limit.release() }
        if let known = files.picture(file) { return known }
        guard let made = try await make(memory) else { return nil }
        files.keep(made, as: file)
        return made
    }
}

/// Sets memory aside for reading and decoding pictures, and lets only one large one be decoded at a time.
package struct PictureMemory: Sendable {
    /// Work that takes more than this many bytes is done one piece after the other.
    private static let small = 24 << 20

    private let budget: MemoryBudget
    private let large = ConcurrencyLimit(1)

    init(budget: MemoryBudget) { self.budget = budget }

    /// Does some work with this many bytes at most, and gives it what holds them, for threads that outlive the caller.
    /// - Throws: what `work` throws, `MemoryShortage` when there isn't that much, and `CancellationError`.
    @concurrent
    package func use<Value: Sendable>(
        _ bytes: Int, _ work: @Sendable (_ room: MemoryBudget.Reservation) async throws -> Value
    ) async throws -> Value {
        let isLarge = bytes > Self.small
        if isLarge { try await large.acquire() }
        defer { if isLarge { large.release() } }
        let room = try await budget.reserve(bytes, for: "a picture")
        return try await work(room)
    }
}

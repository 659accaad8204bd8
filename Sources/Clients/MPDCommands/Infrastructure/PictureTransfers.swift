import Coordination
import MPDProtocol
import MusicModel
import ServerLoop

final class Picture: Sendable {
    /// The command and the URI that it answers.
    let key: String
    let bytes: [UInt8]
    let mimeType: String?
    let file: String?

    init(key: String, bytes: [UInt8], mimeType: String?, file: String? = nil) {
        self.key = key
        self.file = file
        self.bytes = bytes
        self.mimeType = mimeType
    }
}

/// The pictures that clients are fetching, each held once for all of them and not for long. A client names the picture
/// again for every chunk, and all chunks have to come from the same bytes. Clients only point at pictures; what is held
/// has a limit, however many clients ask for however many pictures.
@ServerActor
final class PictureTransfers {
    typealias Fetched = FoundCover

    /// Pictures that are on their way, for those that wait for the same one.
    @ServerActor
    private final class Load {
        let task: Task<Picture?, any Error>
        var waiting = 0

        init(_ task: Task<Picture?, any Error>) { self.task = task }
    }

    private struct Held {
        let picture: Picture
        var lastUse: ContinuousClock.Instant
    }

    /// How long a picture is held after its last chunk.
    private let life: Duration
    /// How many bytes are held; a single picture may have more.
    private let capacity: Int
    private let fetching = ConcurrencyLimit(2)
    private var loads: [String: Load] = [:]
    /// The least recently used first.
    private var held: [Held] = []
    private var isSweepPlanned = false

    private let memoryBudget: MemoryBudget
    private let isSame: @Sendable ([UInt8], [UInt8]) -> Bool
    /// The memory for a picture that is being fetched: a large one, and once more in the hands of those that read it.
    private static let memoryOfFetch = 16 << 20

    nonisolated init(
        life: Duration = .seconds(30), capacity: Int = 64 << 20, memoryBudget: MemoryBudget = .unlimited,
        isSame: @escaping @Sendable ([UInt8], [UInt8]) -> Bool = { $0 == $1 }
    ) {
        self.isSame = isSame
        self.life = life
        self.capacity = memoryBudget.share(oneIn: 8, atMost: capacity)
        self.memoryBudget = memoryBudget
        memoryBudget.register(self, .fetched) { await $0.forgetAll() }
    }

    /// Releases all pictures; clients in the middle of a transfer fetch theirs again.
    private func forgetAll() { held = [] }
    var size: Int { held.reduce(0) { $0 + $1.picture.bytes.count } }

    func use(_ picture: Picture) {
        guard let index = held.firstIndex(where: { $0.picture === picture }) else { return }
        held.remove(at: index)
        held.append(Held(picture: picture, lastUse: .now))
    }

    /// Fetches a picture, once for all that wait for it; nil when there is none.
    func fetch(
        _ key: String, _ fetch: @escaping @ServerActor @Sendable () async throws -> Fetched?
    ) async throws -> Picture? {
        let load = loads[key] ?? begin(key, fetch)
        load.waiting += 1
        let picture = try await withTaskCancellationHandler {
            try await load.task.value
        } onCancel: {
            ServerActor.after(.zero) { self.abandon(load) }
        }
        try Task.checkCancellation()
        if let picture { hold(picture) }
        return picture
    }

    private func begin(_ key: String, _ fetch: @escaping @ServerActor @Sendable () async throws -> Fetched?) -> Load {
        let load = Load(
            Task { @ServerActor [fetching, memoryBudget] in
                defer { self.loads[key] = nil }
                try await fetching.acquire()
                defer { fetching.release() }
                let room = try await memoryBudget.reserve(Self.memoryOfFetch, for: "a picture")
                defer { room.release() }
                guard let fetched = try await fetch() else { return nil }
                return await self.shared(key, fetched)
            })
        loads[key] = load
        return load
    }

    private func abandon(_ load: Load) {
        load.waiting -= 1
        if load.waiting == 0 { load.task.cancel() }
    }

    /// The picture with these bytes that is held already, or a new one.
    private func shared(_ key: String, _ fetched: Fetched) async -> Picture {
        let alike = held.map(\.picture).filter {
            $0.key == key && $0.mimeType == fetched.mimeType && $0.file == fetched.file
        }
        return await first(of: alike, with: fetched.bytes)
            ?? Picture(key: key, bytes: fetched.bytes, mimeType: fetched.mimeType, file: fetched.file)
    }

    /// Compares off the loop, which a large picture would block.
    @concurrent
    private nonisolated func first(of pictures: [Picture], with bytes: [UInt8]) async -> Picture? {
        pictures.first { isSame($0.bytes, bytes) }
    }

    private func hold(_ picture: Picture) {
        if held.contains(where: { $0.picture === picture }) { return use(picture) }
        held.append(Held(picture: picture, lastUse: .now))
        while held.count > 1, size > capacity { held.removeFirst() }
        planSweep()
    }

    private func planSweep() {
        guard !isSweepPlanned, let oldest = held.first else { return }
        isSweepPlanned = true
        ServerActor.after(oldest.lastUse + life - .now) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        isSweepPlanned = false
        let now = ContinuousClock.now
        held.removeAll { now - $0.lastUse >= life }
        planSweep()
    }
}

extension ResponseWriter {
    /// Appends the chunk of a picture at `offset`, behind `file` where it is one of the library, `size`, and `type`
    /// with `showsType`. `fetch` gets it when the transfer begins; without one `missing` is thrown or nothing said.
    @ServerActor
    mutating func picture(
        key: String, offset: Int, showsType: Bool = true, missing: AckError? = nil,
        tooFar: AckError = AckError(.argument, "Bad file offset"), in context: CommandContext,
        fetch: @escaping @ServerActor @Sendable () async throws -> FoundCover?
    ) async throws {
        let client = context.client
        let transfers = context.server.pictureTransfers
        let picture: Picture
        if offset > 0, let known = client.picture, known.key == key {
            picture = known
            transfers.use(known)
        } else {
            client.picture = nil
            guard let fetched = try await transfers.fetch(key, fetch) else {
                if let missing { throw missing }
                return
            }
            picture = fetched
            client.picture = fetched
        }
        guard offset <= picture.bytes.count else { throw tooFar }
        let end = min(picture.bytes.count, offset + client.binaryLimit)
        if let file = picture.file { line("file: ", file) }
        line("size: ", picture.bytes.count)
        if showsType, let type = picture.mimeType { line("type: ", type) }
        try await binary(picture.bytes[offset..<end])
    }
}

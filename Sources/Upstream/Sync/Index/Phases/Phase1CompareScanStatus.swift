import LibraryIndex
import MusicModel
import Subsonic
import UserLibrary

/// Phase 1: asks the server, in two small requests, whether it scanned its files since the index was last complete, and
/// whether the user sees other libraries than then, which no scan tells.
struct Phase1CompareScanStatus {
    enum Verdict: Hashable {
        case unchanged(ScanStatus)
        /// The server scanned since, or the index was never complete, or the user sees other libraries.
        case changed(ScanStatus)
        case scanning(ScanStatus)
        /// The server can't tell; only a walk finds out.
        case unknown
    }

    struct Libraries: Hashable {
        /// Those of now; nil where the server can't tell.
        var seen: String?
        /// True if they are others than when the index was last complete.
        var areOthers = false
    }

    let client: SubsonicClient
    let library: Library
    let mount: String

    private var key: String { "sync.\(mount).scan" }
    private var librariesKey: String { "sync.\(mount).libraries" }
    private var surplusKey: String { "sync.\(mount).surplus" }

    func run() async throws -> (verdict: Verdict, libraries: Libraries) {
        async let answer = client.libraries()
        let status = try await client.scanStatus()
        let seen = try await answer
        let known = try await library.fact(librariesKey)
        let libraries = Libraries(seen: seen, areOthers: known != nil && seen != nil && known != seen)
        guard let status else { return (.unknown, libraries) }
        if status.isScanning { return (.scanning(status), libraries) }
        guard let stamp = Self.stamp(of: status) else { return (.unknown, libraries) }
        let isKnown = try await library.fact(key) == stamp && !libraries.areOthers
        // An index from before libraries were asked for needs no walk.
        if isKnown, known == nil, let seen { try await library.setFact(librariesKey, seen) }
        return (isKnown ? .unchanged(status) : .changed(status), libraries)
    }

    /// True if the server has as many songs as when the index was last complete.
    func hasSameCount(_ status: ScanStatus) async throws -> Bool {
        try await library.fact(key)?.hasPrefix(Self.stampStart(of: status)) ?? false
    }

    /// True if a walk was ever finished; until then songs are written as they come.
    func hasBeenComplete() async throws -> Bool { try await library.fact(key) != nil }

    /// How many songs more than it listed the server counted when the index was last complete: those of libraries that
    /// the user does not see, or of its own way to count.
    func surplus() async throws -> Int? { try await library.fact(surplusKey).flatMap { Int($0) } }

    /// Keeps that the index holds what the server had at this status, nil for one that can't tell, and how many songs
    /// it listed.
    func remember(_ status: ScanStatus?, listed count: Int, _ libraries: Libraries) async throws {
        let surplus = status?.count.map { $0.subtractingClamped(count) } ?? 0
        let facts = [(surplusKey, surplus == 0 ? nil : String(surplus)), (librariesKey, libraries.seen)]
        for (key, value) in facts where try await library.fact(key) != value {
            try await library.setFact(key, value)
        }
        try await library.setFact(key, status.flatMap(Self.stamp) ?? "walked")
    }

    /// The stamp of a library at two polls; nil if the server does not say when it scanned.
    private static func stamp(of status: ScanStatus) -> String? {
        guard let lastScan = status.lastScan else { return nil }
        return Self.stampStart(of: status) + lastScan
    }

    private static func stampStart(of status: ScanStatus) -> String {
        "mapping \(SongMapping.version).\(SongMapping.revision), \(status.count ?? -1) songs, scanned "
    }
}

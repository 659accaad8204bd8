import LibraryIndex
import Subsonic
import UserLibrary

/// Phase 1: asks the server, in one small request, whether it scanned its files since the index was last complete.
struct Phase1CompareScanStatus {
    /// The verdict of the comparison.
    enum Verdict: Hashable {
        /// The index holds what the server has.
        case unchanged(ScanStatus)
        /// The server scanned since, or the index was never complete.
        case changed(ScanStatus)
        /// The server scans now: what it lists is moving.
        case scanning(ScanStatus)
        /// The server can't tell; only a walk finds out.
        case unknown
    }

    let client: SubsonicClient
    let library: Library
    let mount: String

    private var key: String { "sync.\(mount).scan" }

    /// Asks and compares.
    func run() async throws -> Verdict {
        guard let status = try await client.scanStatus() else { return .unknown }
        if status.isScanning { return .scanning(status) }
        guard let stamp = Self.stamp(of: status) else { return .unknown }
        return try await library.fact(key) == stamp ? .unchanged(status) : .changed(status)
    }

    /// Whether the server has as many songs as when the index was last complete.
    func hasSameCount(_ status: ScanStatus) async throws -> Bool {
        try await library.fact(key)?.hasPrefix(Self.stampStart(of: status)) ?? false
    }

    /// Whether a walk was ever finished; until then songs are written as they come.
    func hasBeenComplete() async throws -> Bool { try await library.fact(key) != nil }

    /// Keeps that the index holds what the server had at this status; nil for a server that can't tell.
    func remember(_ status: ScanStatus?) async throws {
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

import LibraryIndex
import Logging
import MusicModel
import Synchronization

/// Files that hang what reads them. Each costs seconds, so those that do so in two scans are remembered over restarts:
/// until they change, until what reads them is another version, or until `rescan`.
extension LocalFolderScan {
    /// A file that took too long, with the stamp it had.
    struct SlowFile: Hashable, Sendable {
        let stamp: UInt32
        /// The scans in which it did.
        var scans = 1
        /// True if scans pass it over.
        var isPassedOver: Bool { scans > 1 }
    }

    /// The maximum number that is remembered.
    private static let maxSlowFiles = 10_000

    private var slowFilesKey: String { "sync.slow." + mount }

    /// Passes over what was too slow in an earlier run; reads that once.
    func recallSlowFiles() async throws {
        guard !passedOver.isRecalled.exchange(true, ordering: .relaxed) else { return }
        let lines = try await index.fact(slowFilesKey)?.split(separator: "\n") ?? []
        guard lines.first.map({ String($0) }) == header else { return }
        var slow: [String: SlowFile] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let stamp = UInt32(parts[0]), let scans = Int(parts[1]) else { continue }
            slow[String(parts[2])] = SlowFile(stamp: stamp, scans: scans)
        }
        passedOver.slow.withLock { $0.merge(slow) { now, _ in now } }
        slow = slow.filter(\.value.isPassedOver)
        guard !slow.isEmpty else { return }
        passedOver.stamps.withLock { $0.merge(slow.mapValues(\.stamp)) { now, _ in now } }
        logger.notice(
            """
            \(slow.count) files below \(root) are skipped because they took too long to read, such as \
            \(slow.keys.sorted()[0]); `rescan` retries them
            """)
    }

    /// Remembers a file that was too slow; the next scan passes it over if that was so before.
    func remember(slow path: String, stamp: UInt32) async {
        let all = passedOver.slow.withLock { slow -> [String: SlowFile] in
            var file = slow[path].flatMap { $0.stamp == stamp ? $0 : nil } ?? SlowFile(stamp: stamp, scans: 0)
            file.scans = min(2, file.scans + 1)
            if file.isPassedOver { passedOver.stamps.withLock { $0[path] = stamp } }
            // A line of the fact is a file.
            guard !path.contains("\n"), slow.count < Self.maxSlowFiles || slow[path] != nil else { return slow }
            slow[path] = file
            return slow
        }
        await keep(all)
    }

    /// Forgets that a file was too slow, once it was read.
    func forget(slow path: String) async {
        let all = passedOver.slow.withLock { slow -> [String: SlowFile]? in
            slow.removeValue(forKey: path) == nil ? nil : slow
        }
        if let all { await keep(all) }
    }

    private var header: String { "scans and version " + reader.version }

    private func keep(_ slow: [String: SlowFile]) async {
        let lines = slow.sorted { $0.key < $1.key }.map { "\($0.value.stamp) \($0.value.scans) \($0.key)" }
        let text = slow.isEmpty ? nil : ([header] + lines).joined(separator: "\n")
        do { try await index.setFact(slowFilesKey, text) } catch {
            logger.warning("can't record a file that takes too long to read: \(chain: error)")
        }
    }
}

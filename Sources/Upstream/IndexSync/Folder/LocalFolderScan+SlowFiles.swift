import LibraryIndex
import Logging
import MusicModel
import Synchronization

/// Files that hang what reads them. Each costs seconds, so they are remembered over restarts: until they change, until
/// what reads them is another version, or until `rescan`.
extension LocalFolderScan {
    /// So many are remembered.
    private static let mostSlowFiles = 10_000

    private var slowFilesKey: String { "sync.slow." + mount }

    /// Passes over what was too slow in an earlier run; reads that once.
    func recallSlowFiles() async throws {
        guard !passedOver.isRecalled.exchange(true, ordering: .relaxed) else { return }
        let lines = try await index.fact(slowFilesKey)?.split(separator: "\n") ?? []
        guard lines.first.map({ String($0) }) == header else { return }
        var slow: [String: UInt32] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let stamp = UInt32(parts[0]) else { continue }
            slow[String(parts[1])] = stamp
        }
        guard !slow.isEmpty else { return }
        passedOver.stamps.withLock { $0.merge(slow) { now, _ in now } }
        passedOver.slow.withLock { $0.merge(slow) { now, _ in now } }
        logger.notice(
            """
            \(slow.count) files below \(root) are skipped, because reading them took too long before, such as \
            \(slow.keys.sorted()[0]); `rescan` tries them again
            """)
    }

    /// Remembers a file that was too slow.
    func remember(slow path: String, stamp: UInt32) async {
        // A line of the fact is a file.
        guard !path.contains("\n") else { return }
        let all = passedOver.slow.withLock { slow -> [String: UInt32] in
            guard slow.count < Self.mostSlowFiles || slow[path] != nil else { return slow }
            slow[path] = stamp
            return slow
        }
        await keep(all)
    }

    /// Forgets that a file was too slow, once it was read.
    func forget(slow path: String) async {
        let all = passedOver.slow.withLock { slow -> [String: UInt32]? in
            slow.removeValue(forKey: path) == nil ? nil : slow
        }
        if let all { await keep(all) }
    }

    private var header: String { "version " + reader.version }

    private func keep(_ slow: [String: UInt32]) async {
        let lines = slow.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let text = slow.isEmpty ? nil : ([header] + lines).joined(separator: "\n")
        do { try await index.setFact(slowFilesKey, text) } catch {
            logger.warning("a file that takes too long to read can't be remembered: \(chain: error)")
        }
    }
}

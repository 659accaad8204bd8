import Foundation
import LibraryIndex
import Logging
import MusicModel
import Synchronization

/// Files that hang what reads them. Each costs seconds, so those that do so in two scans are remembered over restarts:
/// until they change, until what reads them is another version, or until `rescan`.
extension LocalFolderScan {
    struct SlowFile: Hashable, Codable, Sendable {
        let stamp: UInt32
        var scans: Int
        var isPassedOver: Bool { scans > 1 }
    }

    private struct Kept: Codable {
        let version: String
        let files: [String: SlowFile]
    }

    private static let maxSlowFiles = 10_000

    private var slowFilesKey: String { "sync.slow." + mount }

    /// Passes over what was too slow in an earlier run; reads that once.
    func recallSlowFiles() async throws {
        guard !passedOver.isRecalled.exchange(true, ordering: .relaxed) else { return }
        let text = try await index.fact(slowFilesKey) ?? ""
        guard let kept = try? JSONDecoder().decode(Kept.self, from: Data(text.utf8)), kept.version == reader.version
        else { return }
        passedOver.slow.withLock { $0.merge(kept.files) { now, _ in now } }
        let slow = kept.files.filter(\.value.isPassedOver)
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
            if slow.count < Self.maxSlowFiles || slow[path] != nil { slow[path] = file }
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

    private func keep(_ slow: [String: SlowFile]) async {
        do {
            let kept = slow.isEmpty ? nil : try JSONEncoder().encode(Kept(version: reader.version, files: slow))
            try await index.setFact(slowFilesKey, kept.map { String(decoding: $0, as: UTF8.self) })
        } catch {
            logger.warning("can't record a file that takes too long to read: \(chain: error)")
        }
    }
}

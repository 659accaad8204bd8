import Dispatch
import Foundation
import Library
import Logging
import MusicModel
import Synchronization

/// Brings the index up to date with a music folder: new and changed files are read, songs without a file removed.
struct LocalFolderScan: Sendable {
    /// Files that could not be read, with the stamp they had: they are tried again when they change, or by `rescan`.
    final class PassedOver: Sendable {
        let stamps = Mutex<[String: UInt32]>([:])
    }

    /// Files that are read at the same time.
    private static let readers = 2
    /// Songs in one transaction.
    private static let batch = 200

    let mount: String
    let root: String
    let reader: any TagReading
    let library: Library
    let logger: Logger
    let passedOver = PassedOver()
    private let queue = DispatchQueue(label: "segue.folder-scan", attributes: .concurrent)

    init(source: FolderSource, library: Library, logger: Logger) {
        mount = source.mount
        root = source.musicDirectory
        reader = source.reader
        self.library = library
        self.logger = logger
    }

    /// Scans what lies below `start`, a path below the music folder or the empty string for all of it.
    ///
    /// - Throws: `FolderError` if the music folder can't be read, `LibraryError` if the index can't be written.
    func run(below start: String, rescan: Bool, observer: SyncObserver) async throws -> SourceOutcome {
        let root = root
        let findings = try await onThread { try FolderWalk.files(root: root, below: start) }
        let known = try await library.knownSongs(mount: mount)
        for folder in findings.unreadable {
            logger.warning("\(root)/\(folder) can't be read; its songs stay as they are")
        }
        if findings.files.isEmpty, findings.unreadable.isEmpty, start.isEmpty, !known.isEmpty, !rescan {
            logger.warning(
                """
                the music folder \(root) is empty but \(known.count) songs were there before; they stay in the library \
                until `rescan`, in case a disk is missing
                """
            )
            var outcome = SourceOutcome()
            outcome.summary.songs = known.count
            return outcome
        }
        let plan = FolderPlan(
            findings: findings, known: known, below: start, rescan: rescan,
            passedOver: passedOver.stamps.withLock { $0 })
        var outcome = try await carryOut(plan, known: known, observer: observer)
        // What can't be read now may have playlists that are still there.
        if findings.unreadable.isEmpty {
            outcome.changedPlaylistFiles = try await library.replacePlaylistFiles(
                findings.playlists.map(playlist), mount: mount, below: start.isEmpty ? "" : path(of: start))
        }
        return outcome
    }

    /// A playlist as clients see it.
    private func playlist(_ file: FoundFile) -> FoundPlaylistFile {
        FoundPlaylistFile(
            path: path(of: file.path), source: "\(root)/\(file.path)", modified: file.modified / 1_000_000_000)
    }

    /// The path that clients use of a path below the music folder.
    private func path(of path: String) -> String { mount.isEmpty ? path : "\(mount)/\(path)" }

    private func carryOut(
        _ plan: FolderPlan, known: [String: (id: SongID, hash: UInt64)], observer: SyncObserver
    ) async throws -> SourceOutcome {
        var outcome = SourceOutcome()
        var progress = ProgressReport("music folder", observer: observer, logger: logger)
        var songs: [IndexedSong] = []
        let total = plan.unchanged + plan.toRead.count
        // A moved file is a new path and a lost one; both must be in one transaction to be recognised.
        let writesAsItGoes = plan.removals.isEmpty
        for start in stride(from: 0, to: plan.toRead.count, by: Self.batch) {
            try Task.checkCancellation()
            let part = plan.toRead[start..<min(start + Self.batch, plan.toRead.count)]
            songs += try await read(Array(part), known: known, skipped: &outcome.summary.skipped)
            progress.report(done: plan.unchanged + start + part.count, total: total)
            if writesAsItGoes {
                outcome.add(try await library.apply(LibraryChanges(mount: mount, upserts: songs)))
                songs = []
            }
        }
        if !songs.isEmpty || !plan.removals.isEmpty {
            let changes = LibraryChanges(mount: mount, upserts: songs, removals: plan.removals)
            outcome.add(try await library.apply(changes))
        }
        outcome.summary.songs = total - outcome.summary.skipped
        return outcome
    }

    /// Reads some files, two at a time, in their order; those that fail are logged and left out.
    private func read(
        _ files: [(file: FoundFile, stamp: UInt32)], known: [String: (id: SongID, hash: UInt64)], skipped: inout Int
    ) async throws -> [IndexedSong] {
        let added = try await firstSeen(files.compactMap { known[$0.file.path]?.id })
        let now = Int64(Date().timeIntervalSince1970)
        var found = [ScannedTags?](repeating: nil, count: files.count)
        await withTaskGroup(of: (Int, ScannedTags?).self) { group in
            for index in files.indices {
                if index >= Self.readers, let (done, tags) = await group.next() { found[done] = tags }
                group.addTask { (index, await self.tags(of: files[index].file, stamp: files[index].stamp)) }
            }
            for await (done, tags) in group { found[done] = tags }
        }
        var songs: [IndexedSong] = []
        for (index, tags) in found.enumerated() {
            guard let tags else {
                skipped += 1
                continue
            }
            let (file, stamp) = files[index]
            let since = known[file.path].flatMap { added[$0.id] } ?? now
            songs.append(song(file, stamp: stamp, tags: tags, added: since))
        }
        return songs
    }

    private func song(_ file: FoundFile, stamp: UInt32, tags: ScannedTags, added: Int64) -> IndexedSong {
        IndexedSong(
            mount: mount, sourceID: file.path, source: .localFile(path: "\(root)/\(file.path)"), path: file.path,
            tags: tags.tags, duration: tags.duration, lastModified: file.modified / 1_000_000_000, added: added,
            format: tags.format, replayGain: tags.replayGain, suffix: file.suffix, size: file.size, coverArtID: nil,
            hash: FolderPlan.hash(stamp: stamp, tags: tags))
    }

    /// When these songs came into the library, which a file does not tell.
    private func firstSeen(_ ids: [SongID]) async throws -> [SongID: Int64] {
        guard !ids.isEmpty else { return [:] }
        var added: [SongID: Int64] = [:]
        for (id, song) in zip(ids, try await library.songs(ids)) {
            added[id] = song?.added
        }
        return added
    }

    private func tags(of file: FoundFile, stamp: UInt32) async -> ScannedTags? {
        let path = "\(root)/\(file.path)"
        let reader = reader
        do {
            guard file.size > 0 else { throw EmptyFile() }
            let tags = try await onThread { try reader.read(path: path) }
            passedOver.stamps.withLock { $0[file.path] = nil }
            return tags
        } catch {
            passedOver.stamps.withLock { $0[file.path] = stamp }
            logger.warning("\(path) is skipped: \(error)")
            return nil
        }
    }

    /// Runs blocking work on a thread of its own, so that the pool of the async functions stays free.
    @concurrent
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}

/// A file without a single byte can't be music.
private struct EmptyFile: Error, CustomStringConvertible {
    var description: String { "it is empty" }
}

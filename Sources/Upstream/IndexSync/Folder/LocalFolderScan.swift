import Foundation
import LibraryIndex
import Logging
import MusicModel
import Synchronization

/// Brings the index up to date with a music folder: new and changed files are read, songs without a file removed.
final class LocalFolderScan: Sendable {
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
    let index: MusicIndex
    let logger: Logger
    let passedOver = PassedOver()
    private let links: LinkRules
    /// How it writes, until the folder is taken out.
    let write: Phase4Write

    init(source: FolderSource, links: LinkRules = LinkRules(), index: MusicIndex, logger: Logger) {
        self.links = links
        mount = source.mount
        root = source.musicDirectory
        reader = source.reader
        self.index = index
        write = Phase4Write(index: index)
        self.logger = logger
    }

    /// Phase 2: the files below `start`, a path below the music folder or the empty string for all of it.
    ///
    /// - Throws: `FolderError` if the music folder can't be read.
    func find(below start: String) async throws -> FolderWalk.Findings {
        let (root, links) = (root, links)
        let findings = try await onThread { isAbandoned in
            try FolderWalk.files(root: root, below: start, links: links, isCancelled: isAbandoned)
        }
        for folder in findings.unreadable {
            logger.warning("\(root)/\(folder) can't be read; its songs stay as they are")
        }
        for (path, reason) in findings.passedOver.prefix(20) {
            logger.warning("\(root)/\(path) is left out: \(reason)")
        }
        return findings
    }

    /// Phase 3: reads new and changed files. Where nothing is gone they are written as they come.
    ///
    /// - Returns: what is still to be written.
    func read(
        _ plan: FolderPlan, known: [String: (id: SongID, hash: UInt64)], observer: SyncObserver,
        _ outcome: inout SourceOutcome
    ) async throws -> LibraryChanges {
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
                if let applied = try await write.soFar(songs, mount: mount) { outcome.add(applied) }
                songs = []
            }
        }
        outcome.summary.songs = total - outcome.summary.skipped
        return LibraryChanges(mount: mount, upserts: songs, removals: plan.removals)
    }

    /// A playlist as clients see it.
    func playlist(_ file: FoundFile) -> FoundPlaylistFile {
        FoundPlaylistFile(
            path: path(of: file.path), source: "\(root)/\(file.path)", modified: file.modified)
    }

    /// The path that clients use of a path below the music folder.
    func path(of path: String) -> String { mount.isEmpty ? path : "\(mount)/\(path)" }

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
            tags: tags.tags, duration: tags.duration, lastModified: file.modified, added: added,
            format: tags.format, replayGain: tags.replayGain, suffix: file.suffix, size: file.size, coverArtID: nil,
            hash: FolderPlan.hash(stamp: stamp, tags: tags))
    }

    /// When these songs came into the library, which a file does not tell.
    private func firstSeen(_ ids: [SongID]) async throws -> [SongID: Int64] {
        guard !ids.isEmpty else { return [:] }
        var added: [SongID: Int64] = [:]
        for (id, song) in zip(ids, try await index.songs(ids)) {
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

    /// Keeps everything that is still under way from writing. Waits for a write, but never for the disk with the music.
    func retire() async { await write.gate.shut() }
}

/// A file without a single byte can't be music.
private struct EmptyFile: Error, CustomStringConvertible {
    var description: String { "it is empty" }
}

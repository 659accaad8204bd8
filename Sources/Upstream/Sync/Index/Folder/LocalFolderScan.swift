import Foundation
import LibraryIndex
import Logging
import MusicModel
import Synchronization

/// Brings the index up to date with a music folder: new and changed files are read, songs without a file removed.
final class LocalFolderScan: Sendable {
    /// Files that could not be read, with the stamp they had: they are tried again when they change, or by `rescan`.
    /// Those that the system did not give are tried by each scan.
    final class PassedOver: Sendable {
        let stamps = Mutex<[String: UInt32]>([:])
        /// Those that took too long, which are remembered over restarts.
        let slow = Mutex<[String: SlowFile]>([:])
        let isRecalled = Atomic(false)
        /// Files that could not be had, of which the log has been told.
        let outOfReach = Mutex<Set<String>>([])
    }

    private static let readers = 2
    private static let batch = 200

    let mount: String
    let root: String
    let reader: any TagReading
    let index: MusicIndex
    let logger: Logger
    let passedOver = PassedOver()
    let watcher = Mutex<FolderWatcher?>(nil)
    private let isUnwatched = Atomic(false)
    let isRemote: Bool
    private let links: LinkRules
    let cueSheets: CueSheetRules
    /// How it writes, until the folder is taken out.
    let write: Phase4Write

    init(
        source: FolderSource, links: LinkRules = LinkRules(), cueSheets: CueSheetRules = CueSheetRules(),
        index: MusicIndex, logger: Logger
    ) {
        self.cueSheets = cueSheets
        // A link names a file of the machine that made it.
        self.links = source.isRemote ? LinkRules(followsOutside: false, followsInside: links.followsInside) : links
        isRemote = source.isRemote
        mount = source.mount
        root = source.musicDirectory
        SideFile.keep(library: root)
        reader = source.reader
        self.index = index
        write = Phase4Write(index: index)
        self.logger = logger
    }

    /// Takes a watcher, or that the system has none, which is told when it begins and when it ends.
    func take(_ watcher: FolderWatcher?) {
        self.watcher.withLock { $0 = watcher }
        guard isUnwatched.exchange(watcher == nil, ordering: .relaxed) != (watcher == nil) else { return }
        if watcher != nil { return logger.info("watching \(root) for changes again") }
        logger.warning(
            """
            changes in \(root) are not noticed automatically: the limit of inotify instances is reached; raise \
            fs.inotify.max_user_instances (sysctl)
            """)
    }

    /// Phase 2: the files below `start`, a path below the music folder or the empty string for all of it.
    func find(below start: String) async throws -> FolderWalk.Findings {
        let (root, links) = (root, links)
        let watcher = watcher.withLock { $0 }
        let findings = try await onThread { isAbandoned in
            try FolderWalk.files(root: root, below: start, links: links, isCancelled: isAbandoned) {
                watcher?.watch($0)
            }
        }
        tellNames(findings, below: start)
        for folder in findings.unreadable {
            logger.warning("\(root)/\(folder) can't be read; its songs stay as they are")
        }
        for (path, reason) in findings.passedOver.prefix(20) {
            logger.warning("\(root)/\(path) is skipped: \(reason)")
        }
        for (path, reason) in findings.unreadRules.prefix(20) {
            logger.warning("\(root)/\(path) can't be read, so its rules don't apply: \(reason)")
        }
        return findings
    }

    /// Tells of names that are left out.
    private func tellNames(_ findings: FolderWalk.Findings, below start: String) {
        let charset = FileNames.inUse.charset
        if findings.unnamable > 0 {
            let (kind, cure) =
                charset.map { ("neither UTF-8 nor \($0)", "correct filename_charset in [local], or rename") }
                ?? ("not UTF-8", "set filename_charset in [local] to their charset, or rename")
            logger.warning(
                """
                \(root)/\(start) has \(findings.unnamable) names that are \(kind) and are skipped; \(cure) the files \
                (`convmv` does that)
                """)
        }
        for path in findings.shadowed.prefix(20) {
            logger.warning(
                """
                \(root)/\(path) exists twice, its name in UTF-8 and in \(charset ?? "another charset"); the second \
                is skipped, rename it (`convmv` can)
                """)
        }
    }

    /// Phase 3: reads new and changed files, which are written as they come where nothing is gone. Returns what is
    /// still to be written, and the files that are playlists too, for a cue sheet within them.
    func read(
        _ plan: FolderPlan, known: KnownSongs, observer: SyncObserver, _ outcome: inout SourceOutcome
    ) async throws -> (changes: LibraryChanges, discFiles: Set<String>) {
        var removals = plan.removals
        var discFiles = plan.discFiles
        var progress = ProgressReport("music folder", observer: observer, logger: logger)
        var songs: [IndexedSong] = []
        let trackCount = plan.discsToRead.reduce(0) { $0 + $1.tracks.count }
        let total = plan.unchanged + plan.toRead.count + trackCount
        // A moved file is a new path and a lost one; both must be in one transaction to be recognised.
        let writesAsItGoes = plan.removals.isEmpty && !plan.readsDiscsAgain
        let covered = plan.coveredFiles
        for start in stride(from: 0, to: plan.toRead.count, by: Self.batch) {
            try Task.checkCancellation()
            let part = plan.toRead[start..<min(start + Self.batch, plan.toRead.count)]
            let read = try await read(
                Array(part), covered: covered, known: known, skipped: &outcome.summary.skipped)
            for (file, made, isListed) in read {
                removals += plan.leftovers(of: file, now: made, known: known)
                if isListed { discFiles.insert(file) }
                songs += made
            }
            progress.report(done: plan.unchanged + start + part.count, total: total)
            if writesAsItGoes {
                if let applied = try await write.soFar(songs, mount: mount) { outcome.add(applied) }
                songs = []
            }
        }
        let (tracks, late, whole) = try await readDiscs(plan, known: known, skipped: &outcome.summary.skipped)
        songs += tracks
        for (file, made, isListed) in whole {
            if isListed { discFiles.insert(file) }
            songs += made
        }
        removals += late.filter { known[$0] != nil }
        if !whole.isEmpty {
            let present = Set(songs.map(\.sourceID))
            removals.removeAll { present.contains($0) }
        }
        outcome.summary.songs = total + whole.count - outcome.summary.skipped
        return (LibraryChanges(mount: mount, upserts: songs, removals: removals), discFiles)
    }

    private typealias ReadFile = (file: String, songs: [IndexedSong], isPlaylist: Bool)

    /// Reads cue sheets and the files that they name. These are hidden songs, unless the rules show them; a file of
    /// which no sheet makes a track stays a song of the tree, so that nothing is lost by wrong times.
    private func readDiscs(
        _ plan: FolderPlan, known: KnownSongs, skipped: inout Int
    ) async throws -> (songs: [IndexedSong], late: [String], whole: [ReadFile]) {
        var songs: [IndexedSong] = []
        var late: [String] = []
        var parted = plan.partedFiles
        var tags: [String: ScannedTags] = [:]
        for disc in plan.discsToRead {
            try Task.checkCancellation()
            let made = try await read(disc, known: known, skipped: &skipped)
            let paths = Set(made.songs.map(\.sourceID))
            parted.formUnion(disc.tracks.lazy.filter { paths.contains($0.path) }.map(\.file.path))
            songs += made.songs
            late += made.late
            for file in Set(disc.files.map(\.path)) where plan.isToHide(file) { tags[file] = made.tags[file] }
        }
        // Files that are not hidden are songs already.
        guard plan.hidesFiles else { return (songs, late, []) }
        songs += try await hidden(plan.toHide.filter { parted.contains($0.path) }, plan, read: tags, known: known)
        var unparted: [String: FoundFile] = [:]
        for file in plan.discsToRead.flatMap(\.files) where !parted.contains(file.path) { unparted[file.path] = file }
        let files = unparted.values.sorted { $0.path < $1.path }.map(plan.reading)
        return (songs, late, try await read(files, covered: parted, known: known, skipped: &skipped))
    }

    /// Files that are hidden, of which some were read already; those that can't be read are left out.
    private func hidden(
        _ files: [FoundFile], _ plan: FolderPlan, read tags: [String: ScannedTags], known: KnownSongs
    ) async throws -> [IndexedSong] {
        let firstSeen = try await firstSeen(files.map(\.path), known)
        var songs: [IndexedSong] = []
        for (file, stamp) in files.map(plan.reading) {
            var scanned = tags[file.path]
            if scanned == nil { scanned = try await self.tags(of: file, stamp: stamp) }
            guard let scanned else { continue }
            songs.append(hiddenSong(file, stamp: stamp, tags: scanned, added: firstSeen(file.path)))
        }
        return songs
    }

    /// A playlist as clients see it; a music file shows its time as a song.
    func playlist(_ file: FoundFile) -> FoundPlaylistFile {
        let isMusic = FolderWalk.musicSuffixes.contains(file.suffix)
        return FoundPlaylistFile(
            path: path(of: file.path), source: "\(root)/\(file.path)", modified: isMusic ? -1 : file.modified)
    }

    /// The path that clients use of a path below the music folder.
    func path(of path: String) -> String { mount.isEmpty ? path : "\(mount)/\(path)" }

    /// Reads some files, two at a time, in their order; those that fail are logged and left out. A file is one song, or
    /// the tracks of its cue sheet and the song that they hide.
    private func read(
        _ files: [(file: FoundFile, stamp: UInt32)], covered: Set<String>, known: KnownSongs, skipped: inout Int
    ) async throws -> [ReadFile] {
        let firstSeen = try await firstSeen(files.map(\.file.path), known)
        let found = try await files.concurrentMap(atMost: Self.readers) { file, stamp in
            try await self.tags(of: file, stamp: stamp)
        }
        var songs: [ReadFile] = []
        for (index, tags) in found.enumerated() {
            guard let tags else {
                skipped += 1
                continue
            }
            let (file, stamp) = files[index]
            let since = firstSeen(file.path)
            let isWhole = !cueSheets.makesSongs || covered.contains(file.path)
            // One track divides nothing, and has the file for its song.
            let sheet = tags.cueSheet.flatMap { $0.tracks.count > 1 ? $0 : nil }
            let disc = isWhole ? nil : sheet.map { DiscTracks($0, in: file, stamp: stamp) }
            if let disc, case let tracks = try await tracks(of: disc, [file.path: tags], known: known),
                !tracks.isEmpty
            {
                let whole = hiddenSong(file, stamp: stamp, tags: tags, added: since)
                songs.append((file.path, tracks + [whole], true))
            } else {
                let hasSheet = !cueSheets.makesSongs && tags.cueSheet?.tracks.isEmpty == false
                songs.append((file.path, [song(file, stamp: stamp, tags: tags, added: since)], hasSheet))
            }
        }
        return songs
    }

    /// Reads the files of a cue sheet, and makes songs of their parts; returns also the tracks that are behind the end
    /// of their file, and the tags of the files.
    private func read(
        _ disc: DiscTracks, known: KnownSongs, skipped: inout Int
    ) async throws -> (songs: [IndexedSong], late: [String], tags: [String: ScannedTags]) {
        for problem in disc.problems { logger.warning("\(root)/\(disc.sheet.path): \(problem)") }
        var tags: [String: ScannedTags] = [:]
        for file in disc.files { tags[file.path] = try await self.tags(of: file, stamp: disc.stamp) }
        let songs = try await tracks(of: disc, tags, known: known)
        skipped += disc.tracks.count - songs.count
        passedOver.stamps.withLock { $0[disc.sheet.path] = songs.count < disc.tracks.count ? disc.stamp : nil }
        let made = Set(songs.map(\.sourceID))
        let late = disc.tracks.filter { tags[$0.file.path] != nil && !made.contains($0.path) }
        return (songs, late.map(\.path), tags)
    }

    /// The tracks of a disc as songs; those that begin behind the end of their file are logged and left out.
    private func tracks(
        of disc: DiscTracks, _ tags: [String: ScannedTags], known: KnownSongs
    ) async throws -> [IndexedSong] {
        let firstSeen = try await firstSeen(disc.tracks.map(\.path), known)
        return disc.tracks.compactMap { track in
            guard let scanned = tags[track.file.path] else { return nil }
            guard let part = track.part(of: scanned) else {
                logger.warning("\(root)/\(track.path) is skipped: it begins after the end of \(track.file.path)")
                return nil
            }
            let whole = "\(root)/\(track.file.path)"
            let source = part.range.map { SongSource.localPart(path: whole, range: $0) } ?? .localFile(path: whole)
            var made = IndexedSong(
                mount: mount, sourceID: track.path, source: source, path: track.path, tags: part.tags.tags,
                duration: part.tags.duration, lastModified: track.file.modified, added: firstSeen(track.path),
                format: part.tags.format, replayGain: part.tags.replayGain, suffix: track.file.suffix,
                size: track.file.size, coverArtID: nil, hash: FolderPlan.hash(stamp: disc.stamp, tags: part.tags))
            made.wholeID = track.file.path
            return made
        }
    }

    private func song(_ file: FoundFile, stamp: UInt32, tags: ScannedTags, added: Int64) -> IndexedSong {
        IndexedSong(
            mount: mount, sourceID: file.path, source: .localFile(path: "\(root)/\(file.path)"), path: file.path,
            tags: tags.tags, duration: tags.duration, lastModified: file.modified, added: added,
            format: tags.format, replayGain: tags.replayGain, suffix: file.suffix, size: file.size, coverArtID: nil,
            hash: FolderPlan.hash(stamp: stamp, tags: tags))
    }

    private func hiddenSong(_ file: FoundFile, stamp: UInt32, tags: ScannedTags, added: Int64) -> IndexedSong {
        var made = song(file, stamp: FolderPlan.hidden(stamp), tags: tags, added: added)
        made.isHidden = true
        return made
    }

    /// When songs of these paths came into the library, which a file does not tell: now, unless they are known.
    private func firstSeen(_ paths: [String], _ known: KnownSongs) async throws -> (_ path: String) -> Int64 {
        let known = paths.compactMap { path in known[path].map { (path, $0.id) } }
        var added: [String: Int64] = [:]
        if !known.isEmpty {
            for ((path, _), song) in zip(known, try await index.songs(known.map(\.1))) { added[path] = song?.added }
        }
        let now = Int64(Date().timeIntervalSince1970)
        return { added[$0] ?? now }
    }

    /// The tags of a file, nil for one that can't be read, which is logged; a `CancellationError` says nothing of the
    /// file.
    private func tags(of file: FoundFile, stamp: UInt32) async throws -> ScannedTags? {
        let path = "\(root)/\(file.path)"
        let reader = reader
        do {
            guard file.size > 0 else { throw EmptyFile() }
            let tags = try await onThread { try reader.read(path: path) }
            passedOver.stamps.withLock { $0[file.path] = nil }
            passedOver.outOfReach.withLock { _ = $0.remove(file.path) }
            await forget(slow: file.path)
            return tags
        } catch let error as CancellationError {
            throw error
        } catch let error as UnreadFile where error.obstacle == .outOfReach {
            let isNew = passedOver.outOfReach.withLock { $0.insert(file.path).inserted }
            logger.log(level: isNew ? .warning : .debug, "\(path) is skipped for now: \(chain: error)")
            return nil
        } catch {
            if error is UnreadFile {
                await remember(slow: file.path, stamp: stamp)
            } else {
                passedOver.stamps.withLock { $0[file.path] = stamp }
            }
            logger.warning("\(path) is skipped: \(chain: error)")
            return nil
        }
    }

    /// Keeps everything that is still under way from writing. Waits for a write, but never for the disk with the music.
    func stopWriting() async { await write.gate.close() }
}

/// A file without a single byte can't be music.
private struct EmptyFile: Error, CustomStringConvertible {
    var description: String { "it is empty" }
}

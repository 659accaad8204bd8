import LibraryIndex
import Logging
import MusicModel
import Synchronization

/// A folder of music, or a part of it, as a source of songs.
struct FolderSync: SyncSource {
    typealias Start = Void

    struct Walked: Sendable {
        /// The playlist files that are there; nil where some folder could not be read, which may have others.
        var playlists: [FoundPlaylistFile]?
        var folder: String
    }

    let name = "music folder"
    let scan: LocalFolderScan
    let observer: SyncObserver

    var write: Phase4Write { scan.write }
    /// A folder has nothing that tells cheaply.
    func compare(_ request: SyncRequest) -> SyncComparison<Start> { .walk(()) }

    func walk(from start: Start, _ request: SyncRequest) async throws -> SyncWalk<Walked> {
        let start = try await scan.start(of: request.start)
        let findings = try await scan.find(below: start)
        let discs = try await scan.discs(in: findings, below: start)
        let known = try await scan.index.knownSongs(mount: scan.mount)
        var ending = SyncEnding()
        if findings.files.isEmpty, findings.unreadable.isEmpty, request.start.isEmpty, !known.isEmpty,
            !request.acceptsLoss
        {
            scan.logger.warning(
                """
                the music folder \(scan.root) is empty but \(known.count) songs were there before; they stay in the \
                library until `rescan`, in case a disk is missing
                """
            )
            ending.outcome.summary.songs = known.count
            return SyncWalk(ending: ending)
        }
        try await scan.recallSlowFiles()
        let plan = FolderPlan(
            findings: findings, known: known, below: start, rescan: request.force,
            passedOver: scan.passedOver.stamps.withLock { $0 }, discs: discs, listed: try await scan.listedFiles(),
            charset: scan.cueSheets.tagCharset)
        let (changes, discFiles) = try await scan.read(plan, known: known, observer: observer, &ending.outcome)
        // A folder that can't be read now may have playlists that are still there.
        let files = findings.playlists + findings.files.filter { discFiles.contains($0.path) }
        let playlists = findings.unreadable.isEmpty ? files.map(scan.playlist) : nil
        let folder = start.isEmpty ? "" : scan.path(of: start)
        return SyncWalk(ending: ending, found: (changes, Walked(playlists: playlists, folder: folder)))
    }

    func finish(_ walked: Walked, _ outcome: inout SourceOutcome) async throws {
        if let playlists = walked.playlists {
            outcome.changedPlaylistFiles = try await write.playlistFiles(
                playlists, mount: scan.mount, below: walked.folder)
        }
        // Of a folder that is being taken out nothing is told but that.
        try Task.checkCancellation()
    }

    func exchange(after songs: SyncSummary) -> Bool { false }
}

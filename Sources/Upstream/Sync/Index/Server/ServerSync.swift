import LibraryIndex
import Logging
import MusicModel
import Subsonic
import UserLibrary

/// The server as a source of songs, and of what its user made of them.
struct ServerSync: SyncSource {
    struct Start: Sendable {
        var status: ScanStatus?
        var isFirst: Bool
        var hasScanStatus = true
        var libraries = Phase1CompareScanStatus.Libraries()
        /// The sheets in the user's folder, of discs that the server shows as one song.
        var cueFolder = CueFolder()
        /// Those in tags, if the comparison has read them.
        var tagged: TaggedReading?
        /// True if all songs are to be read, as a part doesn't do.
        var wantsAll = true
    }

    /// A walk that adds up.
    struct Walked: Sendable {
        var diff: Phase3Diff
        var details: CatalogDetails
        var status: ScanStatus?
        var count: Int
        var isPart = false
        /// When a scan touched an album last before the walk, in Unix milliseconds; nil where the server doesn't tell.
        var lastTouch: Int64?
        var libraries: Phase1CompareScanStatus.Libraries
        /// The sheets in tags that made songs.
        var tagged: TaggedSheets
        /// The fact that tells of all sheets.
        var sheetStamp: String
        /// The value of `markClock` before the walk.
        var clock: Int64
    }

    let name = "library"
    let client: SubsonicClient
    /// The way to Navidrome's own API, which tells more of songs, and which of them changed; nil does without.
    let session: NavidromeSession?
    let mount: String
    let library: Library
    let settings: SyncSettings
    let observer: SyncObserver
    let logger: Logger

    var write: Phase4Write { Phase4Write(index: library.index) }

    var comparison: Phase1CompareScanStatus {
        Phase1CompareScanStatus(client: client, library: library, mount: mount)
    }

    func isFirst() async throws -> Bool { try await !comparison.hasBeenComplete() }

    /// True if the server has scanned since the index was last complete; false while it scans, or where that is
    /// unknown.
    func hasScanned() async throws -> Bool {
        if case .changed = try await comparison.run().verdict { true } else { false }
    }

    // MARK: 1. Comparing

    func compare(_ request: SyncRequest) async throws -> SyncComparison<Start> {
        guard let cueFolder = try await cueFolder() else {
            return .ended(SyncEnding(postponement: "the folder with cue sheets can't be read"))
        }
        let known = try await library.fact(sheetsKey) ?? CueFolder().stamp
        var tagged: TaggedReading?
        var hasNewSheets = known != sheetStamp(cueFolder)
        if hasNewSheets, known == sheetStamp(cueFolder, isPending: true) {
            let reading = try await taggedSheets(isRepeated: true)
            hasNewSheets = reading.isPending ? false : try await hasChanged(reading.sheets)
            tagged = reading
        }
        var request = request
        request.force = request.force || hasNewSheets
        switch try await compareStatus(request) {
        case .ended(let ending):
            if let tagged, !tagged.isPending, !hasNewSheets {
                try await remember(tagged.sheets, stamp: sheetStamp(cueFolder))
            }
            return .ended(ending)
        case .walk(var start):
            start.cueFolder = cueFolder
            start.tagged = tagged
            start.wantsAll = start.wantsAll || hasNewSheets || known != sheetStamp(cueFolder) || request.acceptsLoss
            return .walk(start)
        }
    }

    private func compareStatus(_ request: SyncRequest) async throws -> SyncComparison<Start> {
        let isFirst = try await isFirst()
        let (verdict, libraries) = try await comparison.run()
        switch verdict {
        case .unchanged(let status) where !request.force: return .ended(Self.unchanged(status))
        case .scanning where !isFirst:
            return .ended(SyncEnding(postponement: "the server is scanning its files", isCheapToRepeat: true))
        case .changed(let status) where Self.hasNeverScanned(status) && !isFirst && !request.acceptsLoss:
            return .ended(
                SyncEnding(
                    postponement: "the server has a new database and has not scanned its files", isCheapToRepeat: true))
        case .changed(let status) where request.mayWait && !isFirst && !request.force && !libraries.areOthers:
            if try await comparison.hasSameCount(status) { return .ended(Self.unchanged(status)) }
            return .walk(Start(status: status, isFirst: false, libraries: libraries, wantsAll: false))
        case .changed(let status) where !isFirst && !libraries.areOthers:
            return .walk(Start(status: status, isFirst: false, libraries: libraries, wantsAll: false))
        case .unchanged(let status), .changed(let status), .scanning(let status):
            return .walk(Start(status: status, isFirst: isFirst, libraries: libraries))
        case .unknown:
            return .walk(Start(status: nil, isFirst: isFirst, hasScanStatus: false, libraries: libraries))
        }
    }

    private static func unchanged(_ status: ScanStatus) -> SyncEnding {
        var ending = SyncEnding()
        ending.outcome.summary.wasUnchanged = true
        ending.outcome.summary.songs = status.count ?? 0
        return ending
    }

    /// True if the server knows no files yet, as after its database was deleted. It has not lost its songs.
    private static func hasNeverScanned(_ status: ScanStatus) -> Bool {
        status.count == 0 && (status.lastScan?.hasPrefix("0001-") ?? false)
    }

    // MARK: 2 and 3. Walking until it adds up

    func walk(from start: Start, _ request: SyncRequest) async throws -> SyncWalk<Walked> {
        if let part = try await walkTouchedAlbums(from: start) { return part }
        return try await walkAll(from: start, request)
    }

    /// Walks until a walk is true to the library, at most as often as the settings say.
    private func walkAll(from start: Start, _ request: SyncRequest) async throws -> SyncWalk<Walked> {
        var ending = SyncEnding(hasScanStatus: start.hasScanStatus)
        var before = start.status
        var miscount: Int?
        let clock = try await library.markClock()
        let reading = if let tagged = start.tagged { tagged } else { try await taggedSheets(isRepeated: false) }
        let sheets = DiscSheets(folder: start.cueFolder, tagged: reading.sheets)
        let surplus = try await comparison.surplus()
        for attempt in 1...settings.walkAttempts {
            let (details, lastTouch) = try await details()
            let mapping = SongMapping(mount: mount, details: details, sheets: sheets)
            var diff = Phase3Diff(known: try await library.index.knownSongs(mount: mount))
            let total = before?.isScanning == false ? before?.count : nil
            ending.outcome.summary.skipped = try await fill(
                &diff, total: total, mapping: mapping, asItGoes: start.isFirst ? { ending.outcome.add($0) } : nil)
            ending.outcome.summary.songs = diff.count
            let after = try await client.scanStatus()
            let hidden = after?.count.map { $0.subtractingClamped(diff.count) } ?? 0
            let isAll = hidden > 0 && hidden != surplus && diff.count > 0 ? try await sees(diff.count) : false
            let check = WalkCheck(
                before: before, after: after, diff: diff, earlierMiscount: miscount,
                surplus: isAll ? hidden : surplus, seesNothing: start.seesNothing(knowing: diff.knownCount))
            switch check.verdict {
            case .adds:
                if let reason = try await doubt(diff, status: after, start, request) {
                    ending.postponement = reason
                    return SyncWalk(ending: ending)
                }
                let walked = Walked(
                    diff: diff, details: details, status: after, count: diff.count, lastTouch: lastTouch,
                    libraries: start.libraries, tagged: reading.sheets,
                    sheetStamp: sheetStamp(start.cueFolder, isPending: reading.isPending), clock: clock)
                return SyncWalk(ending: ending, found: (diff.changes(of: mount), walked))
            case .contradicts(let count):
                throw contradiction(count)
            case .scanning:
                // A first scan may take hours: what is there is shown meanwhile.
                if start.isFirst { try await writeRest(of: &diff, &ending.outcome) }
                ending.postponement = "the server is scanning its files"
                return SyncWalk(ending: ending)
            case .moved(let reason):
                if start.isFirst { try await writeRest(of: &diff, &ending.outcome) }
                logger.info("\(reason); reading it again (\(attempt) of \(settings.walkAttempts))")
                miscount = diff.duplicates == 0 ? diff.count : nil
                before = after
            }
        }
        ending.postponement = "the library keeps changing while it is read"
        return SyncWalk(ending: ending)
    }

    private func contradiction(_ count: Int) -> SubsonicError {
        SubsonicError(
            .badAnswer,
            """
            \(client.shownAddress) reports \(count) songs, but lists none, by search or by album. Can its user \
            see a library?
            """)
    }

    /// Writes what a first walk found since the last batch.
    private func writeRest(of diff: inout Phase3Diff, _ outcome: inout SourceOutcome) async throws {
        if let applied = try await write.soFar(diff.takeChanged(), mount: mount) { outcome.add(applied) }
    }

    /// Phases 2 and 3; with `asItGoes` also phase 4 for what is new, batch by batch. Returns how many entries were
    /// skipped.
    private func fill(
        _ diff: inout Phase3Diff, total: Int?, mapping: SongMapping, asItGoes: ((AppliedChanges) -> Void)?
    ) async throws -> Int {
        var progress = ProgressReport("library", observer: observer, logger: logger)
        var lastTold: ContinuousClock.Instant?
        var isUnannounced = false
        // Also when the walk breaks off: what is written is there for clients.
        defer { if isUnannounced { observer.subsystemsChanged(.database) } }
        let walk = Phase2WalkSongs(client: client, settings: settings, memoryBudget: library.memoryBudget)
        return try await walk.run(total: total, mapping: mapping) { songs in
            diff.add(songs)
            progress.report(done: diff.count, total: total)
            guard let asItGoes, diff.changed.count >= settings.firstSyncBatch,
                let applied = try await write.soFar(diff.takeChanged(), mount: mount)
            else { return }
            asItGoes(applied)
            isUnannounced = lastTold.map { .now - $0 < .seconds(2) } ?? false
            guard !isUnannounced else { return }
            lastTold = .now
            observer.subsystemsChanged(.database)
        }
    }

    /// Why a walk that adds up shows so little that a fault of the server is likelier; nil if it does not.
    private func doubt(
        _ diff: Phase3Diff, status: ScanStatus?, _ start: Start, _ request: SyncRequest
    ) async throws -> String? {
        guard status?.count != diff.count, !request.acceptsLoss, !start.libraries.areOthers else { return nil }
        let earlier = try await library.fact(doubtKey).flatMap { Int($0) }
        guard case .doubtful(let reason) = diff.plausibility(earlier: earlier) else { return nil }
        try await library.setFact(doubtKey, String(diff.count))
        return "\(reason); the songs stay in the library (`rescan` accepts the loss)"
    }

    private var doubtKey: String { "sync.\(mount).doubtful" }

    // MARK: 4. After writing

    func finish(_ walked: Walked, _ outcome: inout SourceOutcome) async throws {
        try await comparison.remember(walked.status, listed: walked.count, walked.libraries)
        try await rememberReading(walked)
        try await remember(walked.tagged, stamp: walked.sheetStamp)
        if try await library.fact(doubtKey) != nil { try await library.setFact(doubtKey, nil) }
        try await takeMarks(of: walked)
    }

    /// Takes the stars, ratings and plays that a walk brought, after its songs are in the index.
    func takeMarks(of walked: Walked) async throws {
        let (diff, details, clock) = (walked.diff, walked.details, walked.clock)
        if !walked.isPart, diff.knownCount > 0, diff.removals.count == diff.knownCount {
            try await library.forgetServerCatalog()
        }
        var hasChanged = try await library.takeSongMarks(
            diff.marks, others: walked.isPart ? [] : .all, clock: clock)
        let lists = [(MarkedKind.album, details.albumMarks), (.artist, details.artistMarks)]
        // A server without such lists has nothing to say about them.
        for (kind, marks) in lists where !marks.isEmpty {
            let isChanged = try await library.takeMarks(of: kind, marks, isCatalog: !walked.isPart, clock: clock)
            hasChanged = hasChanged || isChanged
        }
        if hasChanged { observer.subsystemsChanged(.sticker) }
    }

    // MARK: 6. Exchanging

    func exchange(after songs: SyncSummary) async throws -> Bool {
        let playlists = PlaylistExchange(
            client: client, library: library, inFlight: settings.pagesInFlight, logger: logger)
        let result = try await playlists.run(songsChanged: songs.changedSongs)
        // An exchange that failed for one playlist is tried again with the next sync, and says nothing about the
        // server.
        if let failure = result.failure { logger.info("a playlist can't be synced yet: \(chain: failure)") }
        let stations = StationExchange(client: client, library: library, mount: mount)
        return try await stations.run() || result.isVisible
    }
}

extension ServerSync.Start {
    /// True if the user may see nothing of what the server counts: no library, and none before unless that is new.
    func seesNothing(knowing known: Int) -> Bool {
        libraries.seen == "" && !isFirst && (libraries.areOthers || known == 0)
    }
}

/// True if a finished walk is true to the library.
struct WalkCheck {
    enum Verdict: Hashable {
        case adds
        case moved(String)
        case scanning
        case contradicts(count: Int)
    }

    let before: ScanStatus?
    let after: ScanStatus?
    let diff: Phase3Diff
    /// The count of the walk before this one, if the server's count was all that was wrong with it.
    let earlierMiscount: Int?
    /// How many songs more than it listed the server counted at the last walk that was believed.
    var surplus: Int?
    var seesNothing = false

    var verdict: Verdict {
        if after?.isScanning == true { return .scanning }
        if diff.duplicates > 0 { return .moved("songs appeared twice: the library changed while it was read") }
        if diff.count == 0, !seesNothing, let count = after?.count, count > 0 { return .contradicts(count: count) }
        guard let before, let after else { return .adds }
        if before.isScanning || before.lastScan != after.lastScan {
            return .moved("the server scanned its files while the library was read")
        }
        // Servers count in their own ways: two walks that agree are believed.
        guard let count = after.count, count != diff.count, earlierMiscount != diff.count,
            surplus != count.subtractingClamped(diff.count)
        else { return .adds }
        return .moved("the server has \(count) songs but listed \(diff.count)")
    }
}

import LibraryIndex
import Logging
import MusicModel
import Subsonic
import UserLibrary

/// One sync with the server: the six phases in their order.
struct ServerSync {
    /// How the songs' part of a sync ended without an error.
    struct Ending {
        var outcome: SourceOutcome
        /// Why nothing was removed or marked as complete; nil when all is well.
        var postponement: String?
        /// Whether looking again is cheap: the server only has to end its scan.
        var isCheapToRepeat = false
        /// Whether the server can tell cheaply that nothing changed.
        var hasScanStatus = true
        /// How long the walk took; nil if there was none.
        var walkDuration: Duration?
    }

    let client: SubsonicClient
    let mount: String
    let library: Library
    let settings: SyncSettings
    let observer: SyncObserver
    let logger: Logger

    private var phase1: Phase1CompareScanStatus {
        Phase1CompareScanStatus(client: client, library: library, mount: mount)
    }

    private var phase4: Phase4Write { Phase4Write(library: library, mount: mount) }

    /// Whether the index has never held all of the server's songs.
    func isFirst() async throws -> Bool { try await !phase1.hasBeenComplete() }

    /// Whether the server has scanned since the index was last complete; false while it scans, or where nobody knows.
    func hasScanned() async throws -> Bool {
        if case .changed = try await phase1.run() { true } else { false }
    }

    /// Brings the songs of the index up to date: phases 1 to 4.
    ///
    /// - Parameters:
    ///   - force: walks even if the server says that nothing changed.
    ///   - acceptsLoss: believes a walk that shows much less than is known.
    ///   - mayWait: puts a walk off, unless the number of songs changed.
    /// - Throws: `SubsonicError`, `LibraryError`, `CancellationError`; the index is then as it was, or further on in
    ///   a first sync.
    func songs(force: Bool, acceptsLoss: Bool, mayWait: Bool = false) async throws -> Ending {
        let isFirst = try await isFirst()
        let start = ContinuousClock.now
        var ending: Ending
        switch try await phase1.run() {
        case .unchanged(let status) where !force: return unchanged(status)
        case .scanning where !isFirst:
            return Ending(
                outcome: SourceOutcome(), postponement: "the server is scanning its files", isCheapToRepeat: true)
        case .changed(let status) where Self.hasNeverScanned(status) && !isFirst && !acceptsLoss:
            return Ending(
                outcome: SourceOutcome(), postponement: "the server has a new database and has not scanned its files",
                isCheapToRepeat: true)
        case .changed(let status) where mayWait && !isFirst && !force:
            if try await phase1.hasSameCount(status) { return unchanged(status) }
            ending = try await walk(status: status, isFirst: isFirst, acceptsLoss: acceptsLoss)
        case .unchanged(let status), .changed(let status), .scanning(let status):
            ending = try await walk(status: status, isFirst: isFirst, acceptsLoss: acceptsLoss)
        case .unknown:
            ending = try await walk(status: nil, isFirst: isFirst, acceptsLoss: acceptsLoss)
            ending.hasScanStatus = false
        }
        ending.walkDuration = .now - start
        return ending
    }

    private func unchanged(_ status: ScanStatus) -> Ending {
        var outcome = SourceOutcome()
        outcome.summary.wasUnchanged = true
        outcome.summary.songs = status.count ?? 0
        return Ending(outcome: outcome)
    }

    /// Whether the server knows no files yet, as after its database was deleted. It has not lost its songs.
    private static func hasNeverScanned(_ status: ScanStatus) -> Bool {
        status.count == 0 && (status.lastScan?.hasPrefix("0001-") ?? false)
    }

    /// Phase 5, also when the server did not scan: playlists and stations change without.
    ///
    /// - Returns: whether the index's playlists changed, that of the stations among them.
    func playlists(after songs: SyncSummary) async throws -> Bool {
        let phase5 = Phase5Playlists(
            client: client, library: library, inFlight: settings.pagesInFlight, logger: logger)
        let isChanged = try await phase5.run(songsChanged: songs.changedSongs)
        return try await Phase5Stations(client: client, library: library, mount: mount).run() || isChanged
    }

    // MARK: Walking until it adds up

    /// Walks until a walk is true to the library, at most as often as the settings say.
    private func walk(status: ScanStatus?, isFirst: Bool, acceptsLoss: Bool) async throws -> Ending {
        var outcome = SourceOutcome()
        var before = status
        var miscount: Int?
        let clock = try await library.markClock()
        let details = try await Phase2WalkSongs(client: client, settings: settings).details()
        let mapping = SongMapping(mount: mount, details: details)
        for attempt in 1...settings.walkAttempts {
            var diff = Phase3Diff(known: try await library.index.knownSongs(mount: mount))
            let total = before?.isScanning == false ? before?.count : nil
            outcome.summary.skipped = try await fill(
                &diff, total: total, mapping: mapping, asItGoes: isFirst ? { outcome.add($0) } : nil)
            outcome.summary.songs = diff.count
            let after = try await client.scanStatus()
            switch WalkCheck(before: before, after: after, diff: diff, earlierMiscount: miscount).verdict {
            case .adds:
                let ending = try await finish(&diff, status: after, outcome: outcome, acceptsLoss: acceptsLoss)
                if ending.postponement == nil { try await takeMarks(of: diff, details, clock: clock) }
                return ending
            case .scanning: return Ending(outcome: outcome, postponement: "the server is scanning its files")
            case .moved(let reason):
                logger.info("\(reason); reading it again (\(attempt) of \(settings.walkAttempts))")
                miscount = diff.duplicates == 0 ? diff.count : nil
                before = after
            }
        }
        return Ending(outcome: outcome, postponement: "the library keeps changing while it is read")
    }

    /// Phases 2 and 3; with `asItGoes` also phase 4 for what is new, batch by batch.
    ///
    /// - Returns: how many entries were skipped.
    private func fill(
        _ diff: inout Phase3Diff, total: Int?, mapping: SongMapping, asItGoes: ((AppliedChanges) -> Void)?
    ) async throws -> Int {
        var progress = ProgressReport("library", observer: observer, logger: logger)
        var throttle = Throttle(interval: .seconds(2))
        var isUnannounced = false
        // Also when the walk breaks off: what is written is there for clients.
        defer { if isUnannounced { observer.subsystemsChanged(.database) } }
        let walk = Phase2WalkSongs(client: client, settings: settings)
        let tally = try await walk.run(total: total, mapping: mapping) { songs in
            diff.add(songs)
            progress.report(done: diff.count, total: total)
            guard let asItGoes, diff.changed.count >= settings.firstSyncBatch,
                let applied = try await phase4.soFar(&diff)
            else { return }
            asItGoes(applied)
            isUnannounced = !throttle.passes()
            if !isUnannounced { observer.subsystemsChanged(.database) }
        }
        return tally.skipped
    }

    /// Phase 4 of a walk that adds up, unless it shows so little that a fault is likelier.
    private func finish(
        _ diff: inout Phase3Diff, status: ScanStatus?, outcome: SourceOutcome, acceptsLoss: Bool
    ) async throws -> Ending {
        let key = "sync.\(mount).doubtful"
        if status?.count != diff.count, !acceptsLoss {
            let earlier = try await library.fact(key).flatMap { Int($0) }
            if case .doubtful(let reason) = diff.plausibility(earlier: earlier) {
                try await library.setFact(key, String(diff.count))
                return Ending(
                    outcome: outcome,
                    postponement: "\(reason); the songs stay in the library (`rescan` accepts the loss)")
            }
        }
        var outcome = outcome
        if let applied = try await phase4.finish(&diff) { outcome.add(applied) }
        try await phase1.remember(status)
        if try await library.fact(key) != nil { try await library.setFact(key, nil) }
        return Ending(outcome: outcome)
    }
}

/// Whether a finished walk is true to the library.
struct WalkCheck {
    enum Verdict: Hashable {
        case adds
        /// The library changed under the walk.
        case moved(String)
        /// The server scans, so that nothing can be checked.
        case scanning
    }

    let before: ScanStatus?
    let after: ScanStatus?
    let diff: Phase3Diff
    /// What the walk before this one counted against the server's count, if that was all that was wrong with it.
    let earlierMiscount: Int?

    var verdict: Verdict {
        if after?.isScanning == true { return .scanning }
        if diff.duplicates > 0 { return .moved("songs came twice: the library changed while it was read") }
        guard let before, let after else { return .adds }
        if before.isScanning || before.lastScan != after.lastScan {
            return .moved("the server scanned its files while the library was read")
        }
        // Servers count in their own ways: two walks that agree are believed.
        guard let count = after.count, count != diff.count, earlierMiscount != diff.count else { return .adds }
        return .moved("the server has \(count) songs but listed \(diff.count)")
    }
}

/// Lets something pass at most once in an interval; the first always.
struct Throttle {
    let interval: Duration
    private var last: ContinuousClock.Instant?

    init(interval: Duration) { self.interval = interval }

    mutating func passes() -> Bool {
        let now = ContinuousClock.now
        if let last, now - last < interval { return false }
        last = now
        return true
    }
}

import LibraryIndex
import Logging
import MusicModel

struct SyncRequest: Sendable {
    /// Checks every song even if the source says that nothing changed.
    var force = false
    /// Believes a source that shows much less than is known, and reads unchanged files again.
    var acceptsLoss = false
    /// Puts a walk off, unless the number of songs changed.
    var mayWait = false
    /// The path below the source's root that is checked; empty is all of it.
    var start = ""
}

struct SyncEnding: Sendable {
    var outcome = SourceOutcome()
    /// Why nothing was removed or marked as complete; nil when all is well.
    var postponement: String?
    /// True if checking again is cheap: the server only has to end its scan.
    var isCheapToRepeat = false
    /// True if the source can tell cheaply that nothing changed.
    var hasScanStatus = true
    /// How long the walk took; nil if there was none.
    var walkDuration: Duration?
}

enum SyncComparison<Start: Sendable>: Sendable {
    /// The source is checked; the value is what the comparison knows of it.
    case walk(Start)
    /// There is nothing to do, or not now.
    case ended(SyncEnding)
}

/// A source of songs, as far as the phases of a sync differ from source to source.
protocol SyncSource: Sendable {
    associatedtype Start: Sendable
    /// The result of a walk for the end, once its changes are written.
    associatedtype Walked: Sendable

    var name: String { get }
    var write: Phase4Write { get }

    /// Phase 1: finds out whether there is anything to check.
    func compare(_ request: SyncRequest) async throws -> SyncComparison<Start>
    /// Phases 2 and 3: walks the source and compares what it has with the index. A first sync may write on the way.
    func walk(from start: Start, _ request: SyncRequest) async throws -> SyncWalk<Walked>
    /// The end of phase 4: keeps what the next comparison needs, and what else the walk brought.
    func finish(_ walked: Walked, _ outcome: inout SourceOutcome) async throws
    /// Phase 6: exchanges with the source what people made of the songs; true if clients see other playlists than
    /// before.
    func exchange(after songs: SyncSummary) async throws -> Bool
}

struct SyncWalk<Walked: Sendable>: Sendable {
    var ending: SyncEnding
    /// The changes to write, and the rest for `finish`; nil after a walk that is not believed.
    var found: (changes: LibraryChanges, walked: Walked)?
}

/// The phases of every sync in their order, whatever the source.
///
/// 1. Compare: has anything changed since the index was last complete?
/// 2. Walk: read what the source has.
/// 3. Diff: which songs are new, changed or gone?
/// 4. Write: in one transaction; a first sync in several.
/// 5. Publish: tell clients, before anything else can fail.
/// 6. Exchange: playlists and stations, which change without a scan.
struct SyncPhases {
    let observer: SyncObserver
    let logger: Logger

    /// Runs them all. After an error the index is as it was, or further on in a first sync.
    func run(_ source: some SyncSource, _ request: SyncRequest) async throws -> SyncEnding {
        var ending = try await songs(source, request)
        publish(ending.outcome, of: source.name)
        guard ending.postponement == nil else { return ending }
        if try await source.exchange(after: ending.outcome.summary) {
            ending.outcome.summary.playlistsChanged = true
            observer.subsystemsChanged(.storedPlaylist)
        }
        return ending
    }

    /// Phase 5, also for what is written without a walk.
    func publish(_ outcome: SourceOutcome, of source: String) {
        Phase5Publish(observer: observer, logger: logger).run(outcome, source: source)
    }

    /// Phases 1 to 4.
    private func songs<Source: SyncSource>(_ source: Source, _ request: SyncRequest) async throws -> SyncEnding {
        let began = ContinuousClock.now
        let start: Source.Start
        switch try await source.compare(request) {
        case .ended(let ending): return ending
        case .walk(let from): start = from
        }
        let walk = try await source.walk(from: start, request)
        var ending = walk.ending
        if let (changes, walked) = walk.found {
            if let applied = try await source.write.finish(changes) { ending.outcome.add(applied) }
            try await source.finish(walked, &ending.outcome)
        }
        ending.walkDuration = .now - began
        return ending
    }
}

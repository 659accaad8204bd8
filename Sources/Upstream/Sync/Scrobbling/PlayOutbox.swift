import Coordination
import Logging
import MusicModel
import Subsonic
import UserLibrary

/// Sends plays that wait in the index to the server, oldest first, and deletes them after the answer.
actor PlayOutbox {
    private let library: Library
    private let server: PlayServer
    private let settings: ScrobbleSettings
    private let clock: any ServiceClock
    private let logger: Logger
    nonisolated let alarm: Alarm
    nonisolated let figures = Figures(PlayFigures())
    private var doubts = Doubts()
    /// Plays that the server refused while it took others.
    private var refusals = EditFaults<WaitingPlay>()
    /// Failures of the server itself in a row.
    private var serverErrors = 0
    private var isWaitingLogged = false

    /// Plays of which it isn't known whether the server counted them.
    private struct Doubts {
        /// Plays that were answered but could not be deleted; they are never sent again.
        var answered: Set<Int64> = []
        /// Plays that the server may have counted although it did not say so.
        var uncertain: Set<Int64> = []
        /// True if that was found out of the plays that an earlier run of the program left.
        var hasAskedForEarlier = false
    }

    init(
        _ library: Library, _ server: PlayServer, _ settings: ScrobbleSettings, _ clock: any ServiceClock,
        _ logger: Logger
    ) {
        (self.library, self.server, self.settings, self.clock) = (library, server, settings, clock)
        self.logger = logger
        alarm = Alarm(clock: clock)
    }

    private enum Outcome {
        case empty
        /// Plays wait; the server may have said for how long.
        case failed(retryAfter: Duration?)
        case closed
    }

    /// The meaning of an error for the plays of a request.
    private enum Verdict {
        /// The server can't be used now; every play would fail.
        case outage
        /// The server did not like something; other plays may fare better.
        case refused
        /// The server has no such song and never will.
        case hopeless
        case closed
    }

    /// The number of failures of the server itself after which plays are tried one by one: one of them may be what
    /// breaks it.
    private static let patienceWithServer = 3

    func drain() async {
        var failures = 0
        while !Task.isCancelled {
            var pause: Duration?
            switch await sendWaiting() {
            case .empty:
                failures = 0
            case .failed(let retryAfter):
                failures += 1
                pause = max(settings.retryDelay(after: failures), retryAfter ?? .zero)
            case .closed:
                return
            }
            server.noteWaiting(pause != nil)
            await alarm.wait(atMost: pause)
        }
    }

    private func sendWaiting() async -> Outcome {
        while !Task.isCancelled {
            do {
                let plays = try await nextBatch()
                if plays.isEmpty {
                    doubts.hasAskedForEarlier = true
                    return .empty
                }
                let failure = await sendOnce(plays)
                if let failure { return failure }
                if plays.count == settings.batchSize { try await clock.sleep(for: settings.batchPause) }
            } catch is CancellationError {
                return .empty
            } catch {
                logger.error("the outbox of plays can't be read: \(chain: error)")
                return .failed(retryAfter: nil)
            }
        }
        return .empty
    }

    private func nextBatch() async throws -> [WaitingPlay] {
        if !doubts.answered.isEmpty {
            try await library.removePlays(doubts.answered.sorted())
            doubts.answered = []
        }
        return try await library.waitingPlays(limit: settings.batchSize)
    }

    /// Sends some plays, but none that the server has counted already though its answer got lost; nil if all are dealt
    /// with.
    private func sendOnce(_ plays: [WaitingPlay]) async -> Outcome? {
        // Only the oldest plays can have been under way when the program ended.
        if !doubts.hasAskedForEarlier { doubts.uncertain.formUnion(plays.map(\.id)) }
        let waiting: [WaitingPlay]
        do {
            waiting = try await withoutCounted(plays)
        } catch {
            return verdict(error) == .closed ? .closed : wait(for: error)
        }
        doubts.hasAskedForEarlier = true
        return waiting.isEmpty ? nil : await send(batch: waiting)
    }

    /// Takes out plays that the server counted. Newer ones list all plays. Others keep when each song was played last,
    /// and get plays in their order: what is not later than a play of which they know the very time has been counted.
    private func withoutCounted(_ plays: [WaitingPlay]) async throws -> [WaitingPlay] {
        let asked = plays.filter { doubts.uncertain.contains($0.id) }
        var counted = try await listed(asked)
        // A list without them may be one that is switched off.
        let others = asked.filter { !counted.contains($0) }
        for (song, ofSong) in Dictionary(grouping: others, by: \.serverSongID) {
            do {
                if let last = try await server.lastPlay(song),
                    let place = ofSong.lastIndex(where: { $0.startedAt.subtractingClamped(last).magnitude < 1000 })
                {
                    counted += ofSong[...place]
                }
            } catch let error as SubsonicError where !error.isTransient && error.code != .closed {
                // A server that can't tell is asked to count it, as before.
            }
        }
        doubts.uncertain.subtract(asked.map(\.id))
        guard !counted.isEmpty else { return plays }
        figures.change { $0.sent += counted.count }
        logger.info("\(counted.count) plays had reached the server although its answers were lost")
        await remove(counted)
        let ids = Set(counted.map(\.id))
        return plays.filter { !ids.contains($0.id) }
    }

    /// The plays that stand in the server's list of all plays; none where it has no such list.
    private func listed(_ plays: [WaitingPlay]) async throws -> [WaitingPlay] {
        let times = plays.map { $0.startedAt / 1000 }
        guard let first = times.min(), let last = times.max() else { return [] }
        do {
            let known = Set(try await server.plays(first...last))
            return plays.filter { known.contains(NavidromePlay(songID: $0.serverSongID, time: $0.startedAt / 1000)) }
        } catch let error as SubsonicError where error.code != .closed {
            return []
        }
    }

    /// Takes note that the server may have counted plays of which it did not say so.
    private func noteUncertainty(_ plays: [WaitingPlay], _ error: any Error) {
        switch (error as? SubsonicError)?.code {
        case .unreachable, .timedOut, .badAnswer, .server, .closed, nil: doubts.uncertain.formUnion(plays.map(\.id))
        default: break
        }
    }

    /// Sends some plays together, or one by one if the server does not take them so; nil if all are dealt with.
    private func send(batch plays: [WaitingPlay]) async -> Outcome? {
        do {
            try await send(plays)
            return nil
        } catch {
            switch verdict(error) {
            case .closed: return .closed
            case .outage: return wait(for: error)
            case .refused, .hopeless: return await sendSingly(plays)
            }
        }
    }

    private func sendSingly(_ plays: [WaitingPlay]) async -> Outcome? {
        refusals.beginRound()
        do {
            for play in plays {
                do {
                    try await send([play])
                    refusals.taken()
                } catch let error as SubsonicError {
                    switch verdict(error) {
                    case .closed: return .closed
                    case .outage: throw error
                    case .hopeless: await giveUp(play, error)
                    case .refused: try refusals.passOver(play, error)
                    }
                }
            }
            for (play, error) in refusals.endRound() { await giveUp(play, error) }
            try refusals.throwFailure()
            return nil
        } catch { return wait(for: error) }
    }

    private func giveUp(_ play: WaitingPlay, _ error: any Error) async {
        logger.warning("discarding a play of song \(play.serverSongID): \(chain: error)")
        figures.change { $0.givenUp += 1 }
        await remove([play], areCounted: false)
    }

    /// Sends plays and deletes them. A request that is under way when the program ends gets a moment to finish.
    private func send(_ plays: [WaitingPlay]) async throws {
        let submit = server.submit
        let (clock, grace) = (clock, settings.grace)
        let request = Task {
            try await submit(plays.map { SubsonicPlay(id: $0.serverSongID, time: $0.startedAt) })
        }
        do {
            try await withTaskCancellationHandler {
                try await request.value
            } onCancel: {
                Task {
                    try? await clock.sleep(for: grace)
                    request.cancel()
                }
            }
        } catch {
            noteUncertainty(plays, error)
            throw error
        }
        figures.change { $0.sent += plays.count }
        await remove(plays)
        serverErrors = 0
        if isWaitingLogged { logger.info("plays reach the server again") }
        isWaitingLogged = false
    }

    private func remove(_ plays: [WaitingPlay], areCounted: Bool = true) async {
        let library = library
        let ids = plays.map(\.id)
        do {
            // In a task of its own: a cancellation between the answer and the deletion would send them again.
            try await Task { try await library.removePlays(ids, areCounted: areCounted) }.value
        } catch {
            logger.error("submitted plays can't be deleted: \(chain: error)")
            doubts.answered.formUnion(ids)
        }
    }

    private func wait(for error: any Error) -> Outcome {
        if !isWaitingLogged { logger.warning("plays wait until the server accepts them: \(chain: error)") }
        isWaitingLogged = true
        return .failed(retryAfter: (error as? SubsonicError)?.retryAfter)
    }

    private func verdict(_ error: any Error) -> Verdict {
        guard let error = error as? SubsonicError else { return .outage }
        switch error.code {
        case .closed: return .closed
        case .notFound: return .hopeless
        case .refused: return .refused
        case .server:
            serverErrors += 1
            return serverErrors > Self.patienceWithServer ? .refused : .outage
        // Whatever else is wrong is wrong for every play.
        default: return .outage
        }
    }
}

import Coordination
import Logging
import MusicModel
import Subsonic
import UserLibrary

extension Scrobbler {
    /// How a look into the outbox ended.
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

    /// A play that was refused so often while others were taken is given up.
    private static let mostRefusals = 5
    /// So many refusals in a row are the server's fault.
    private static let refusalsOfAnOutage = 3
    /// After so many failures of the server itself, plays are tried one by one: one of them may be what breaks it.
    private static let patienceWithServer = 3

    /// Sends what waits, oldest first, whenever something waits, until cancelled.
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
            noteWaiting(pause != nil)
            await alarm.wait(atMost: pause)
        }
    }

    private func sendWaiting() async -> Outcome {
        while !Task.isCancelled {
            do {
                let plays = try await nextBatch()
                if plays.isEmpty {
                    hasLookedBack = true
                    return .empty
                }
                let failure = await sendOnce(plays)
                if let failure { return failure }
                if plays.count == settings.batchSize { try await Task.sleep(for: settings.batchPause) }
            } catch is CancellationError {
                return .empty
            } catch {
                logger.error("the outbox of plays can't be read: \(chain: error)")
                return .failed(retryAfter: nil)
            }
        }
        return .empty
    }

    /// The oldest plays that have not been answered.
    private func nextBatch() async throws -> [WaitingPlay] {
        if !answered.isEmpty {
            try await library.removePlays(answered.sorted())
            answered = []
        }
        return try await library.waitingPlays(limit: settings.batchSize)
    }

    /// Sends some plays, but none that the server has counted already though its answer got lost.
    ///
    /// - Returns: nil if all are dealt with.
    private func sendOnce(_ plays: [WaitingPlay]) async -> Outcome? {
        // Only the oldest plays can have been under way when the program ended.
        if !hasLookedBack { uncertain.formUnion(plays.map(\.id)) }
        let waiting: [WaitingPlay]
        do {
            waiting = try await withoutCounted(plays)
        } catch {
            return verdict(error) == .closed ? .closed : wait(for: error)
        }
        hasLookedBack = true
        return waiting.isEmpty ? nil : await send(batch: waiting)
    }

    /// Takes out plays that the server counted. It keeps when each song was played last, and gets plays in their order:
    /// what is not later than a play of which it knows the very time has been counted.
    ///
    /// - Throws: `SubsonicError` when the server can't be asked.
    private func withoutCounted(_ plays: [WaitingPlay]) async throws -> [WaitingPlay] {
        var counted: [WaitingPlay] = []
        let asked = plays.filter { uncertain.contains($0.id) }
        for (song, ofSong) in Dictionary(grouping: asked, by: \.serverSongID) {
            do {
                if let last = try await lastPlay(song),
                    let place = ofSong.lastIndex(where: { $0.startedAt.subtractingClamped(last).magnitude < 1000 })
                {
                    counted += ofSong[...place]
                }
            } catch let error as SubsonicError where !error.isTransient && error.code != .closed {
                // A server that can't tell is asked to count it, as before.
            }
        }
        uncertain.subtract(asked.map(\.id))
        guard !counted.isEmpty else { return plays }
        figures.sent(counted.count)
        logger.info("\(counted.count) plays had reached the server though their answers were lost")
        await remove(counted)
        let ids = Set(counted.map(\.id))
        return plays.filter { !ids.contains($0.id) }
    }

    /// Takes note that the server may have counted plays of which it did not say so.
    private func noteUncertainty(_ plays: [WaitingPlay], _ error: any Error) {
        switch (error as? SubsonicError)?.code {
        case .unreachable, .timedOut, .badAnswer, .server, .closed, nil: uncertain.formUnion(plays.map(\.id))
        default: break
        }
    }

    /// Sends some plays together, or one by one if the server does not take them so.
    ///
    /// - Returns: nil if all are dealt with.
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
        var refused: [(play: WaitingPlay, error: any Error)] = []
        var inARow = 0
        var wasAnyTaken = false
        for play in plays {
            do {
                try await send([play])
                wasAnyTaken = true
                inARow = 0
            } catch {
                switch verdict(error) {
                case .closed: return .closed
                case .outage: return wait(for: error)
                case .hopeless: await giveUp(play, error)
                case .refused:
                    refused.append((play, error))
                    inARow += 1
                }
            }
            if inARow == Self.refusalsOfAnOutage, !wasAnyTaken { break }
        }
        // Only a server that takes other plays shows that the fault lies with this one.
        if wasAnyTaken {
            for (play, error) in refused { await countRefusal(of: play, error) }
        }
        return refused.first.flatMap { wait(for: $0.error) }
    }

    private func countRefusal(of play: WaitingPlay, _ error: any Error) async {
        refusals[play.id, default: 0] += 1
        if refusals[play.id, default: 0] >= Self.mostRefusals { await giveUp(play, error) }
    }

    private func giveUp(_ play: WaitingPlay, _ error: any Error) async {
        logger.warning("a play of song \(play.serverSongID) is given up: \(chain: error)")
        refusals[play.id] = nil
        figures.gaveUp()
        await remove([play], areCounted: false)
    }

    /// Sends plays and deletes them. A request that is under way when the program ends gets a moment to finish.
    private func send(_ plays: [WaitingPlay]) async throws {
        let submit = submit
        let grace = settings.grace
        let request = Task {
            try await submit(plays.map { SubsonicPlay(id: $0.serverSongID, time: $0.startedAt) })
        }
        do {
            try await withTaskCancellationHandler {
                try await request.value
            } onCancel: {
                Task {
                    try? await Task.sleep(for: grace)
                    request.cancel()
                }
            }
        } catch {
            noteUncertainty(plays, error)
            throw error
        }
        figures.sent(plays.count)
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
            answered.formUnion(ids)
        }
    }

    private func wait(for error: any Error) -> Outcome {
        if !isWaitingLogged { logger.warning("plays wait until the server takes them: \(chain: error)") }
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

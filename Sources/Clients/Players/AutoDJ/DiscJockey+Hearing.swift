import Discovery
import MusicModel
import Playback
import UserLibrary

extension DiscJockey {
    /// A pick that was left before so much of it was heard, and before its half, counts as skipped.
    private static let skippedBefore = Duration.seconds(30)
    /// How far the place in a song may be from the time heard before the listener must have moved in it.
    private static let seekTolerance = Duration.seconds(5)
    /// A song that stays silent for longer was not skipped for what it is.
    private static let maxSilence = Duration.seconds(5)
    /// The maximum number of songs in a row that can't be played, such as when a disk is gone.
    private static let maxFailures = 10
    private static let keptPicks = 10

    func follow(_ session: DJSession) {
        let (player, now) = (session.player, clock.now)
        let entry = player.current?.entry
        if let current = session.current, current.entry != entry?.id {
            session.current = nil
            ended(current, session, isGoingOn: entry != nil && player.isPlaying, now)
        }
        if let entry, session.current == nil {
            session.current = .init(entry: entry.id, song: entry.songID, duration: entry.duration)
            begin(session)
        }
        if player.hasBegun {
            session.current?.hasBegun = true
            session.heard.failuresInRow = 0
        }
        // A song whose server is away waits for its first sound as if it played.
        session.current?.clock.update(isPlaying: player.isPlaying && player.hasBegun, now)
        session.current?.silence.update(isPlaying: player.isPlaying && !player.hasBegun, now)
        if let current = session.current, let elapsed = player.status.elapsed {
            let difference = elapsed - current.clock.total(now)
            if difference > Self.seekTolerance { session.current?.wasSought = true }
        }
    }

    /// A song that plays without being a pick is the listener's choice.
    private func begin(_ session: DJSession) {
        guard let current = session.current, let song = current.song else { return }
        session.heard.hear(song)
        guard session.pick(of: current.entry) == nil else { return }
        session.choose(song)
        session.taste.skipsInRow = 0
        keepSeeds(session)
    }

    private func keepSeeds(_ session: DJSession) {
        let (saved, key) = (session.saved, session.partition.key)
        write("its seeds") { try await $0.saveDJ(saved, of: key) }
    }

    private func ended(
        _ current: DJSession.Current, _ session: DJSession, isGoingOn: Bool, _ now: ContinuousClock.Instant
    ) {
        let heard = current.clock.total(now)
        let hasFailed =
            session.player.lastFailed == current.entry
            || !current.hasBegun && current.silence.total(now) >= Self.maxSilence
        if hasFailed { return failed(current, session, now) }
        let half = current.duration.map { $0 / 2 } ?? Self.skippedBefore
        let isShort = heard < Self.skippedBefore && heard < half
        guard let pick = session.picks.removeValue(forKey: current.entry) else {
            if !isShort { session.taste.lastHeardToEnd = current.song }
            return
        }
        if isShort, isGoingOn, !current.wasSought {
            skipped(pick, session)
        } else {
            session.taste.skipsInRow = 0
            if !isShort { session.taste.lastHeardToEnd = pick.song }
            session.heardPicks.append(pick)
            finish(pick, .heard, session)
        }
    }

    /// A song that can't be played, or whose silence was enough for the listener, says nothing of what is liked.
    private func failed(_ current: DJSession.Current, _ session: DJSession, _ now: ContinuousClock.Instant) {
        if let song = current.song { session.heard.fail(song, now) }
        session.heard.failuresInRow += 1
        if session.player.current == nil, session.player.count > 0, session.heard.failuresInRow < Self.maxFailures {
            // The waiting songs failed before others were added: playback continues with those.
            (session.isWanted, session.beginsPlaying) = (true, true)
        }
        guard let pick = session.picks.removeValue(forKey: current.entry) else { return }
        session.heardPicks.append(pick)
        finish(pick, .failed, session)
    }

    /// After two skips in a row picks stay near to what was last heard to its end, from the third on further away.
    private func skipped(_ pick: SavedPick, _ session: DJSession) {
        session.history.note(.skipped(pick, before: session.saved))
        session.taste.refused.insert(pick.song)
        session.heardPicks.append(pick)
        session.taste.skipsInRow += 1
        finish(pick, .skipped, session)
        guard session.taste.skipsInRow >= 2 else { return }
        if session.taste.skipsInRow == 2, let song = session.taste.lastHeardToEnd {
            session.saved.seeds = [song]
            keepSeeds(session)
        }
        say(
            session.taste.skipsInRow == 2 ? "two skips: picking anew" : "another skip: picking from further away",
            in: session
        )
        startAgain(session)
    }

    func finish(_ pick: SavedPick, _ outcome: PickOutcome, _ session: DJSession) {
        let key = session.partition.key
        write("what became of a pick", changesStickers: outcome == .skipped) {
            try await $0.finishPick(pick, of: key, outcome)
        }
    }

    /// Notes picks that are gone from the queue, or all that was if the queue was emptied.
    func noticeRemovals(_ session: DJSession) {
        let player = session.player
        for pick in session.picks.values where pick.entry != session.current?.entry {
            guard player.position(of: pick.entry) == nil else { continue }
            session.picks[pick.entry] = nil
            session.taste.refused.insert(pick.song)
            finish(pick, .removed, session)
        }
        session.heardPicks.removeAll { player.position(of: $0.entry) == nil }
        if player.count == 0, session.current == nil, !session.saved.seeds.isEmpty {
            session.begin()
            keepSeeds(session)
        }
    }

    /// Takes the picks that wait out of the queue; they were not turned down.
    func remove(waiting: [SavedPick], _ session: DJSession) {
        for pick in waiting {
            session.picks[pick.entry] = nil
            finish(pick, .removed, session)
        }
        remove(waiting.map(\.entry), session)
    }

    /// Removes picks that were heard from the queue, but for the last ten.
    func removeHeard(_ session: DJSession) {
        let surplus = session.heardPicks.count - Self.keptPicks
        guard surplus > 0 else { return }
        let entries = session.heardPicks.prefix(surplus).map(\.entry).filter { $0 != session.current?.entry }
        session.heardPicks.removeFirst(surplus)
        remove(entries, session)
    }

    private func remove(_ entries: [QueueEntryID], _ session: DJSession) {
        guard !entries.isEmpty else { return }
        Task { [player = session.player] in
            for entry in entries where player.current?.entry.id != entry {
                // One that a client removed meanwhile is gone already.
                _ = try? await player.edit { try $0.delete(id: entry) }
            }
        }
    }
}

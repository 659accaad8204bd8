import Discovery
import LibraryIndex
import Logging
import MPDCommands
import MusicModel
import Playback
import UserLibrary

extension DiscJockey {
    func refresh(_ session: DJSession) {
        guard session.saved.isOn, isOpen(session) else { return }
        noticeRemovals(session)
        removeHeard(session)
        let player = session.player
        let status = player.status
        moveBehindOthers(session, isRandom: status.isRandom)
        // Music plays by now; once the listener stops it, it stays so.
        if status.state != .stop { session.beginsPlaying = false }
        // Repeated songs follow each other without end, and after a single one playback stops.
        guard !status.isRepeating, status.single == .off, !session.isRefilling else { return }
        guard session.current != nil || session.isWanted || session.beginsPlaying else { return }
        let isReplacing = session.isReplacing && !session.waiting.isEmpty
        session.isReplacing = false
        let missing = missing(session, isReplacing: isReplacing)
        guard missing > 0 else {
            session.isWanted = false
            return
        }
        session.isRefilling = true
        let (request, epoch) = (request(session, isReplacing: isReplacing), session.epoch)
        let replaced = isReplacing ? session.waiting : []
        let adventure = session.taste.skipsInRow > 2 ? max(session.saved.adventure, 0.5) : session.saved.adventure
        Task {
            do {
                let answer = try await service.pick(missing, request, adventure: adventure)
                session.isRefilling = false
                guard session.epoch == epoch, session.saved.isOn else { return planRefresh(session) }
                try await add(answer, session)
                if !answer.picks.isEmpty {
                    remove(waiting: replaced.filter { $0.entry != session.current?.entry }, session)
                }
            } catch {
                (session.isRefilling, session.beginsPlaying) = (false, false)
                // Without its partition, or when the program ends, there may be no library to read.
                guard isOpen(session) else { return }
                log.error("the auto-DJ of \(session.partition.name) can't add songs: \(chain: error)")
            }
        }
    }

    private func missing(_ session: DJSession, isReplacing: Bool) -> Int {
        let player = session.player
        // Music that stopped begins with new songs: those of the queue were heard, or can't be played.
        if session.beginsPlaying, player.status.state == .stop { return settings.ahead }
        let following = player.following(settings.ahead) - (isReplacing ? session.waiting.count : 0)
        return settings.ahead - max(following, 0)
    }

    private func moveBehindOthers(_ session: DJSession, isRandom: Bool) {
        let (player, waiting) = (session.player, session.waiting)
        guard !isRandom, let last = player.entries.last?.id, !waiting.isEmpty, session.picks[last] == nil,
            last != session.current?.entry
        else { return }
        Task {
            for pick in waiting where player.count > 0 {
                // One that is gone meanwhile need not move.
                let (entry, last) = (pick.entry, player.count - 1)
                _ = try? await player.edit { try $0.move(id: entry, to: .absolute(last)) }
            }
        }
    }

    func request(_ session: DJSession, isReplacing: Bool) -> PickRequest {
        let player = session.player
        var request = PickRequest(mode: session.mode, now: UnixTime.seconds)
        request.current = session.current?.song
        let upcoming = player.upcoming(settings.ahead + 1)
        request.unavailable = session.taste.refused.union(upcoming).subtracting(
            [session.current?.song].compactMap { $0 }
        )
        .union(session.heard.failed(clock.now))
        let replaced = isReplacing ? Set(session.waiting.map(\.song)) : []
        let before = upcoming.dropFirst(session.current == nil ? 0 : 1).filter { !replaced.contains($0) }
        request.lineup = session.heard.lineup + before
        request.anchors = session.anchors
        request.wish = session.wish
        request.isLevelled = player.replayGainMode != .off && player.settings.measuredGain != nil
        request.turnedDown = session.taste.refused
        if request.anchors.isEmpty, let last = request.lineup.last(where: { !session.taste.refused.contains($0) }) {
            request.anchors = [last: 1]
        }
        return request
    }

    /// Begins with the first pick where a listener waits for music.
    private func beginPlaying(_ entries: [QueueEntryID], _ session: DJSession) {
        guard session.beginsPlaying else { return }
        session.beginsPlaying = false
        guard session.player.status.state == .stop, let first = entries.first else { return }
        // Without an output, or with a song that can't be played, the player says so itself.
        try? session.player.play(id: first)
    }

    private func add(_ answer: PickService.Answer, _ session: DJSession) async throws {
        session.isWanted = false
        guard !answer.picks.isEmpty else {
            session.beginsPlaying = false
            return say(
                answer.allowed == 0
                    ? "nothing to pick: every song is rated too low, disliked, too long or excepted"
                    : "nothing to pick: all songs wait in the queue already, or could not be played", in: session)
        }
        let candidates = answer.picks.map { QueueCandidate($0.song) }
        let entries = try await session.player.edit(.entries(candidates.count)) { try $0.insert(candidates, at: nil) }
        beginPlaying(entries, session)
        var picks: [SavedPick] = []
        for (entry, pick) in zip(entries, answer.picks) {
            let saved = SavedPick(entry: entry, song: pick.song.id, why: pick.why)
            session.picks[entry] = saved
            picks.append(saved)
            say("added \(pick.title): \(pick.why)", in: session)
        }
        if answer.isOtherMode { say("nothing fits \(session.saved.mode); picking from the whole library", in: session) }
        if !answer.unmet.isEmpty {
            say(
                "nothing meets all of it; left out: \(answer.unmet.map(\.rawValue).joined(separator: ", "))",
                in: session)
        }
        session.history.note(.added(entries))
        session.why = picks.last?.why ?? ""
        let (key, explains) = (session.partition.key, settings.explains)
        write("its picks", changesStickers: explains) { [picks] in
            try await $0.addPicks(picks, of: key, explains: explains)
        }
        if settings.showsSwitch { session.player.outputSwitchChanged() }
    }
}

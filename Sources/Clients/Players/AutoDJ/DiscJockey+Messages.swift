import Discovery
import LibraryIndex
import Logging
import MusicModel
package import Playback
import ServerLoop
import UserLibrary

extension DiscJockey {
    private static let help =
        "say: on [MODE], off, mode MODE, seed URI, say WORDS, more, less, like, skip, why, stats, undo; modes are "
        + PickMode.allCases.map(\.rawValue).joined(separator: ", ")

    /// Does what a message says; answers come as messages.
    package func take(_ text: String, in partition: Partition) {
        guard let session = sessions[ObjectIdentifier(partition)] else { return }
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        let argument = parts.count > 1 ? parts[1] : nil
        switch (parts.first ?? "").lowercased() {
        case "on":
            if let argument { guard changeMode(argument, session) else { return } }
            if session.saved.isOn {
                say("on already, \(session.saved.mode)", in: session)
                if session.player.count == 0 { want(session) }
            }
            set(session, on: true)
        case "off":
            if !session.saved.isOn { say("off already", in: session) }
            set(session, on: false)
        case "mode":
            if let argument {
                _ = changeMode(argument, session)
            } else {
                say("mode \(session.saved.mode)", in: session)
            }
        case "seed": seed(argument, session)
        case "say", "prompt": prompt(argument, session)
        case "more": nearer(session)
        case "less": further(session)
        case "like": like(session)
        case "skip": skip(session)
        case "why": why(session)
        case "stats": tellOutcomes(session)
        case "undo": undo(session)
        default: say(Self.help, in: session)
        }
    }

    private func changeMode(_ word: String, _ session: DJSession) -> Bool {
        guard let mode = PickMode(rawValue: word) else {
            let modes = PickMode.allCases.map(\.rawValue).joined(separator: ", ")
            say("there is no mode \(word.prefix(utf8: 40)); there are \(modes)", in: session)
            return false
        }
        set(session, mode: mode)
        return true
    }

    func seed(_ uri: String?, _ session: DJSession) {
        guard let uri else { return say("name a song: seed URI", in: session) }
        attempt("look a song up") { [self] in
            guard let song = try await library.index.songID(at: uri) else {
                return say("there is no song \(uri.prefix(utf8: 200))", in: session)
            }
            session.namedSeed = (song, uri)
            takeSeeds([song], session)
            say("near \(try await title(song))", in: session)
        }
    }

    /// Takes a wish in words, such as `calm 90s jazz`; none is any music again.
    private func prompt(_ words: String?, _ session: DJSession) {
        guard let words else {
            session.reading.cancel()
            session.wish = nil
            startAgain(session)
            return say("any music again", in: session)
        }
        read(words, session) { _ in }
    }

    /// Has a wish read, and calls `told` once it takes effect; the task ends when it was read, failed or was replaced.
    @discardableResult
    func read(
        _ words: String, _ session: DJSession, told: @escaping @ServerActor @Sendable (ReadWish) -> Void
    ) -> Task<Void, Never> {
        if asksOfWishes { say("asking the prompt server", in: session) }
        return session.reading.replace { [weak self, weak session] in
            guard let self, let session else { return }
            defer { countThoseOn() }
            do {
                // Of wishes that follow each other at once only the last is asked about.
                if asksOfWishes { try await clock.sleep(for: Self.burst) }
                let read = try await service.wish(words)
                guard !Task.isCancelled else { return }
                take(read, session)
                told(read)
            } catch is CancellationError {
                // The listener wants something else by now, and has heard so.
            } catch {
                log.error("the auto-DJ can't read a wish: \(chain: error)")
            }
        }
    }

    private func take(_ read: ReadWish, _ session: DJSession) {
        say(read.sentence, in: session)
        guard !read.wish.isEmpty else { return }
        session.history.note(.wished(before: session.saved, session.wish))
        if session.player.count == 0 {
            // A queue that was emptied just now would be noticed later, and the wish forgotten with it.
            follow(session)
            noticeRemovals(session)
            session.isWanted = true
        }
        session.wish = read.wish
        if session.saved.isOn { startAgain(session) } else { set(session, on: true) }
    }

    /// Stays near the song that plays.
    private func nearer(_ session: DJSession) {
        guard let song = session.current?.song ?? currentSong(session) else { return say("nothing plays", in: session) }
        takeSeeds([song], session)
        tellTitle(song, "more like", session)
    }

    /// Leaves the song that plays, and turns away from it.
    private func further(_ session: DJSession) {
        guard let song = session.current?.song ?? currentSong(session) else { return say("nothing plays", in: session) }
        session.taste.refuse(song)
        takeSeeds(session.saved.seeds.filter { $0 != song }, session)
        tellTitle(song, "less like", session)
    }

    private func takeSeeds(_ seeds: [SongID], _ session: DJSession) {
        session.history.note(.changed(before: session.saved))
        session.saved.seeds = seeds
        keep(session)
        startAgain(session)
    }

    private func like(_ session: DJSession) {
        guard let song = currentSong(session) else { return say("nothing plays", in: session) }
        session.taste.like(song)
        let earlier = ActionHistory.EarlierSticker()
        session.history.note(.liked(song, earlier))
        write("a star", changesStickers: true) { library in
            earlier.keep(try await library.sticker("like", of: .song(song), isolation: nil))
            try await library.setSticker("like", of: .song(song), to: "2")
        }
        tellTitle(song, "starred", session)
    }

    private func skip(_ session: DJSession) {
        do { try session.player.next() } catch { say("nothing plays", in: session) }
    }

    private func why(_ session: DJSession) {
        guard let entry = session.player.current?.entry.id else { return say("nothing plays", in: session) }
        if let pick = session.pick(of: entry) { return tellTitle(pick.song, "because it \(pick.why):", session) }
        say("you chose it yourself", in: session)
    }

    private func tellOutcomes(_ session: DJSession) {
        let key = session.partition.key
        attempt("read its picks") { [self] in
            let counts = try await library.pickOutcomes(of: key)
            func count(_ outcome: PickOutcome) -> Int64 { counts[outcome] ?? 0 }
            say(
                "heard \(count(.heard)), skipped \(count(.skipped)), removed \(count(.removed)), "
                    + "failed \(count(.failed))", in: session)
        }
    }

    private func undo(_ session: DJSession) {
        if session.reading.cancel() { return say("took the wish back", in: session) }
        switch session.history.takeLast() {
        case nil: say("nothing to undo", in: session)
        case .added(let entries):
            let waiting = session.waiting.filter { entries.contains($0.entry) }
            for pick in waiting { session.taste.refused.insert(pick.song) }
            remove(waiting: waiting, session)
            planRefresh(session)
            say("took \(waiting.count) songs back", in: session)
        case .skipped(let pick, let before):
            session.taste.refused.remove(pick.song)
            session.taste.skipsInRow = 0
            session.saved.seeds = before.seeds
            write("a skip that was taken back", changesStickers: true) { try await $0.takeBackSkip(of: pick.song) }
            keep(session)
            tellTitle(pick.song, "the skip does not count:", session)
        case .changed(let before):
            let isOn = session.saved.isOn
            session.saved = before
            keep(session)
            if isOn != before.isOn { resumed(session) } else { startAgain(session) }
            say("back to \(before.isOn ? "on" : "off"), \(before.mode)", in: session)
        case .wished(let before, let wish): takeWishBack(to: before, wish, session)
        case .liked(let song, let earlier): takeLikeBack(song, earlier, session)
        }
    }

    private func takeLikeBack(_ song: SongID, _ earlier: ActionHistory.EarlierSticker, _ session: DJSession) {
        session.taste.unlike(song)
        // Behind the write of the star, which finds out what there was.
        write("a star that was taken back", changesStickers: true) { library in
            if let text = earlier.text {
                try await library.setSticker("like", of: .song(song), to: text)
            } else {
                try await library.deleteSticker("like", of: .song(song))
            }
        }
        tellTitle(song, "took the star back:", session)
    }

    /// Goes back to an earlier wish, or none, and to being off where it was.
    func takeWishBack(to before: SavedDJ, _ wish: PickWish?, _ session: DJSession) {
        let isOn = session.saved.isOn
        (session.wish, session.beginsPlaying) = (wish, false)
        session.saved.isOn = before.isOn
        keep(session)
        if isOn != before.isOn { resumed(session) } else { startAgain(session) }
        say(wish.map { "looking for \($0.sentence) again" } ?? "took the wish back", in: session)
    }

    private func currentSong(_ session: DJSession) -> SongID? { session.player.current?.entry.songID }

    private func tellTitle(_ song: SongID, _ text: String, _ session: DJSession) {
        attempt("look a title up") { [self] in say("\(text) \(try await title(song))", in: session) }
    }

    private func title(_ song: SongID) async throws -> String { try await service.titles(of: [song])[song] ?? "a song" }
}

package import Coordination
package import Discovery
package import Logging
package import MusicModel
package import Playback
package import ServerLoop
package import UserLibrary

/// Adds songs to the queues of partitions in which it is switched on, before they run out of songs. It adds behind
/// everything else, and moves or removes nothing but its own picks. What the listener puts on is what the picks stay
/// near to; skips and likes count. It follows players as an observer does, and picks off the event loop.
@ServerActor
package final class DiscJockey: PlayerObserver {
    /// The name of the output that switches it.
    package nonisolated static let outputName = "Auto DJ"
    /// The channel by which clients talk with it.
    package nonisolated static let channel = "dj"
    /// How long changes are gathered: a client that edits the queue changes it with each command.
    nonisolated static let burst = Duration.milliseconds(200)

    let settings: DJSettings
    let library: Library
    let service: PickService
    let asksOfWishes: Bool
    let log: Logger
    /// Lines for the clients of a partition, for one consumer that passes them on.
    package let messages: AsyncStream<(partition: String, text: String)>
    private let messageContinuation: AsyncStream<(partition: String, text: String)>.Continuation
    private(set) var sessions: [ObjectIdentifier: DJSession] = [:]
    let writing = SerialTasks()
    private let notifyStickers: @ServerActor () -> Void
    let clock: any ServiceClock
    private var isAnyOn = false

    /// Makes it; partitions tell it of themselves. Without `wishes` rules read wishes in words; `presence` knows which
    /// songs need no server, and `stickersChanged` is called when it wrote stickers.
    package init(
        _ settings: DJSettings, library: Library, likeness: ServerLikeness?, wishes: (any WishReading)?,
        presence: SongPresence? = nil, log: Logger, clock: any ServiceClock = ContinuousClock(),
        stickersChanged: @escaping @ServerActor () -> Void
    ) {
        self.clock = clock
        self.settings = settings
        self.library = library
        self.log = log
        notifyStickers = stickersChanged
        asksOfWishes = wishes != nil
        service = PickService(library, settings, likeness, wishes, presence)
        (messages, messageContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    // MARK: Following players

    package func opened(_ partition: Partition) {
        let saved = SavedDJ(mode: settings.mode.rawValue, adventure: settings.rules.adventure)
        let session = DJSession(partition, saved)
        sessions[ObjectIdentifier(partition)] = session
        partition.player.outputSwitch = self
    }

    package func restored(_ partition: Partition) {
        // Not before: its picks would seem to be gone from a queue that is still empty.
        guard let session = sessions[ObjectIdentifier(partition)] else { return }
        Task { await restore(session) }
    }

    package func closed(_ partition: Partition) {
        guard let session = sessions.removeValue(forKey: ObjectIdentifier(partition)) else { return }
        end(session)
        countThoseOn()
    }

    /// Stops adding songs, as the program ends. What is on stays on for the next run.
    package func stop() {
        let open = sessions.values
        sessions = [:]
        for session in open { end(session) }
        isAnyOn = false
    }

    private func end(_ session: DJSession) {
        session.epoch += 1
        session.reading.cancel()
    }

    /// True if songs may still be added for a session; picks come back after a while.
    func isOpen(_ session: DJSession) -> Bool { sessions[ObjectIdentifier(session.partition)] === session }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        if asksOfWishes, subsystems.contains(.queue), partition.player.count == 0,
            let session = sessions[ObjectIdentifier(partition)], session.reading.cancel()
        {
            say("forgot the wish, as the queue was emptied", in: session)
        }
        guard isAnyOn, !subsystems.isDisjoint(with: [.queue, .player, .options]),
            let session = sessions[ObjectIdentifier(partition)], session.saved.isOn
        else { return }
        follow(session)
        planRefresh(session)
    }

    /// The library's server is away: picks that wait and are not here make room for others.
    package func serverWentAway() {
        for session in sessions.values where session.saved.isOn {
            let songs = session.waiting.map(\.song)
            attempt("look songs up") { [self] in
                if try await service.lacks(songs), isOpen(session) { startAgain(session) }
            }
        }
    }

    /// Does what may fail for want of the library; why it did is for the log.
    func attempt(_ what: String, _ work: @escaping @ServerActor @Sendable () async throws -> Void) {
        Task {
            do { try await work() } catch { log.error("the auto-DJ can't \(what): \(chain: error)") }
        }
    }

    private func restore(_ session: DJSession) async {
        let key = session.partition.key
        do {
            let memory = try await library.djMemory(of: key, limit: HeardSongs.maxLineup)
            guard let memory, isOpen(session), !session.saved.isOn else { return }
            session.restore(memory)
        } catch {
            guard isOpen(session) else { return }
            log.error("what the auto-DJ of \(key.name) remembers can't be read: \(chain: error)")
            return
        }
        countThoseOn()
        guard session.saved.isOn else { return }
        follow(session)
        planRefresh(session)
        if settings.showsSwitch { session.player.outputSwitchChanged() }
    }

    func planRefresh(_ session: DJSession) {
        guard !session.isRefreshPlanned else { return }
        session.isRefreshPlanned = true
        Task { @ServerActor [weak self, clock] in
            try? await clock.sleep(for: Self.burst)
            session.isRefreshPlanned = false
            self?.refresh(session)
        }
    }

    // MARK: Switching

    /// True if clients see the switch.
    package var isShown: Bool { settings.showsSwitch }

    /// True if it is on in a partition.
    package func isOn(in partition: Partition) -> Bool { sessions[ObjectIdentifier(partition)]?.saved.isOn ?? false }

    func set(_ session: DJSession, on isOn: Bool) {
        if !isOn {
            session.reading.cancel()
            session.beginsPlaying = false
        }
        guard session.saved.isOn != isOn else { return }
        session.history.note(.changed(before: session.saved))
        session.saved.isOn = isOn
        resumed(session)
        keep(session)
        say(isOn ? "on, \(session.saved.mode)" : "off", in: session)
    }

    func resumed(_ session: DJSession) {
        session.epoch += 1
        countThoseOn()
        guard session.saved.isOn else { return }
        session.current = nil
        follow(session)
        want(session)
    }

    /// Has songs added although nothing plays.
    func want(_ session: DJSession) {
        // A queue that was emptied meanwhile would be noticed later, and what is wanted forgotten with it.
        noticeRemovals(session)
        session.isWanted = true
        planRefresh(session)
    }

    /// Chooses from something else; picks that wait make room for new ones.
    func set(_ session: DJSession, mode: PickMode) {
        guard session.mode != mode else { return }
        session.history.note(.changed(before: session.saved))
        session.saved.mode = mode.rawValue
        keep(session)
        say("mode \(mode.rawValue)", in: session)
        startAgain(session)
    }

    func set(_ session: DJSession, adventure: Double) {
        guard session.saved.adventure != adventure else { return }
        session.history.note(.changed(before: session.saved))
        session.saved.adventure = adventure
        keep(session)
    }

    /// Replaces the waiting picks, which are removed once the others are there.
    func startAgain(_ session: DJSession) {
        guard session.saved.isOn else { return }
        session.epoch += 1
        session.isReplacing = true
        planRefresh(session)
    }

    /// Notes whether it is on anywhere; if not, the cached data of the library is released.
    func countThoseOn() {
        isAnyOn = sessions.values.contains { $0.saved.isOn }
        if !isAnyOn { Task { [service] in await service.forget() } }
    }

    // MARK: Keeping and telling

    /// Writes what a session remembers, and tells clients where the switch shows it.
    func keep(_ session: DJSession) {
        let (saved, key) = (session.saved, session.partition.key)
        write("what it remembers") { try await $0.saveDJ(saved, of: key) }
        if settings.showsSwitch { session.player.outputSwitchChanged() }
    }

    /// Writes in the order of the calls; what fails is in the log.
    func write(
        _ what: String, changesStickers: Bool = false, _ body: @escaping @Sendable (Library) async throws -> Void
    ) {
        writing.add { [library, log, notifyStickers] in
            do {
                try await body(library)
                if changesStickers { await notifyStickers() }
            } catch {
                log.error("the auto-DJ can't keep \(what): \(chain: error)")
            }
        }
    }

    func say(_ text: String, in session: DJSession) { messageContinuation.yield((session.partition.name, text)) }

    /// Waits until everything is written.
    package func finish() async { await writing.finish() }
}

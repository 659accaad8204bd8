import Coordination
package import Discovery
package import Logging
package import MusicModel
package import Playback
import Partitions
package import ServerLoop
package import UserLibrary

/// Adds songs to the queues of partitions in which it is switched on, before they run out of songs.
///
/// It adds behind everything else, and moves or removes nothing but its own picks. What the listener puts on is what
/// the picks stay near to; skips and likes count. It follows players as an observer does, and picks off the event loop.
/// - Isolation: ServerActor.
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
    /// Whether another program reads wishes in words.
    let asksOfWishes: Bool
    let log: Logger
    /// Messages for one consumer that passes them on to clients.
    package let messages: AsyncStream<DJMessage>
    private let messageContinuation: AsyncStream<DJMessage>.Continuation
    private(set) var sessions: [ObjectIdentifier: DJSession] = [:]
    /// The writes, one after the other.
    let writing = SerialTasks()
    private let notifyStickers: @ServerActor () -> Void
    private var isAnyOn = false

    /// Makes it; partitions tell it of themselves.
    ///
    /// - Parameters:
    ///   - likeness: what the library's server finds alike; nil where it is not asked.
    ///   - wishes: reads wishes in words; nil leaves that to rules.
    ///   - stickersChanged: called when it wrote stickers.
    package init(
        _ settings: DJSettings, library: Library, likeness: ServerLikeness?, wishes: (any WishReading)?, log: Logger,
        stickersChanged: @escaping @ServerActor () -> Void
    ) {
        self.settings = settings
        self.library = library
        self.log = log
        notifyStickers = stickersChanged
        asksOfWishes = wishes != nil
        service = PickService(library, settings, likeness, wishes)
        (messages, messageContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    // MARK: Following players

    package func opened(_ partition: Partition) {
        let saved = SavedDJ(mode: settings.mode.rawValue, adventure: settings.rules.adventure)
        let session = DJSession(partition, saved)
        sessions[ObjectIdentifier(partition)] = session
        partition.player.outputSwitch = self
        Task { await restore(session) }
    }

    package func closed(_ partition: Partition) {
        let session = sessions.removeValue(forKey: ObjectIdentifier(partition))
        session?.epoch += 1
        session?.reading.cancel()
        countThoseOn()
    }

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
        planLook(session)
    }

    private func restore(_ session: DJSession) async {
        let name = session.partition.name
        do {
            guard let (dj, waiting) = try await library.savedDJ(of: name), !session.saved.isOn else { return }
            session.saved = dj
            for pick in waiting { session.picks[pick.entry] = pick }
        } catch {
            log.error("what the auto-DJ of \(name) remembers can't be read: \(chain: error)")
            return
        }
        countThoseOn()
        guard session.saved.isOn else { return }
        follow(session)
        planLook(session)
        if settings.showsSwitch { session.player.outputSwitchChanged() }
    }

    func planLook(_ session: DJSession) {
        guard !session.isLookPlanned else { return }
        session.isLookPlanned = true
        ServerActor.after(Self.burst) { [weak self] in
            session.isLookPlanned = false
            self?.look(session)
        }
    }

    // MARK: Switching

    /// Whether clients see the switch.
    package var isShown: Bool { settings.showsSwitch }

    /// Whether it is on in a partition.
    package func isOn(in partition: Partition) -> Bool {
        sessions[ObjectIdentifier(partition)]?.saved.isOn ?? false
    }

    /// Switches it on or off; songs that wait in the queue stay there.
    func set(_ session: DJSession, on isOn: Bool) {
        if !isOn { session.reading.cancel() }
        guard session.saved.isOn != isOn else { return }
        session.note(.changed(before: session.saved))
        session.saved.isOn = isOn
        resumed(session)
        keep(session)
        say(isOn ? "on, \(session.saved.mode)" : "off", in: session)
    }

    /// Takes in that a session was switched.
    func resumed(_ session: DJSession) {
        session.epoch += 1
        countThoseOn()
        guard session.saved.isOn else { return }
        session.current = nil
        session.isWanted = true
        follow(session)
        planLook(session)
    }

    /// Chooses from something else; picks that wait make room for new ones.
    func set(_ session: DJSession, mode: PickMode) {
        guard session.mode != mode else { return }
        session.note(.changed(before: session.saved))
        session.saved.mode = mode.rawValue
        keep(session)
        say("mode \(mode.rawValue)", in: session)
        startAgain(session)
    }

    /// Sets the share of picks from further away.
    func set(_ session: DJSession, adventure: Double) {
        guard session.saved.adventure != adventure else { return }
        session.note(.changed(before: session.saved))
        session.saved.adventure = adventure
        keep(session)
    }

    /// Picks others in place of those that wait, which go once the others are there.
    func startAgain(_ session: DJSession) {
        guard session.saved.isOn else { return }
        session.epoch += 1
        session.isReplacing = true
        planLook(session)
    }

    /// Notes whether it is on anywhere; what was read of the library is given back where it is not.
    func countThoseOn() {
        isAnyOn = sessions.values.contains { $0.saved.isOn }
        if !isAnyOn { Task { [service] in await service.forget() } }
    }

    // MARK: Keeping and telling

    /// Writes what a session remembers, and tells clients where the switch shows it.
    func keep(_ session: DJSession) {
        let (saved, name) = (session.saved, session.partition.name)
        write("what it remembers") { try await $0.saveDJ(saved, of: name) }
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

    func say(_ text: String, in session: DJSession) {
        messageContinuation.yield(DJMessage(partition: session.partition.name, text: text))
    }

    /// Waits until everything is written.
    package func finish() async { await writing.finish() }
}

package import Discovery
import MusicModel
package import Playback
import ServerLoop
import UserLibrary

extension DiscJockey {
    /// Takes a wish in words, such as `calm 90s jazz`, and waits until it was read; nil where it was not, or a newer
    /// one has replaced it. Where nothing plays music begins once there is some.
    package func wish(_ words: String, in partition: Partition) async -> (read: ReadWish, isReadByServer: Bool)? {
        guard let session = sessions[ObjectIdentifier(partition)] else { return nil }
        let answer = Answer()
        let reading = read(words, session) { answer.read = $0 }
        await reading.value
        guard let read = answer.read else { return nil }
        if !read.wish.isEmpty, !partition.player.isPlaying {
            session.beginsPlaying = partition.player.status.state == .stop
        }
        return (read, asksOfWishes && read.trouble == nil && !read.wish.isEmpty)
    }

    /// The wish that picks of a partition meet; nil without one, or while it is off.
    package func currentWish(in partition: Partition) -> PickWish? {
        sessions[ObjectIdentifier(partition)].flatMap { $0.saved.isOn ? $0.wish : nil }
    }

    /// Takes the last wish back with the songs that were added since, or the one that is being read; false without one.
    @discardableResult
    package func takeWishBack(in partition: Partition) -> Bool {
        guard let session = sessions[ObjectIdentifier(partition)] else { return false }
        if session.reading.cancel() { return true }
        guard let last = session.history.takeLastWish() else {
            guard session.wish != nil else { return false }
            session.wish = nil
            startAgain(session)
            return true
        }
        noticeRemovals(session)
        remove(waiting: session.waiting.filter { last.added.contains($0.entry) }, session)
        takeWishBack(to: last.before, last.wish, session)
        return true
    }

    @ServerActor
    private final class Answer {
        var read: ReadWish?

        nonisolated init() {}
    }
}

/// The wish of a partition that is being read: one at a time, and a newer one replaces an older one.
@ServerActor
final class WishTask {
    private var task: Task<Void, Never>?
    private var count: UInt64 = 0
    /// True if a wish is being read, or waits for an older one that was cancelled and has not ended yet.
    private(set) var isRunning = false

    /// Cancels what runs, and runs this once it has ended.
    @discardableResult
    func replace(with body: @escaping @ServerActor @Sendable () async -> Void) -> Task<Void, Never> {
        task?.cancel()
        let earlier = task
        count &+= 1
        let number = count
        isRunning = true
        let latest = Task {
            await earlier?.value
            if !Task.isCancelled { await body() }
            guard number == count else { return }
            (task, isRunning) = (nil, false)
        }
        task = latest
        return latest
    }

    @discardableResult
    func cancel() -> Bool {
        task?.cancel()
        defer { isRunning = false }
        return isRunning
    }
}

extension DiscJockey: OutputSwitch {
    package func status(of player: Player, id: Int) -> OutputStatus? {
        guard settings.showsSwitch, let session = session(of: player) else { return nil }
        var attributes = ["mode": session.saved.mode, "adventure": Self.text(session.saved.adventure)]
        if !session.why.isEmpty { attributes["why"] = session.why }
        if let seed = session.namedSeed, session.saved.seeds == [seed.song] { attributes["seed"] = seed.path }
        return OutputStatus(
            id: id, name: Self.outputName, plugin: "dj", isEnabled: session.saved.isOn, attributes: attributes)
    }

    package func set(_ player: Player, enabled: Bool) {
        if let session = session(of: player) { set(session, on: enabled) }
    }

    package func set(_ player: Player, attribute: String, to value: String) throws(OutputAttributeError) {
        guard let session = session(of: player) else { throw .unsupported }
        switch attribute {
        case "mode":
            guard let mode = PickMode(rawValue: value) else { throw .badValue }
            set(session, mode: mode)
        case "adventure":
            guard let share = Double(value), (0...1).contains(share) else { throw .badValue }
            set(session, adventure: share)
        case "seed":
            if value.isEmpty { throw .badValue }
            seed(value, session)
        default: throw .unsupported
        }
    }

    func session(of player: Player) -> DJSession? { sessions.values.first { $0.player === player } }

    private static func text(_ share: Double) -> String {
        let hundredths = Int((share.clamped(to: 0...1) * 100).rounded())
        return hundredths == 100 ? "1" : hundredths == 0 ? "0" : "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}

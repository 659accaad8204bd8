import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// Taking the music along: another partition goes on with this one's queue, at the very place.
enum TransferResource {
    static let routes = [
        Route(.POST, "/api/player/transfer", [.add, .player]) { request in
            guard let name = try request.body()["to"]?.text else {
                throw APIError.wrong("to", "Say where to, with \"to\" as the name of a partition.")
            }
            let source = try await request.partition()
            let target = try await request.api.partition(named: name)
            guard source !== target else { throw APIError.wrong("to", "The music plays there already.") }
            try await transfer(from: source, to: target)
            return .done
        }
    ]

    /// Copies queue, options and place, and pauses here.
    ///
    /// - Isolation: ServerActor; large queues are copied elsewhere, and other clients' commands may come in between.
    @ServerActor
    private static func transfer(from source: Partition, to target: Partition) async throws {
        let status = source.player.status
        guard status.queueLength > 0 else { throw APIError(.conflict, code: .noExist, "Nothing is in the queue here.") }
        let entries = source.player.entries
        let copies = await copies(of: entries)
        try await target.player.edit(.clear)
        target.player.setRepeat(status.isRepeating)
        target.player.setSingle(status.single)
        target.player.setConsume(status.consume)
        target.player.setSpeed(status.speed)
        if target.player.status.isRandom != status.isRandom { target.player.setRandom(status.isRandom) }
        try await target.player.edit(.insert(copies, at: nil))
        guard let current = source.player.current, current.position < target.player.count else { return }
        let elapsed = source.player.status.elapsed ?? .zero
        switch source.player.status.state {
        case .play:
            // Pausing first leaves no moment in which both are heard.
            source.player.pause(true)
            try begin(target.player, current.position, elapsed)
        case .pause:
            try begin(target.player, current.position, elapsed)
            target.player.pause(true)
        case .stop: break
        }
    }

    @ServerActor
    private static func begin(_ player: Player, _ position: Int, _ elapsed: Duration) throws {
        // A station has no place to go to.
        if player.entries[position].duration == nil {
            try player.play(position: position)
        } else {
            try player.seek(position: position, to: elapsed)
        }
    }

    @concurrent
    private static func copies(of entries: QueueEntries) async -> [QueueCandidate] {
        (0..<entries.count).map { place in
            let entry = entries[place]
            return QueueCandidate(
                entry.item, range: entry.range, duration: entry.duration, replayGain: entry.replayGain)
        }
    }
}

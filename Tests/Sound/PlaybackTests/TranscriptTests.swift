import MusicModel
import ServerLoop
import Testing

@testable import Playback

/// Replays what a real MPD did, command by command.
///
/// A line reads `COMMAND => OK|ACK CODE, STATE SONG SONGID NEXTSONG NEXTSONGID SINGLE CONSUME | QUEUE | CHANGES`: what
/// MPD 0.23.12 answered and then said in `status`, the queue as ids with their priorities, and the positions that
/// `plchangesposid` gave for the version before the command. All songs were 600 s long; positions beyond that were
/// sought to let a song end.
@Suite("Transcripts of MPD")
@ServerActor
struct TranscriptTests {
    @Test("random commands leave queue and player as in MPD", arguments: mpdTranscripts.indices)
    func replay(index: Int) throws {
        let harness = try PlayerHarness()
        var version = harness.player.status.queueVersion
        for line in mpdTranscripts[index].split(separator: "\n") {
            let parts = line.split(separator: " => ")
            let answer = run(parts[0].split(separator: " ").map(String.init), harness.player)
            harness.started()
            let now = "\(answer) \(observe(harness.player, since: version))"
            version = harness.player.status.queueVersion
            try #require(now.trimmed == String(parts[1]), "after \(parts[0])")
        }
    }

    private func observe(_ player: Player, since version: UInt32) -> String {
        let status = player.status
        let numbers = [
            status.songPosition, status.songID.map { Int($0.rawValue) }, status.nextPosition,
            status.nextID.map { Int($0.rawValue) },
        ]
        var words = numbers.map { $0.map(String.init) ?? "-" }
        // MPD names a next song here that it then doesn't play, so this isn't compared.
        if status.consume != .off, status.isRepeating { words[2...3] = ["?", "?"] }
        let shown = words.joined(separator: " ")
        let queue = player.entries.map { $0.priority == 0 ? "\($0.id)" : "\($0.id):\($0.priority)" }
        return "\(status.state) \(shown) \(status.single.rawValue) \(status.consume.rawValue)"
            + " | \(queue.joined(separator: ","))"
            + " | \(player.changes(since: version).map(String.init).joined(separator: ","))"
    }

    private func run(_ words: [String], _ player: Player) -> String {
        do {
            try dispatch(words[0], words.dropFirst().map { $0 }, player)
            return "OK"
        } catch {
            let codes: [PlayerError.Code: Int] = [.badRange: 2, .noSuchSong: 50, .notPlaying: 55, .queueFull: 51]
            return "ACK \(codes[error.code] ?? 0)"
        }
    }

    private func dispatch(_ name: String, _ words: [String], _ player: Player) throws(PlayerError) {
        func number(_ index: Int) -> Int { Int(words[index]) ?? 0 }
        switch name {
        case "addid":
            let place = words.count > 1 ? position(words[1]) : nil
            try player.insert([song(Int64(words[0].prefix(1)) ?? 0)], at: place)
        case "delete": try player.delete(range(words[0]))
        case "clear": player.clear()
        case "move": try player.move(range(words[0]), to: position(words[1]))
        case "swap": try player.swap(number(0), number(1))
        case "prio": try player.setPriority(number(0), range: range(words[1]))
        case "play": try player.play(position: words.first.flatMap { Int($0) })
        case "pause": player.pause(words.first.map { $0 == "1" })
        case "stop": player.stop()
        case "next": try player.next()
        case "previous": try player.previous()
        case "seek": try player.seek(position: number(0), to: .seconds(number(1)))
        case "seekcur": try player.seekCurrent(to: .seconds(number(0)), isRelative: false)
        case "repeat": player.setRepeat(number(0) == 1)
        case "single": player.setSingle(OneshotOption(rawValue: words[0]) ?? .off)
        case "consume": player.setConsume(OneshotOption(rawValue: words[0]) ?? .off)
        default: Issue.record("Unknown command \(name)")
        }
    }

    private func range(_ word: String) -> Range<Int> {
        let ends = word.split(separator: ":").compactMap { Int($0) }
        return ends.count == 2 ? ends[0]..<ends[1] : ends[0]..<ends[0] + 1
    }

    private func position(_ word: String) -> QueuePosition {
        let distance = Int(word.dropFirst()) ?? 0
        return switch word.first {
        case "+": .afterCurrent(distance)
        case "-": .beforeCurrent(distance)
        default: .absolute(Int(word) ?? 0)
        }
    }
}

extension String {
    /// Without the spaces at the end, which the recorded lines lost.
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}

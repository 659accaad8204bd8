import Foundation
import LibraryIndex
import MPDCommands
import MPDProtocol
import MusicModel
import NIOCore
import Playback
import ServerLoop
import UserLibrary
import WebServer

/// Writes the parts of the status, whole for `/api/status` and one by one for those that follow changes.
struct StatusWriter: Sendable {
    let parts: WebParts
    let rows: SongRows

    @concurrent
    func status(_ snapshot: StatusSnapshot, _ client: WebClient, hasPasswords: Bool) async throws -> ByteBuffer {
        let songs = try await songs(of: snapshot)
        let waiting = await parts.facts.waiting()
        let statistics = try await rows.library.index.statistics()
        let times = try await rows.times(snapshot)
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.object("server") { json in
                json.field("name", "Segue")
                json.field("version", parts.facts.version)
                json.field("now", snapshot.time)
                json.field("demo", parts.facts.isDemo)
                json.field("page", parts.files.version)
                json.field("requests", parts.requests != nil)
            }
            json.field("partition", snapshot.partition)
            json.field("partitions", snapshot.partitions)
            json.field("permissions", client.permission.names)
            json.field("session", client.isSignedIn)
            json.field("passwords", hasPasswords)
            write(snapshot, songs, to: &json)
            json.object("options") { Self.options(snapshot, to: &$0) }
            json.field("volume", snapshot.status.volume < 0 ? nil : snapshot.status.volume)
            json.object("queue") { Self.queue(snapshot, times, to: &$0) }
            json.array("outputs", snapshot.outputs) { output($1, to: &$0) }
            json.object("connection") { Self.connection(snapshot.connection, to: &$0) }
            json.object("sync") { sync(to: &$0) }
            json.object("waiting") { Self.waiting(waiting, to: &$0) }
            json.object("library") { Self.library(statistics, to: &$0) }
        }
        return json.buffer
    }

    @concurrent
    func songs(of snapshot: StatusSnapshot) async throws -> (current: QueueRow?, next: QueueRow?) {
        let found = try await rows.rows(of: [snapshot.current, snapshot.next].compactMap { $0 })
        return (
            found.first { $0.position == snapshot.current?.position },
            found.first { $0.position == snapshot.next?.position }
        )
    }

    /// The fields `player`, `song` and `next`.
    func write(_ snapshot: StatusSnapshot, _ songs: (current: QueueRow?, next: QueueRow?), to json: inout JSONWriter) {
        let status = snapshot.status
        let isStopped = status.state == .stop
        json.object("player") { json in
            json.field("state", status.state.rawValue)
            json.field("buffering", status.isBuffering)
            json.field("elapsed", isStopped ? .zero : status.elapsed ?? .zero)
            json.field("duration", isStopped ? songs.current?.duration : status.duration)
            json.field("converted", status.isConverted)
            json.field("bitrate", isStopped ? nil : status.bitRate)
            json.field("format", isStopped ? nil : status.audioFormat.map { "\($0.wireText)" })
            json.field("error", snapshot.problem)
            json.field("sleepsIn", status.sleepsIn)
        }
        json.field("song", songs.current)
        json.field("next", songs.next)
    }

    static func options(_ snapshot: StatusSnapshot, to json: inout JSONWriter) {
        let status = snapshot.status
        json.field("repeat", status.isRepeating)
        json.field("random", status.isRandom)
        json.field("single", status.single.word)
        json.field("consume", status.consume.word)
        json.field("crossfade", status.crossfade)
        json.field("mixrampDb", status.mixRampThreshold)
        json.field("mixrampDelay", status.mixRampDelay)
        json.field("replayGain", snapshot.replayGain.rawValue)
        json.field("speed", status.speed)
        json.field("sleepsIn", status.sleepsIn)
    }

    static func queue(_ snapshot: StatusSnapshot, _ times: QueueTimes, to json: inout JSONWriter) {
        json.field("version", Int(snapshot.status.queueVersion))
        json.field("length", snapshot.status.queueLength)
        json.field("position", snapshot.status.songPosition)
        json.field("duration", times.whole)
        json.field("remaining", times.remaining)
    }

    func output(_ shown: ShownOutput, to json: inout JSONWriter) {
        let output = shown.status
        json.object { json in
            json.field("id", shown.id)
            json.field("name", output.name)
            json.field("type", output.plugin)
            json.field("enabled", output.isEnabled)
            json.field("volume", output.attributes["volume"].flatMap { Int($0) })
            json.field("partition", shown.partition)
            json.field("problem", output.problem)
            json.object("attributes") { json in
                for (key, value) in output.attributes.sorted(by: { $0.key < $1.key }) { json.field(named: key, value) }
            }
            json.field("mime", output.plugin == "httpd" ? parts.facts.streamType(output.name) : nil)
            json.field("listen", output.plugin == "httpd" ? "/listen/\(output.name.percentEncoded)" : nil)
        }
    }

    static func connection(_ connection: ConnectionReport, to json: inout JSONWriter) {
        json.field("state", connection.state)
        json.field("sentence", connection.sentence)
    }

    static func waiting(_ waiting: WaitingChanges, to json: inout JSONWriter) {
        json.field("plays", waiting.plays)
        json.field("edits", waiting.edits)
        json.field("songs", waiting.songs.map { String($0.rawValue) })
        json.field("albums", waiting.albums.map { SongRows.name(Catalog.albumID($0.title, by: $0.artist)) })
        json.field("artists", waiting.artists)
        json.field("playlists", waiting.playlists)
    }

    func sync(to json: inout JSONWriter) {
        let sync = parts.facts.sync()
        json.field("phase", sync.phase)
        json.field("done", sync.done)
        json.field("total", sync.total)
    }

    static func library(_ statistics: LibraryStatistics, to json: inout JSONWriter) {
        // When it changed last serves as its generation: it never goes back.
        json.field("generation", Int(statistics.updated))
        json.field("songs", statistics.songs)
        json.field("albums", statistics.albums)
        json.field("artists", statistics.artists)
    }
}

extension OneshotOption {
    fileprivate var word: String {
        switch self {
        case .off: "off"
        case .on: "on"
        case .oneshot: "oneshot"
        }
    }
}

extension String {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// The text as a part of an address's path.
    var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "" }
}

/// The state of a player and its surroundings at one moment; taken on the loop, written elsewhere.
struct StatusSnapshot: Sendable {
    /// Tells players apart whose partitions take each other's names.
    var player: ObjectIdentifier
    var partition: String
    var partitions: [String]
    var status: PlayerStatus
    var replayGain: ReplayGainMode
    var current: (position: Int, entry: QueueEntry)?
    var next: (position: Int, entry: QueueEntry)?
    var entries: QueueEntries
    var outputs: [ShownOutput]
    var connection: ConnectionReport
    var problem: String?
    var time = Date().timeIntervalSince1970

    @ServerActor
    init(_ partition: Partition, _ parts: WebParts) {
        let player = partition.player
        let context = parts.context
        self.player = ObjectIdentifier(player)
        (self.partition, partitions) = (partition.name, context.partitions.map(\.name))
        status = player.status
        replayGain = player.replayGainMode
        current = player.current
        next = status.nextPosition.map { ($0, player.entries[$0]) }
        (entries, outputs) = (player.entries, ShownOutput.all(for: partition, among: context.partitions))
        connection = parts.facts.connection()
        problem = status.error ?? context.serverProblem
        if problem == nil, status.queueLength == 0 { problem = context.facts.missingSourceAdvice }
    }
}

/// An output as pages see it: with the partition in which it plays, and an id that is its own among those of all.
struct ShownOutput: Sendable {
    /// Its number in the partition that was asked for, or else the number and the name of its partition.
    var id: String
    var partition: String
    var status: OutputStatus

    /// The outputs of a partition, then those of the others, each where it plays.
    @ServerActor
    static func all(for partition: Partition, among partitions: [Partition]) -> [ShownOutput] {
        var seen: Set<String> = []
        var shown = partition.player.outputs.filter { !$0.isMovedAway && seen.insert($0.name).inserted }.map {
            ShownOutput(id: String($0.id), partition: partition.name, status: $0)
        }
        for other in partitions where other !== partition {
            shown += other.player.engine.outputs.filter { !$0.isMovedAway && seen.insert($0.name).inserted }.map {
                ShownOutput(id: "\($0.id):\(other.name)", partition: other.name, status: $0)
            }
        }
        return shown
    }

    /// The output of an id, in the partition where it plays.
    @ServerActor
    static func find(_ id: String, _ request: APIRequest) throws -> (partition: Partition, status: OutputStatus) {
        let words = id.split(separator: ":", maxSplits: 1)
        let partition = words.count == 2 ? try request.api.partition(named: String(words[1])) : try request.partition()
        guard let output = partition.player.outputs.first(where: { String($0.id) == words.first ?? "" }) else {
            throw APIError.missing("There is no such output.")
        }
        guard output.isMovedAway else { return (partition, output) }
        // Only its row is left here.
        for other in request.api.parts.context.partitions {
            let outputs = other.player.engine.outputs
            if let moved = outputs.first(where: { $0.name == output.name && !$0.isMovedAway }) { return (other, moved) }
        }
        return (partition, output)
    }
}

import LibraryIndex
import Logging
import MPDSessions
import MusicModel
import NIOCore
import Playback
import ServerLoop
import UserLibrary
import WebServer

/// Tells open pages and scripts what has changed: a message is written once for all that follow a partition.
/// - Isolation: ServerActor; messages are written elsewhere, one after the other, so that they keep their order.
@ServerActor
final class ChangeFeed {
    let parts: WebParts
    let writer: StatusWriter
    private let log: Logger
    private var followers: [ObjectIdentifier: Follower] = [:]
    /// Connections that get no messages here, but have to be closed when their clients are no longer welcome.
    private var others: [ObjectIdentifier: (close: @Sendable () -> Void, client: WebClient)] = [:]
    private var tokenWatch: Task<Void, Never>?
    private var version = 0
    private var pending: [ObjectIdentifier: (partition: Partition, subsystems: Subsystem)] = [:]
    private var isWriting = false
    /// Moves with stars and ratings.
    private(set) var markClock = 0
    private var hasMarks = false
    /// True while changes of marks are noted for open pages, and the task that switches that.
    private var notesMarks = false
    private var markSwitch: Task<Void, Never>?
    var toldWaiting: WaitingChanges?

    private struct Follower {
        var socket: MessageSocket
        var client: WebClient
        var partition: Partition
        var name: String
        /// The changes since the status that it gets first, by kind; nil once it got that.
        var early: [(type: String, message: ByteBuffer)]? = []
    }

    init(_ parts: WebParts, _ rows: SongRows, log: Logger) {
        self.parts = parts
        self.log = log
        writer = StatusWriter(parts: parts, rows: rows)
    }

    var count: Int { followers.count }

    func follow(_ hub: IdleHub) {
        hub.watch { [weak self] everywhere, inPartition in self?.changed(everywhere, inPartition) }
    }

    /// Sends the whole status, and then every change in the partition.
    func add(_ socket: MessageSocket, _ client: WebClient, _ partition: Partition) {
        followers[ObjectIdentifier(socket)] = Follower(
            socket: socket, client: client, partition: partition, name: partition.name)
        let snapshot = StatusSnapshot(partition, parts)
        let (version, hasPasswords) = (version, parts.passwords.hasPasswords)
        noteMarks(true)
        watchTokens()
        Task {
            // So that the first change can be named.
            await markSwitch?.value
            do {
                let status = try await writer.status(snapshot, client, hasPasswords: hasPasswords)
                socket.post(Self.message("status", version) { $0.raw(status) }, replacing: "status")
                let early = followers[ObjectIdentifier(socket)]?.early ?? []
                followers[ObjectIdentifier(socket)]?.early = nil
                for (type, message) in early { socket.post(message, replacing: type) }
            } catch {
                // The page asks again when it has connected again.
                socket.close()
            }
        }
    }

    func remove(_ socket: MessageSocket) {
        followers[ObjectIdentifier(socket)] = nil
        others[ObjectIdentifier(socket)] = nil
        if followers.isEmpty { noteMarks(false) }
    }

    /// Closes a connection of another kind when its client is no longer welcome, until it is removed.
    func watch(_ connection: some AnyObject & Sendable, _ client: WebClient, close: @escaping @Sendable () -> Void) {
        others[ObjectIdentifier(connection)] = (close, client)
        watchTokens()
    }

    func remove(_ connection: some AnyObject & Sendable) { others[ObjectIdentifier(connection)] = nil }

    /// How long an open connection may outlive its token, which a command revokes without telling the server.
    private static let tokenPause = Duration.seconds(2)

    /// Looks at the tokens of open connections now and then, while there are such.
    private func watchTokens() {
        guard tokenWatch == nil else { return }
        tokenWatch = Task { [weak self] in
            while let self,
                followers.values.contains(where: \.client.hasToken) || others.values.contains(where: \.client.hasToken)
            {
                await closeUnwelcome()
                try? await Task.sleep(for: Self.tokenPause)
            }
            self?.tokenWatch = nil
        }
    }

    /// Closes the connections of clients whose session, token or password has ended.
    func closeUnwelcome() async {
        for follower in followers.values where !(await follower.client.isWelcome(parts)) { follower.socket.close() }
        for other in others.values where !(await other.client.isWelcome(parts)) { other.close() }
    }

    /// Tells all of something that no subsystem stands for, with an object whose fields `body` writes.
    func tell(_ type: String, _ body: (inout JSONWriter) -> Void) {
        guard !followers.isEmpty else { return }
        version += 1
        let message = Self.message(type, version) { $0.object(body) }
        for key in followers.keys { post(message, type, to: key) }
    }

    /// Sends a message, or keeps it until the status is sent, which is older.
    private func post(_ message: ByteBuffer, _ type: String, to key: ObjectIdentifier) {
        guard followers[key]?.early != nil else {
            followers[key]?.socket.post(message, replacing: type)
            return
        }
        followers[key]?.early?.removeAll { $0.type == type }
        followers[key]?.early?.append((type, message))
    }

    private func changed(_ everywhere: Subsystem, _ inPartition: [(partition: Partition, subsystems: Subsystem)]) {
        if everywhere.contains(.sticker) || inPartition.contains(where: { $0.subsystems.contains(.sticker) }) {
            markClock += 1
            hasMarks = true
        }
        guard !followers.isEmpty else { return }
        tellNames()
        // Pages show the outputs of all partitions, with the names of these.
        let isElsewhere =
            everywhere.contains(.partition) || inPartition.contains { $0.subsystems.contains(.output) }
        let outputs: Subsystem = isElsewhere ? .output : []
        for follower in followers.values {
            let own = inPartition.first { $0.partition === follower.partition }?.subsystems ?? []
            let subsystems = everywhere.union(own).union(outputs)
            guard !subsystems.isEmpty else { continue }
            let key = ObjectIdentifier(follower.partition)
            pending[key, default: (follower.partition, [])].subsystems.formUnion(subsystems)
        }
        guard !isWriting, !pending.isEmpty else { return }
        isWriting = true
        Task {
            await tellMarks()
            await write()
            isWriting = false
        }
    }

    /// Tells those whose partition has another name since they heard of it, so that their requests name it rightly.
    private func tellNames() {
        for (key, follower) in followers where follower.name != follower.partition.name {
            version += 1
            let name = follower.partition.name
            followers[key]?.name = name
            post(
                Self.message("renamed", version) { json in json.object { $0.field("name", name) } }, "renamed", to: key)
        }
    }

    /// Has changes of marks noted while pages are open, one switch after the other.
    private func noteMarks(_ isOn: Bool) {
        guard notesMarks != isOn else { return }
        notesMarks = isOn
        markSwitch = Task { [library = writer.rows.library, log, before = markSwitch] in
            await before?.value
            do { try await library.noteMarkChanges(isOn) } catch {
                log.warning("changes of stars and ratings can't be noted", metadata: ["error": "\(ErrorChain(error))"])
            }
        }
    }

    private func tellMarks() async {
        guard hasMarks else { return }
        hasMarks = false
        guard notesMarks else { return }
        // Many songs are better read again than named, as are albums and artists.
        var songs: [SongID]?
        do {
            let changes = try await writer.rows.library.takeMarkChanges()
            if !changes.hasOthers, changes.songs.count <= Self.maxNamedSongs {
                songs = changes.songs.sorted { $0.rawValue < $1.rawValue }
            }
        } catch {
            log.warning("changes of stars and ratings can't be read", metadata: ["error": "\(ErrorChain(error))"])
        }
        guard let songs else { return tell("marks") { $0.field("songs", Int?.none) } }
        if !songs.isEmpty { tell("marks") { $0.field("songs", songs.map { String($0.rawValue) }) } }
    }

    private static let maxNamedSongs = 50

    /// Writes what is pending until nothing is: changes that come meanwhile become one message.
    private func write() async {
        while let (key, (partition, subsystems)) = pending.popFirst() {
            version += 1
            let snapshot = StatusSnapshot(partition, parts)
            do {
                let messages = try await writer.messages(of: subsystems, snapshot, version)
                for (page, follower) in followers where ObjectIdentifier(follower.partition) == key {
                    guard await follower.client.isWelcome(parts) else {
                        follower.socket.close()
                        continue
                    }
                    for (type, message) in messages { post(message, type, to: page) }
                }
            } catch {
                log.warning("pages could not be told of a change", metadata: ["error": "\(ErrorChain(error))"])
            }
            if hasMarks { await tellMarks() }
        }
    }

    /// Wraps what happened as docs/http.md describes it.
    nonisolated static func message(
        _ type: String, _ version: Int, _ body: (inout JSONWriter) throws -> Void
    ) rethrows -> ByteBuffer {
        var json = JSONWriter()
        try json.object { json in
            json.field("type", type)
            json.field("version", version)
            try json.field("data", body)
        }
        return json.buffer
    }
}

extension StatusWriter {
    @concurrent
    func messages(
        of subsystems: Subsystem, _ snapshot: StatusSnapshot, _ version: Int
    ) async throws -> [(String, ByteBuffer)] {
        var messages: [(String, ByteBuffer)] = []
        func add(_ type: String, _ body: (inout JSONWriter) -> Void) {
            messages.append((type, ChangeFeed.message(type, version, body)))
        }
        if !subsystems.isDisjoint(with: [.player, .queue, .buffering]) {
            let songs = try await songs(of: snapshot)
            let times = try await rows.times(snapshot)
            add("player") { json in
                json.object { json in
                    json.field("now", snapshot.time)
                    write(snapshot, songs, to: &json)
                    json.object("queue") { Self.queue(snapshot, times, to: &$0) }
                }
            }
        }
        if subsystems.contains(.queue) {
            let times = try await rows.times(snapshot)
            add("queue") { json in json.object { Self.queue(snapshot, times, to: &$0) } }
        }
        if subsystems.contains(.options) { add("options") { json in json.object { Self.options(snapshot, to: &$0) } } }
        if subsystems.contains(.mixer) {
            add("mixer") { json in json.object { $0.field("volume", snapshot.status.volume) } }
        }
        if subsystems.contains(.output) {
            add("outputs") { json in json.array { for output in snapshot.outputs { self.output(output, to: &$0) } } }
        }
        if subsystems.contains(.database) {
            let statistics = try await rows.library.index.statistics()
            add("library") { json in json.object { Self.library(statistics, to: &$0) } }
        }
        if subsystems.contains(.storedPlaylist) { add("playlists") { json in json.object { _ in } } }
        if subsystems.contains(.partition) {
            add("partitions") { $0.array { json in snapshot.partitions.forEach { json.value($0) } } }
        }
        if subsystems.contains(.update) { add("sync") { json in json.object { sync(to: &$0) } } }
        return messages
    }
}

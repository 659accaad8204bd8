import Glibc
import InProcessServer
import LibraryIndex
import MPDCommands
import MusicModel
import Playback
import ServerLoop
import Synchronization

/// An engine that plays at once whatever it is told, without a sound and without time passing.
final class SilentEngine: StillEngine {
    let events: AsyncStream<AudioEngineEvent>
    private let continuation: AsyncStream<AudioEngineEvent>.Continuation
    private let state = Mutex((current: UInt64?.none, elapsed: Duration.zero))
    private let list: Mutex<[OutputStatus]>

    init(outputs: [String] = ["Null"]) {
        (events, continuation) = AsyncStream.makeStream()
        list = Mutex(
            outputs.enumerated().map { OutputStatus(id: $0, name: $1, plugin: "null", isEnabled: true) })
    }

    func start(_ track: EngineTrack, at position: Duration, paused: Bool) {
        state.withLock { ($0.current, $0.elapsed) = (track.play, position) }
        continuation.yield(.started(play: track.play))
        let format = AudioFormat(sampleRate: 44100, sample: .integer(bits: 16), channels: 2)
        continuation.yield(.info(play: track.play, format: format, duration: track.duration, bitRate: 158))
    }

    func seek(to position: Duration) {
        let current = state.withLock { state in
            state.elapsed = position
            return state.current
        }
        if let current { continuation.yield(.seeked(play: current, target: position, elapsed: position)) }
    }

    func stop() { state.withLock { $0.current = nil } }

    var progress: EngineProgress? {
        state.withLock { state in
            state.current.map { EngineProgress(play: $0, elapsed: state.elapsed, heard: state.elapsed) }
        }
    }

    var outputs: [OutputStatus] { list.withLock { $0 } }

    func setOutput(_ id: Int, enabled: Bool) {
        list.withLock { outputs in
            if outputs.indices.contains(id) { outputs[id].isEnabled = enabled }
        }
    }

    func moveOutput(named name: String, to other: any AudioEngine) {
        guard let other = other as? SilentEngine, other !== self else { return }
        let moved = list.withLock { outputs -> OutputStatus? in
            guard let index = outputs.firstIndex(where: { $0.name == name && !$0.isMovedAway }) else { return nil }
            defer {
                outputs[index] = OutputStatus(
                    id: index, name: name, plugin: "dummy", isEnabled: false, isMovedAway: true)
            }
            return outputs[index]
        }
        guard var moved else { return }
        other.list.withLock { outputs in
            let index = outputs.firstIndex { $0.name == name }
            moved.id = index ?? outputs.count
            if let index { outputs[index] = moved } else { outputs.append(moved) }
        }
    }

    func shutDown() async { continuation.finish() }
}

/// Makes partitions without sound and remembers those that were closed.
@ServerActor
final class SilentPartitions: PartitionHosting {
    private(set) var closed: [String] = []
    var playtime = Duration.zero
    /// The names of the configuration.
    var configured: [String] = []
    /// Why no name can be kept.
    var failure: (any Error)?

    nonisolated init() {}

    func makePartition(named name: String, like other: Partition) -> Partition {
        let player = Player(engine: SilentEngine(outputs: []), provider: nil) { _ in }
        player.setReplayGainMode(other.player.replayGainMode)
        return Partition(name: name, player: player)
    }

    func rename(_ partition: Partition, to name: String) -> Task<Void, any Error> {
        let earlier = partition.name
        partition.rename(to: name)
        return Task { @ServerActor in
            guard let failure else { return partition.key.becomes(name) }
            partition.rename(to: earlier)
            throw failure
        }
    }

    func isConfigured(_ name: String) -> Bool { configured.contains(name) }

    func close(_ partition: Partition) { closed.append(partition.name) }
}

/// Remembers what clients were told, and has them all in one partition.
@ServerActor
final class NotedClients: ConnectedClients {
    var events: [Subsystem] = []
    var usedPartition: Partition?

    nonisolated init() {}

    func notify(_ subsystems: Subsystem, partition: Partition?) { events.append(subsystems) }
    func isUsed(_ partition: Partition) -> Bool { partition === usedPartition }
}

/// Remembers what was mounted.
final class NotedMounts: LibraryMounting {
    private let state = Mutex<[String: String]>([:])

    var folders: [String: String] { state.withLock { $0 } }

    /// Clients on the network may not mount what lies below /no.
    func refusal(of folder: String, isLocal: Bool) async -> MountRefusal? {
        guard isLocal || !folder.hasPrefix("/no/") else { return .outsideOfRoots }
        return folder.contains("nothing") ? .system(ENOENT) : folder.hasPrefix("/proc") ? .noFolderOfMusic : nil
    }

    func mount(_ folder: String, at name: String, of storage: NetworkStorage?) async throws {
        state.withLock { $0[name] = folder }
    }

    func unmount(_ name: String) async throws -> Bool { state.withLock { $0.removeValue(forKey: name) != nil } }
}

/// Network storages of a machine that mounts those of one host.
final class NotedStorages: StorageMounting {
    private let state = Mutex<[String: String]>([:])

    var attached: [String: String] { state.withLock { $0 } }

    func storage(at uri: String) -> NetworkStorage? {
        guard uri.hasPrefix("smb://") else { return nil }
        let shown = StreamURL.withoutCredentials(uri)
        return NetworkStorage(uri: uri, shown: shown, folder: "/storages/\(shown.split(separator: "/").last ?? "")")
    }

    func attach(_ storage: NetworkStorage, at name: String) async throws {
        switch storage.shown {
        case "smb://nas/nothing": throw StorageFailure.notFound
        case "smb://nas/closed": throw StorageFailure.refusedLogin
        case "smb://nas/strange": throw StorageFailure.noBackend(scheme: "smb")
        default: state.withLock { $0[name] = storage.uri }
        }
    }

    func detach(_ name: String) async { state.withLock { $0[name] = nil } }
}

/// Hands out job numbers and remembers what was asked for.
final class NumberedUpdates: LibraryUpdating {
    private let state = Mutex((requests: [String](), running: Int?.none))

    var requests: [String] { state.withLock(\.requests) }

    func startUpdate(uri: String, rescan: Bool) -> Int? {
        state.withLock { state in
            // As a queue without room would.
            if uri.hasPrefix("full") { return nil }
            state.requests.append((rescan ? "rescan " : "update ") + uri)
            return state.requests.count
        }
    }

    var runningJob: Int? { state.withLock(\.running) }

    func setRunning(_ job: Int?) { state.withLock { $0.running = job } }
}

/// A cover of 512 bytes in one folder, which is changed by every fetch when `changes` is set.
final class FolderPictures: PictureProviding {
    private let state = Mutex((fetches: 0, changes: false))

    var fetches: Int { state.withLock(\.fetches) }

    func setChanges() { state.withLock { $0.changes = true } }

    func albumArt(for uri: String) async throws -> FoundCover? {
        guard uri == "Anna Ärger/Blau" || uri.hasPrefix("Anna Ärger/Blau/0") else { return nil }
        return (cover(), "image/png", nil)
    }

    func cover(inFolder path: String) async throws -> FoundCover? { nil }

    func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        uri.hasPrefix("Café/") ? (cover(), "image/jpeg") : nil
    }

    private func cover() -> [UInt8] {
        let (fetches, changes) = state.withLock { state in
            state.fetches += 1
            return (state.fetches, state.changes)
        }
        let bytes = (0..<512).map { UInt8(truncatingIfNeeded: $0) }
        return changes ? bytes.map { $0 &+ UInt8(fetches) } : bytes
    }
}

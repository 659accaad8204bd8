import Coordination
import Foundation
import Glibc
import Logging
import MusicModel
import Players
import Supervision
import UserLibrary

/// The players on the session's bus, and what keeps the machine awake, on a thread of their own. `@unchecked Sendable`:
/// everything but the loop belongs to the loop's thread.
final class DesktopPlayers: @unchecked Sendable {
    private let loop = BusLoop()
    private let settings: MediaControlSettings
    private let log: Logger
    private let send: @Sendable (_ partition: String, MediaCommand) -> Void
    private var objects: [String: MediaPlayerObject] = [:]
    private var sleepGuard: SleepGuard?
    /// The states that were shown last, for a bus that comes back.
    private var states: [String: MediaPlayerState] = [:]
    private var isAway = false
    private var failures = 0
    private static let retries = Backoff(.seconds(1) ... .seconds(60))

    /// - Parameter send: is called with what the desktop's user wants.
    init(
        _ settings: MediaControlSettings, log: Logger,
        _ send: @escaping @Sendable (_ partition: String, MediaCommand) -> Void
    ) { (self.settings, self.log, self.send) = (settings, log, send) }

    func run(pauseAll: @escaping @Sendable () -> Void) async {
        let isStarted = await untilCancelled(by: { loop.start("desktop", $0) }, end: loop.end) { [self] in
            connectToLogin(pauseAll)
            loop.run()
            for name in Array(objects.keys) { remove(name) }
            sleepGuard = nil
        }
        if !isStarted { log.warning("The desktop can't control the music: \(BlockingThread.missing)") }
    }

    /// Shows the state of a partition's player; one that is new gets an object of its own.
    func show(_ state: MediaPlayerState, of partition: String) {
        loop.perform { [self] in
            states[partition] = state
            object(of: partition)?.show(state)
            if settings.inhibitsSleep { sleepGuard?.keepAwake(states.values.contains { $0.transport == .play }) }
        }
    }

    func close(_ partition: String) { loop.perform { [self] in remove(partition) } }

    private func connectToLogin(_ pauseAll: @escaping @Sendable () -> Void) {
        guard settings.pausesOnSleep || settings.inhibitsSleep else { return }
        do throws(BusFailure) {
            sleepGuard = try SleepGuard(settings, log: log, pause: pauseAll)
        } catch { log.warning("Suspend and resume can't be detected: \(error.message)") }
    }

    private func object(of partition: String) -> MediaPlayerObject? {
        if let object = objects[partition] { return object }
        guard !isAway else { return nil }
        let isFirst = partition == Library.defaultPartition
        do throws(BusFailure) {
            let object = try MediaPlayerObject(
                isFirst ? "segue" : "segue." + Self.busName(partition),
                identity: isFirst ? "Segue" : "Segue (\(partition))"
            ) { [send] in send(partition, $0) }
            objects[partition] = object
            object.whenLost { [weak self] in self?.release("The session bus has disappeared") }
            log.info("the desktop can control the music", metadata: ["partition": "\(partition)"])
            return object
        } catch {
            release(error.message)
            return nil
        }
    }

    private func remove(_ partition: String) {
        objects.removeValue(forKey: partition)?.close()
        states.removeValue(forKey: partition)
    }

    /// Goes on without the bus, and tries it again, less and less often.
    private func release(_ reason: String) {
        guard !isAway else { return }
        if failures == 0 { log.warning("The desktop can't control the music until its bus is back: \(reason)") }
        isAway = true
        failures += 1
        loop.after(Self.retries.pause(after: failures)) { [weak self] in self?.comeBack() }
    }

    private func comeBack() {
        // Not before: a connection that tells of its end is still in use.
        for object in objects.values { object.close() }
        objects = [:]
        isAway = false
        for (partition, state) in states { object(of: partition)?.show(state) }
        guard !isAway, !objects.isEmpty else { return }
        log.notice("the session's bus is back: the desktop can control the music")
        failures = 0
    }

    /// A partition's name with what the bus allows in names.
    static func busName(_ partition: String) -> String {
        let name = partition.replacing(#/[^A-Za-z0-9]/#, with: "_").prefix(64)
        return name.first?.isNumber ?? true ? "_" + name : String(name)
    }
}

/// Asks logind to keep the machine awake while music plays, and to wait until the music has paused before it sleeps.
/// - Isolation: the thread of the bus's loop.
final class SleepGuard {
    private static let login = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"

    private let bus: BusConnection
    private let log: Logger
    private let pausesOnSleep: Bool
    private var delay: Int32?
    /// Keeps the machine awake until it is closed.
    private var block: Int32?
    private var isRefused = false

    /// Connects to logind; before the machine sleeps, `pause` is called, and sleep waits until it returns.
    init(_ settings: MediaControlSettings, log: Logger, pause: @escaping @Sendable () -> Void) throws(BusFailure) {
        self.log = log
        pausesOnSleep = settings.pausesOnSleep
        bus = try BusConnection(.system)
        guard pausesOnSleep else { return }
        _ = bus.listen(Self.login, Self.path, Self.manager, "PrepareForSleep") { [weak self] arguments in
            guard let self else { return }
            if arguments[0] == .flag(true) {
                pause()
                Self.close(&delay)
            } else {
                delay = inhibit("sleep", "The music pauses first.", "delay")
            }
        }
        delay = inhibit("sleep", "The music pauses first.", "delay")
    }

    deinit {
        Self.close(&delay)
        Self.close(&block)
    }

    func keepAwake(_ isAwake: Bool) {
        guard isAwake else { return Self.close(&block) }
        guard block == nil, !isRefused else { return }
        block = inhibit("sleep:idle", "Music is playing.", "block")
        isRefused = block == nil
    }

    private func inhibit(_ what: String, _ why: String, _ mode: String) -> Int32? {
        do throws(BusFailure) {
            return try bus.descriptor(
                Self.login, Self.path, Self.manager, "Inhibit", [.text(what), .text("Segue"), .text(why), .text(mode)])
        } catch {
            log.warning("logind does not let Segue delay sleep: \(error.message)")
            return nil
        }
    }

    private static func close(_ descriptor: inout Int32?) {
        if let open = descriptor { Glibc.close(open) }
        descriptor = nil
    }
}

/// The current pictures as files that desktops can show; one for each partition.
///
/// The cache's own files may go at any time, and some have no name that tells their kind.
/// - Isolation: its own.
actor PictureFiles {
    private let folder: String
    private let log: Logger
    private let load: @Sendable (_ song: String) async -> [UInt8]?
    private var shown: [String: (song: String, path: String?)] = [:]

    /// Keeps its files in `folder`; `load` gives the picture of a song.
    init(in folder: String, log: Logger, _ load: @escaping @Sendable (_ song: String) async -> [UInt8]?) {
        (self.folder, self.log, self.load) = (folder, log, load)
    }

    /// Writes the picture of a song, unless it is the one that is there; nil where there is none or it can't be
    /// written.
    func path(of song: String, for partition: String) async -> String? {
        if let shown = shown[partition], shown.song == song { return shown.path }
        let bytes = await load(song)
        remove(for: partition)
        let path = bytes.flatMap { write($0, of: song, for: partition) }
        shown[partition] = (song, path)
        return path
    }

    func remove(for partition: String) {
        if let path = shown.removeValue(forKey: partition)?.path { unlink(path) }
    }

    func removeAll() {
        for partition in Array(shown.keys) { remove(for: partition) }
    }

    private func write(_ bytes: [UInt8], of song: String, for partition: String) -> String? {
        // Desktops keep pictures by their address: another picture needs another name.
        var hash = FNV1a()
        hash.combine(song)
        let path = "\(folder)/cover-\(DesktopPlayers.busName(partition))-\(String(hash.value, radix: 16))"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
            return path
        } catch {
            log.debug("a picture can't be shown at the desktop: \(chain: error)")
            return nil
        }
    }
}

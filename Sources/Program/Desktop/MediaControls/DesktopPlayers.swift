import Coordination
import Logging
import MusicModel
import Players
import Supervision
import UserLibrary

/// The players on the session's bus, and what keeps the machine awake, on a thread of their own.
///
/// `@unchecked Sendable`: everything but the loop belongs to the loop's thread.
final class DesktopPlayers: @unchecked Sendable {
    private let loop = BusLoop()
    private let settings: MediaControlSettings
    private let log: Logger
    private let send: @Sendable (_ partition: String, MediaCommand) -> Void
    private var objects: [String: MediaPlayerObject] = [:]
    private var sleepGuard: SleepGuard?
    /// The states that were shown last, for a bus that comes back.
    private var states: [String: MediaPlayerState] = [:]
    /// True while the session's bus is away or refuses; it is retried automatically.
    private var isAway = false
    /// How often in a row it was away.
    private var failures = 0
    private static let retries = Backoff(.seconds(1) ... .seconds(60))

    /// - Parameter send: is called with what the desktop's user wants.
    init(
        _ settings: MediaControlSettings, log: Logger,
        _ send: @escaping @Sendable (_ partition: String, MediaCommand) -> Void
    ) {
        self.settings = settings
        self.log = log
        self.send = send
    }

    /// Serves the bus until the task is cancelled.
    @concurrent
    func run(pauseAll: @escaping @Sendable () -> Void) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
                let isStarted = loop.start("desktop") { [self] in
                    connectToLogin(pauseAll)
                    loop.run()
                    for name in Array(objects.keys) { remove(name) }
                    sleepGuard = nil
                    ended.resume()
                }
                if !isStarted {
                    log.warning("The desktop can't control the music: \(BlockingThread.missing)")
                    ended.resume()
                }
            }
        } onCancel: {
            loop.end()
        }
    }

    /// Shows the state of a partition's player; one that is new gets an object of its own.
    func show(_ state: MediaPlayerState, of partition: String) {
        loop.perform { [self] in
            states[partition] = state
            object(of: partition)?.show(state)
            if settings.inhibitsSleep { sleepGuard?.keepAwake(states.values.contains { $0.transport == .play }) }
        }
    }

    /// Takes the player of a partition from the bus.
    func close(_ partition: String) {
        loop.perform { [self] in remove(partition) }
    }

    // MARK: On the loop's thread

    private func connectToLogin(_ pauseAll: @escaping @Sendable () -> Void) {
        guard settings.pausesOnSleep || settings.inhibitsSleep else { return }
        do throws(BusFailure) {
            sleepGuard = try SleepGuard(settings, log: log, pause: pauseAll)
        } catch {
            log.warning("Suspend and resume can't be detected: \(error.message)")
        }
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

    // MARK: A bus that is away

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
        let allowed = partition.unicodeScalars.map { scalar -> Character in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? Character(scalar) : "_"
        }
        let name = String(allowed.prefix(64))
        return name.first?.isNumber ?? true ? "_" + name : name
    }
}

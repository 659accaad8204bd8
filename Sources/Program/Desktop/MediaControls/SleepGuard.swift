import Glibc
import Logging

/// Asks logind to keep the machine awake while music plays, and to wait until the music has paused before it sleeps.
///
/// - Isolation: the thread of the bus's loop.
final class SleepGuard {
    private static let login = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"

    private let bus: BusConnection
    private let log: Logger
    private let pausesOnSleep: Bool
    /// Holds sleep back until it is closed.
    private var delay: Int32?
    /// Keeps the machine awake until it is closed.
    private var block: Int32?
    private var isRefused = false

    /// Connects to logind.
    ///
    /// - Parameter pause: called before the machine sleeps; sleep waits until it returns.
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

    /// Keeps the machine awake, or lets it sleep.
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

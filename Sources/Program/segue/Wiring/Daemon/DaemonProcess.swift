import Foundation
import Logging
import Supervision

/// The daemon's process: signals, log, and the service manager that started it.
struct DaemonProcess: Sendable {
    /// How long the end may take in all, whatever hangs; the limits of the steps add up to less.
    static let maxEnd = Duration.seconds(3)
    /// The manager that started this process.
    static let manager = ServiceNotifier(environment: ProcessInfo.processInfo.environment)

    let signals: ProcessSignals
    let log: Logger
    let manager = Self.manager
    /// How often the manager wants to hear that the loop turns.
    let watchdog: Watchdog?
    /// Which parts did not end in time.
    let report: ShutdownReport

    /// Traps the signals.
    init(log: Logger) async {
        self.log = log
        report = ShutdownReport(log: log)
        watchdog =
            Self.manager.isListening
            ? Watchdog(environment: ProcessInfo.processInfo.environment, processID: getpid()) : nil
        signals = await ProcessSignals(maxEnd: Self.maxEnd)
    }
}

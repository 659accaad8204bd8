/// How often the service manager wants to hear that the service lives.
package struct Watchdog: Hashable, Sendable {
    /// After so much silence the manager restarts the service.
    package let timeout: Duration

    /// How often to call `ServiceNotifier.keepAlive`: twice as often as needed.
    package var interval: Duration { timeout / 2 }

    /// Reads `WATCHDOG_USEC` and `WATCHDOG_PID`; nil when no watchdog waits for this process.
    package init?(environment: [String: String], processID: Int32) {
        if let owner = environment["WATCHDOG_PID"], Int32(owner) != processID { return nil }
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds >= 1000 else {
            return nil
        }
        timeout = .microseconds(min(microseconds, 86_400_000_000))
    }
}

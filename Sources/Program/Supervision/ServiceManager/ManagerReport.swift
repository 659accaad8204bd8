import NIOCore
package import ServerLoop

/// Tells the service manager that clients can connect, what plays, and that the loop turns: the watchdog is fed by the
/// loop that everything runs on, so that one which hangs is noticed. Without a manager that listens nothing is
/// scheduled.
@ServerActor
package final class ManagerReport {
    private let notifier: ServiceNotifier
    private let watchdog: Watchdog?
    private let pause: Duration
    private var sentence: (@ServerActor () async -> String)?
    private var shown = ""
    private var isScheduled = false
    private var lastReport = ContinuousClock.now

    /// Changes are gathered for so long.
    private static let burst = Duration.milliseconds(200)

    /// Reports to a manager, which nothing is told before `run`. `watchdog` is how often it wants to hear of the loop;
    /// the status is sent no more often than `pause`.
    package init(_ notifier: ServiceNotifier, watchdog: Watchdog?, pause: Duration = .seconds(10)) {
        (self.notifier, self.watchdog, self.pause) = (notifier, watchdog, pause)
    }

    /// Says that clients can connect, and keeps reporting the sentence that `systemctl status` shows until the process
    /// ends.
    package func run(_ sentence: @escaping @ServerActor () async -> String) async {
        guard notifier.isListening else { return }
        self.sentence = sentence
        if let watchdog {
            let interval = TimeAmount(watchdog.interval)
            ServerActor.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [notifier] _ in
                _ = notifier.keepAlive()
            }
        }
        shown = await sentence()
        lastReport = .now
        // A manager that is busy with others, as while a machine starts, takes it a little later.
        for _ in 0..<100 where !notifier.ready(status: shown) {
            guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { return }
        }
    }

    /// Something changed that the sentence may tell of.
    package func changed() {
        guard notifier.isListening, !isScheduled else { return }
        isScheduled = true
        ServerActor.after(max(Self.burst, lastReport + pause - .now)) {
            self.isScheduled = false
            self.lastReport = .now
            Task { await self.report() }
        }
    }

    private func report() async {
        guard let sentence = await sentence?(), sentence != shown, notifier.status(sentence) else { return }
        shown = sentence
    }
}

extension ServiceNotifier {
    /// Asks for patience while the server starts, such as for converting a large index: while `body` lasts the
    /// manager's limit is put off again and again, for an hour at the most.
    package func askForPatience<T>(_ body: () async throws -> T) async rethrows -> T {
        guard isListening else { return try await body() }
        let asking = Task.detached {
            for _ in 0..<240 {
                guard (try? await Task.sleep(for: .seconds(15))) != nil else { return }
                _ = self.extendTimeout(seconds: 45, status: "Opening the library")
            }
        }
        defer { asking.cancel() }
        return try await body()
    }
}

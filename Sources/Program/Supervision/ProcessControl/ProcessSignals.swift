import Dispatch
import Foundation
import ServiceLifecycle
import Synchronization
package import UnixSignals

/// The signals that the server answers, trapped before any client can connect.
///
/// From then on none takes its default action, which would end the process without saving the queue; one that arrives
/// while the parts still start waits for the part that reads the sequence.
package struct ProcessSignals: Sendable {
    /// SIGHUP: read the configuration again.
    package let hangUps: UnixSignalsSequence
    /// SIGTERM and SIGINT: end in order.
    package let endings: UnixSignalsSequence
    private let guardian: EndingGuard

    /// Traps them. After `maxEnd` the process ends, whatever hangs.
    package init(maxEnd: Duration) async {
        hangUps = await UnixSignalsSequence(trapping: .sighup)
        endings = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        guardian = EndingGuard(maxEnd: maxEnd)
    }
}

/// Ends the process when its end takes too long, and at once when it is asked a second time. It needs neither the event
/// loop nor Swift's own threads, all of which may hang.
private final class EndingGuard: Sendable {
    private let queue = DispatchQueue(label: "segue.ending", qos: .userInteractive)
    // Dispatch's objects may be used from any thread; only their types don't say so.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]
    private let isEnding = Mutex(false)

    init(maxEnd: Duration) {
        sources = [SIGTERM, SIGINT].map { [queue] in DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        for (source, number) in zip(sources, [SIGTERM, SIGINT]) {
            source.setEventHandler { [weak self] in self?.arrived(number, maxEnd) }
            source.activate()
        }
    }

    deinit { for source in sources { source.cancel() } }

    private func arrived(_ number: Int32, _ maxEnd: Duration) {
        let isSecond = isEnding.withLock { isEnding in
            defer { isEnding = true }
            return isEnding
        }
        if isSecond { Self.end("second signal; stopping at once", status: 128 + number) }
        queue.asyncAfter(deadline: .now() + (maxEnd / .seconds(1))) {
            Self.end("shutdown takes too long; stopping at once with what is saved", status: 0)
        }
    }

    private static func end(_ reason: String, status: Int32) -> Never {
        // Not by the log, which may be what hangs.
        FileHandle.standardError.write(Data("segue: \(reason)\n".utf8))
        _exit(status)
    }
}

/// The part whose end is the server's: it runs until SIGTERM or SIGINT.
package struct EndingSignal: Service {
    private let endings: UnixSignalsSequence
    private let isEnding: @Sendable () -> Void

    /// Waits for signals; `isEnding` is called when one has arrived.
    package init(_ endings: UnixSignalsSequence, isEnding: @escaping @Sendable () -> Void) {
        self.endings = endings
        self.isEnding = isEnding
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in endings {
                isEnding()
                return
            }
        }
    }
}

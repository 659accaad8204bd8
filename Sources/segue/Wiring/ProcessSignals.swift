import ServiceLifecycle
import UnixSignals

/// The signals that the server answers, trapped before anybody can connect.
///
/// From then on none takes its default action, which would end the process without saving the queue; one that arrives
/// while the parts still start waits for whoever reads the sequence.
struct ProcessSignals: Sendable {
    /// SIGHUP: read the configuration again.
    let hangUps: UnixSignalsSequence
    /// SIGTERM and SIGINT: end in order.
    let endings: UnixSignalsSequence

    /// Traps them.
    init() async {
        hangUps = await UnixSignalsSequence(trapping: .sighup)
        endings = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }
}

/// The part whose end is the server's: it runs until SIGTERM or SIGINT.
struct EndingSignal: Service {
    /// Where they arrive.
    let endings: UnixSignalsSequence

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in endings { return }
        }
    }
}

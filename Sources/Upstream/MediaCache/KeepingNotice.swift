import Logging
import Synchronization

/// Says in the log once that files of a kind can't be kept, as on a full disk, and once that they can again.
final class KeepingNotice: Sendable {
    private let kind: String
    private let log: Logger
    private let isFailing = Mutex(false)

    init(of kind: String, log: Logger) { (self.kind, self.log) = (kind, log) }

    func failed(_ reason: String) {
        guard !setFailing(true) else { return }
        log.warning("\(kind) can't be stored", metadata: ["because": "\(reason)"])
    }

    func worked() {
        guard setFailing(false) else { return }
        log.notice("\(kind) are stored again")
    }

    private func setFailing(_ isFailing: Bool) -> Bool {
        self.isFailing.withLock { was in
            defer { was = isFailing }
            return was
        }
    }
}

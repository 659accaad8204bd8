import Logging

/// Tells how far a long walk is: to the observer always, to the log every two seconds or every tenth.
struct ProgressReport {
    private let observer: SyncObserver
    private let logger: Logger
    private let what: String
    private let clock = ContinuousClock()
    private var lastLogged: ContinuousClock.Instant
    private var lastTenth = 0

    init(_ what: String, observer: SyncObserver, logger: Logger) {
        (self.what, self.observer, self.logger) = (what, observer, logger)
        lastLogged = clock.now
    }

    mutating func report(done: Int, total: Int?) {
        observer.progress(done, total)
        let tenth = total.map { $0 > 0 ? done * 10 / $0 : 10 } ?? 0
        let now = clock.now
        guard now - lastLogged >= .seconds(2) || (tenth > lastTenth && (total ?? 0) >= 1_000) else { return }
        lastLogged = now
        lastTenth = tenth
        let of = total.map { " of \($0)" } ?? ""
        logger.info("\(what): \(done)\(of) songs")
    }
}

import Dispatch
import Foundation
package import Logging
import MusicModel
import Synchronization

/// Writes one line per event to standard error: time, level, source, message, then `key=value` pairs.
///
/// The level is shared by all loggers, so that a reload changes it for a running server. Nothing waits for the line to
/// be written. Of many equal events only the first are written, and then how many there were.
package struct StandardErrorLog: LogHandler {
    private static let shared = Mutex(Logger.Level.info)
    private static let limiter = Mutex(LogLimiter())
    private static let writer = LogWriter(to: destination) { lost in
        record(.warning, label: "segue.log", "\(lost) log lines were lost: the reader of the log was too slow")
    }
    /// Standard error; where systemd's journal reads that, the journal's own socket, by which it gets fields as well.
    private static var destination: any LogDestination {
        let lines = DescriptorLog(STDERR_FILENO)
        guard JournalPrefix.isUsed, JournalStream.isSocket(STDERR_FILENO) else { return lines }
        return JournalLog(otherwise: lines) ?? lines
    }

    /// The least important level that is written.
    package static var level: Logger.Level {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// The part of the program that logs.
    let label: String
    package var metadata: Logger.Metadata = [:]

    package var logLevel: Logger.Level {
        get { Self.level }
        set { Self.level = newValue }
    }

    /// Logs for a part of the program.
    package init(label: String) { self.label = label }

    /// Makes standard error the destination of every log of the process; what was logged is written before it ends.
    package static func bootstrap(level: Logger.Level) {
        self.level = level
        LoggingSystem.bootstrap { StandardErrorLog(label: $0) }
        atexit { StandardErrorLog.writer.flush(within: .milliseconds(500)) }
    }

    /// Waits for what was logged to be written, before an end that runs none of the usual exit handlers.
    package static func flush() { writer.flush(within: .milliseconds(300)) }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let message = "\(event.message)"
        var all = metadata.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(ErrorChain(error))" }
        // A log that asks for everything gets everything.
        if event.level >= .info, !Self.admits(message, peer: all["peer"], label: label) { return }
        let pairs = all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        Self.writer.write(Self.record(event.level, label: label, message, pairs))
    }

    private static func record(
        _ level: Logger.Level, label: String, _ message: String, _ pairs: [(key: String, value: String)] = []
    ) -> LogRecord {
        var text = "\(level) \(label): \(LogText.message(message))"
        for pair in pairs { text += " \(pair.key)=\(LogText.value(pair.value))" }
        let start = JournalPrefix.isUsed ? JournalPrefix.text(for: level) : "\(timeStamp()) "
        guard JournalPrefix.isUsed else { return LogRecord(line: start + text + "\n") }
        var fields = [
            JournalField("MESSAGE", text), JournalField("PRIORITY", "\(JournalPrefix.number(for: level))"),
            JournalField("SYSLOG_IDENTIFIER", "segue"), JournalField("SEGUE_PART", label),
        ]
        fields += pairs.map { JournalField("SEGUE_" + $0.key, String($0.value.prefix(LogText.maxLength))) }
        return LogRecord(line: start + text + "\n", fields: fields)
    }

    private static func timeStamp() -> String { Date().ISO8601Format(.init(includingFractionalSeconds: true)) }

    // MARK: Many equal events

    private static func admits(_ message: String, peer: Logger.MetadataValue?, label: String) -> Bool {
        let now = ContinuousClock.now
        let key = "\(label): \(message)" + (peer.map { " peer=\(LogText.value("\($0)"))" } ?? "")
        let (sentences, isAdmitted, begins) = limiter.withLock { limiter in
            let sentences = limiter.summaries(at: now)
            let isFirst = limiter.windowEnd == nil
            let passing = peer == nil ? LogLimiter.ownBurst : LogLimiter.burst
            return (sentences, limiter.admits(key, passing: passing, at: now), isFirst)
        }
        write(sentences)
        if begins {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(10) + .milliseconds(10)) {
                // Also when nothing more is logged.
                write(limiter.withLock { $0.summaries(at: .now) })
            }
        }
        return isAdmitted
    }

    private static func write(_ summaries: [String]) {
        for sentence in summaries { writer.write(record(.notice, label: "segue.log", sentence)) }
    }
}

/// The levels as the journal of systemd reads them at the front of a line; the journal adds the time itself.
package enum JournalPrefix {
    /// True if standard error is the journal's, as systemd says by `JOURNAL_STREAM`.
    package static let isUsed = JournalStream.isConnected(
        to: STDERR_FILENO, environment: ProcessInfo.processInfo.environment)

    /// The start of a line of this level.
    package static func text(for level: Logger.Level) -> String { "<\(number(for: level))>" }

    /// The priority of syslog(3).
    static func number(for level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .trace, .debug: 7
        }
    }
}

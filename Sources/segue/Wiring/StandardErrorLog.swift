import Foundation
import Logging
import Synchronization

/// Writes one line per event to standard error: time, level, source, message, then `key=value` pairs.
///
/// The level is shared by all loggers, so that a reload changes it for a running server.
struct StandardErrorLog: LogHandler {
    private static let shared = Mutex(Logger.Level.info)

    /// The least important level that is written.
    static var level: Logger.Level {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    let label: String
    var metadata: Logger.Metadata = [:]

    var logLevel: Logger.Level {
        get { Self.level }
        set { Self.level = newValue }
    }

    /// Makes standard error the place for every log of the process.
    static func bootstrap(level: Logger.Level) {
        self.level = level
        LoggingSystem.bootstrap { StandardErrorLog(label: $0) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = "\(Date().ISO8601Format(.init(includingFractionalSeconds: true))) \(event.level) \(label): "
        line += Self.oneLine("\(event.message)")
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(Self.oneLine("\(value)"))" }
        line += "\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// A name with a line feed in it must not look like a second event.
    private static func oneLine(_ text: String) -> String {
        text.utf8.contains(where: { $0 < 32 })
            ? String(text.map { $0.isNewline || $0 == "\0" ? " " : $0 }) : text
    }
}

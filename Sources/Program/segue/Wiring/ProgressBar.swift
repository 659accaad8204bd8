import Foundation

/// A line on the terminal that shows how far a sync is; plain lines where stderr is no terminal.
final class ProgressBar: @unchecked Sendable {
    // `@unchecked`: every access to the state is behind the lock.
    private let lock = NSLock()
    private var lastDrawn = ContinuousClock.Instant.now - .seconds(1)
    private var lastTenth = -1
    private let isTerminal = isatty(2) == 1

    /// Shows `done` of `total` songs; a total of nil is not known yet.
    func show(done: Int, total: Int?) {
        lock.lock()
        defer { lock.unlock() }
        if isTerminal { draw(done, total) } else { print(done, total) }
    }

    /// Ends the line.
    func finish() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func draw(_ done: Int, _ total: Int?) {
        guard ContinuousClock.Instant.now - lastDrawn > .milliseconds(50) || done == total else { return }
        lastDrawn = .now
        guard let total, total > 0 else { return write("\r\u{1B}[K\(done) songs") }
        let width = 40
        let filled = min(width, done * width / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        write("\r\u{1B}[K[\(bar)] \(done * 100 / total) %  \(done) of \(total) songs")
    }

    private func print(_ done: Int, _ total: Int?) {
        guard let total, total > 0, done * 10 / total != lastTenth else { return }
        lastTenth = done * 10 / total
        write("\(done) of \(total) songs\n")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

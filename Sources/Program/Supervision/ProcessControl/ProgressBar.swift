import Foundation
import Synchronization

/// A line on the terminal that shows how far a sync is; plain lines where stderr is no terminal.
package final class ProgressBar: Sendable {
    private struct Drawn {
        var moment = ContinuousClock.Instant.now - .seconds(1)
        var tenth = -1
        var done: Int
    }

    private let last: Mutex<Drawn>
    private let isTerminal = isatty(2) == 1

    /// A line that is not shown yet, of songs of which some are done.
    package init(done: Int = 0) { last = Mutex(Drawn(done: done)) }

    /// Shows that one more of `total` songs is done.
    package func advance(of total: Int) {
        let done = last.withLock { last in
            last.done += 1
            return min(last.done, total)
        }
        show(done: done, total: total)
    }

    /// Shows `done` of `total` songs; a total of nil is not known yet.
    package func show(done: Int, total: Int?) {
        last.withLock { last in
            if isTerminal { draw(done, total, &last) } else { print(done, total, &last) }
        }
    }

    /// Ends the line.
    package func finish() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func draw(_ done: Int, _ total: Int?, _ last: inout Drawn) {
        guard ContinuousClock.Instant.now - last.moment > .milliseconds(50) || done == total else { return }
        last.moment = .now
        guard let total, total > 0 else { return write("\r\u{1B}[K\(done) songs") }
        let width = 40
        let filled = min(width, done * width / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        write("\r\u{1B}[K[\(bar)] \(done * 100 / total) %  \(done) of \(total) songs")
    }

    private func print(_ done: Int, _ total: Int?, _ last: inout Drawn) {
        guard let total, total > 0, done * 10 / total != last.tenth else { return }
        last.tenth = done * 10 / total
        write("\(done) of \(total) songs\n")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

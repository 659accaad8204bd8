import Coordination
import Synchronization

/// How many threads may wait for one file system, which may have stopped answering; others wait without a thread.
package final class DiskThreads: Sendable {
    private struct State {
        var limits: [String: ConcurrencyLimit] = [:]
        var points: [String] = []
        var read: ContinuousClock.Instant?
    }

    static let shared = DiskThreads(16)

    private let maxThreads: Int
    private let state = Mutex(State())

    /// Lets this many threads wait for each file system.
    package init(_ maxThreads: Int) { self.maxThreads = maxThreads }

    /// The limit for what lies at a path, by its network storage or mount; nil for the root's. Asks `/proc` alone.
    func limit(for path: String) -> ConcurrencyLimit? {
        state.withLock { state in
            guard let storage = LinkBoundary.storage(of: path) ?? Self.point(of: path, &state) else { return nil }
            if let limit = state.limits[storage] { return limit }
            let limit = ConcurrencyLimit(maxThreads)
            state.limits[storage] = limit
            return limit
        }
    }

    /// The longest path of a mount that a path lies in, behind links on the system's own file system.
    private static func point(of path: String, _ state: inout State) -> String? {
        if state.read.map({ .now - $0 > .seconds(5) }) ?? true { (state.points, state.read) = (points(), .now) }
        guard path.isAbsolutePath else { return nil }
        var rest = Array(path.pathParts.reversed())
        var (parts, links): ([Substring], Int) = ([], 0)
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                _ = parts.popLast()
                continue
            }
            parts.append(part)
            let reached = "/" + parts.joined(separator: "/")
            if state.points.contains(reached) {
                let whole = reached + rest.reversed().map { "/" + $0 }.joined()
                return state.points.first { whole == $0 || whole.path(below: $0) != nil }
            }
            guard links < maxLinks, let target = DiskPath(reached).linkTarget()?.decoded else { continue }
            links += 1
            parts = target.isAbsolutePath ? [] : parts.dropLast()
            rest += target.pathParts.reversed()
        }
        return nil
    }

    private static let maxLinks = 40

    /// The paths of all mounts but the system's own, longest first.
    /// - Source: proc_pid_mountinfo(5).
    private static func points() -> [String] {
        let bytes = (try? RegularFile.read(DiskPath(exactly: "/proc/self/mountinfo"), upTo: 16 << 20)) ?? []
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let points = lines.compactMap { line -> String? in
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            return words.count > 5 ? text(words[4]) : nil
        }
        return Set(points).subtracting(["/"]).sorted { $0.utf8.count > $1.utf8.count }
    }

    /// The text of a path in which white space and backslashes are three octal digits behind a backslash.
    private static func text(_ word: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = word
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let octal = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(octal)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

import Coordination
import Foundation
import Glibc

/// A program that is started for its output, and ended with all that it started.
/// - Isolation: any; `run` blocks its thread.
struct ChildProcess: Sendable {
    struct Problem: Error {
        let message: String
    }

    /// The program, searched for in `PATH`, and its arguments.
    let words: [String]
    let timeout: Duration
    let limit: Int

    /// Runs the program and gives what it printed.
    /// - Parameter isAbandoned: whether the output is no longer wanted.
    func run(_ isAbandoned: () -> Bool) throws(Problem) -> [UInt8] {
        let ends: PipeEnds
        do throws(ChildProgram.Failure) { ends = try PipeEnds() } catch { throw Problem(message: "\(error)") }
        let program: ChildProgram
        do throws(ChildProgram.Failure) {
            defer { close(ends.writing) }
            program = try ChildProgram(words, output: ends.writing)
        } catch {
            close(ends.reading)
            throw Problem(message: "\(words.first ?? "the program") can't be started (\(error))")
        }
        defer { close(ends.reading) }
        let output: Result<[UInt8], Problem> = read(ends.reading, isAbandoned)
        // A program that outlives its output, or isn't waited for, is ended with all its children.
        let ending = program.end(after: (try? output.get()) == nil ? 0 : 1000, endsOthers: true)
        let bytes = try output.get()
        guard ending == .status(0)
        else { throw Problem(message: "it has ended \(ending.map(\.description) ?? "without telling how")") }
        return bytes
    }

    private func read(_ end: Int32, _ isAbandoned: () -> Bool) -> Result<[UInt8], Problem> {
        let deadline = ContinuousClock.now + timeout
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            guard ContinuousClock.now < deadline
            else { return .failure(Problem(message: "it takes longer than \(timeout.components.seconds) seconds")) }
            if isAbandoned() { return .failure(Problem(message: "it is no longer needed")) }
            var waiting = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 100) > 0 else { continue }
            let count = Glibc.read(end, &piece, piece.count)
            if count == 0 { return .success(output) }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return .failure(Problem(message: String(cString: strerror(errno))))
            }
            output += piece[..<count]
            if output.count > limit { return .failure(Problem(message: "it prints more than \(limit) bytes")) }
        }
    }
}

import Coordination
import Foundation
import Glibc

/// A program that is started for its output, and ended with all that it started.
///
/// - Isolation: any; `run` blocks its thread.
struct ChildProcess: Sendable {
    /// Why there is no output, for a person.
    struct Problem: Error {
        let message: String
    }

    /// The program, looked for in `PATH`, and its arguments.
    let words: [String]
    let timeout: Duration
    /// The most bytes that it may print.
    let limit: Int

    /// Runs the program and gives what it printed.
    ///
    /// - Parameter isAbandoned: whether the output is no longer wanted.
    /// - Throws: `Problem`.
    func run(_ isAbandoned: () -> Bool) throws(Problem) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Problem(message: Self.system(errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var process: pid_t = 0
        let failure = start(writing: ends[1], &process)
        close(ends[1])
        defer { close(ends[0]) }
        guard failure == 0 else {
            throw Problem(message: "\(words.first ?? "the program") can't be started (\(Self.system(failure)))")
        }
        let output: Result<[UInt8], Problem> = read(ends[0], isAbandoned)
        let status = end(process, isDone: (try? output.get()) != nil)
        let bytes = try output.get()
        guard status == 0 else { throw Problem(message: Self.ending(status)) }
        return bytes
    }

    /// Starts the program; gives the system's error, or 0.
    private func start(writing end: Int32, _ process: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, end, 1)
        // Its complaints go to our own standard error, where the log is.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = ChildEnvironment.entries.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        return posix_spawnp(&process, words.first ?? "", &actions, &attributes, &arguments, &environment)
    }

    private func read(_ end: Int32, _ isAbandoned: () -> Bool) -> Result<[UInt8], Problem> {
        let deadline = ContinuousClock.now + timeout
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            guard ContinuousClock.now < deadline else {
                return .failure(Problem(message: "it takes longer than \(timeout.components.seconds) seconds"))
            }
            if isAbandoned() { return .failure(Problem(message: "it is no longer needed")) }
            var waiting = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 100) > 0 else { continue }
            let count = Glibc.read(end, &piece, piece.count)
            if count == 0 { return .success(output) }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return .failure(Problem(message: Self.system(errno)))
            }
            output += piece[..<count]
            if output.count > limit { return .failure(Problem(message: "it prints more than \(limit) bytes")) }
        }
    }

    /// Waits for the end of a program that has closed its output, and ends it, with all that it started, where it goes
    /// on or is not waited for; gives its status.
    private func end(_ process: pid_t, isDone: Bool) -> Int32 {
        var status: Int32 = -1
        for (signal, tenths) in [(Int32(0), isDone ? 10 : 0), (SIGTERM, 10), (SIGKILL, 50)] {
            if signal != 0 { kill(-process, signal) }
            for _ in 0..<tenths * 10 {
                if waitpid(process, &status, WNOHANG) != 0 {
                    // It may have left others behind.
                    kill(-process, SIGKILL)
                    return status
                }
                usleep(10_000)
            }
        }
        return status
    }

    private static func ending(_ status: Int32) -> String {
        let signal = status & 0x7f
        return signal == 0
            ? "it has ended with the status \((status >> 8) & 0xff)" : "it has ended by the signal \(signal)"
    }

    private static func system(_ code: Int32) -> String { String(cString: strerror(code)) }
}

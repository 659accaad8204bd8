import Foundation
import Glibc

/// A program that was started, with all that it starts in turn. It is a process group of its own, knows none of Segue's
/// secrets, has the usual signals, and of Segue's descriptors only its standard input, output and error.
/// - Isolation: its owner's; `end` blocks its thread.
package struct ChildProgram: Sendable {
    /// The system's error when a program can't be started.
    package struct Failure: Error, CustomStringConvertible {
        let code: Int32
        /// The system's words for it.
        package var description: String { String(cString: strerror(code)) }
    }

    /// How a program ended.
    package enum Ending: Hashable, Sendable, CustomStringConvertible {
        case status(Int32)
        case signal(Int32)

        init(_ raw: Int32) {
            let signal = raw & 0x7f
            self = signal == 0 ? .status((raw >> 8) & 0xff) : .signal(signal)
        }

        /// How it ended, such as `with the status 1`.
        package var description: String {
            switch self {
            case .status(let status): "with the status \(status)"
            case .signal(let signal): "by the signal \(signal)"
            }
        }
    }

    private let process: pid_t

    /// Starts a program, searched for in `PATH`; its complaints go to Segue's own standard error, where the log is.
    /// - Parameter input: becomes its standard input; nil is nothing to read.
    /// - Parameter output: becomes its standard output; nil is Segue's.
    package init(_ words: [String], input: Int32? = nil, output: Int32? = nil) throws(Failure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        try Self.closeOthers(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.isolate(&attributes)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = ChildEnvironment.entries.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, words.first ?? "", &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw Failure(code: code) }
        self.process = process
    }

    /// Sockets of event loops are not marked as this process's own: a program with one could read what clients say, and
    /// would keep ports taken and connections open for as long as it runs.
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) throws(Failure) {
        // Swift's Glibc module doesn't have it; nor do other C libraries, where no program is better than one with all.
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { throw Failure(code: ENOSYS) }
        typealias AddCloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        _ = unsafeBitCast(symbol, to: AddCloseFrom.self)(&actions, 3)
    }

    /// The signals that this process ignores and blocks are its own business; a group can be ended as a whole.
    private static func isolate(_ attributes: inout posix_spawnattr_t) {
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
    }

    /// Waits for the end for this many milliseconds; nil where it still runs.
    package func ending(within milliseconds: Int) -> Ending? {
        var waited = 0
        while true {
            var raw: Int32 = 0
            if waitpid(process, &raw, WNOHANG) != 0 { return Ending(raw) }
            guard waited < milliseconds else { return nil }
            let pause = waited < 100 ? 1 : 10
            usleep(UInt32(pause) * 1000)
            waited += pause
        }
    }

    /// Ends it and all that it started: it may run for `patience` milliseconds, is asked to end, and is killed after
    /// `grace`; with `endsOthers` so are programs that it left behind.
    /// - Returns: how it ended; nil where even that did not help.
    @discardableResult
    package func end(after patience: Int, grace: Int = 1000, endsOthers: Bool = false) -> Ending? {
        defer { if endsOthers { kill(-process, SIGKILL) } }
        if patience > 0, let ending = ending(within: patience) { return ending }
        kill(-process, SIGTERM)
        if let ending = ending(within: grace) { return ending }
        kill(-process, SIGKILL)
        return ending(within: 5000)
    }
}

/// The environment for programs that Segue starts.
package enum ChildEnvironment {
    /// This process's environment as `NAME=value`, without Segue's own settings, some of which are secrets.
    package static var entries: [String] { entries(of: ProcessInfo.processInfo.environment) }

    static func entries(of environment: [String: String]) -> [String] {
        environment.compactMap { name, value in
            name.hasPrefix("SEGUE_") || name == "CREDENTIALS_DIRECTORY" ? nil : "\(name)=\(value)"
        }
    }
}

import Coordination
import Glibc
import MusicModel
import Outputs

/// Writes raw samples to the standard input of a program that it starts; a program that ends is started anew.
final class PipeDriver: OutputDriver {
    let playedTo: Int64? = nil
    /// The program ends soon after the music does, so that a device of its is free for others.
    let idleLimit: Int64? = 5_000_000_000
    private let command: String
    private let format: AudioFormat
    private var descriptor: Int32 = -1
    private var process: pid_t = 0
    private var converter: SampleConverter?

    init(_ specification: OutputSpecification) {
        command = specification.command ?? ""
        format = specification.rawFormat
    }

    func prepare() throws(OutputProblem) {
        guard !command.isEmpty else { throw OutputProblem("it has no command") }
    }

    // MARK: The program

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        try prepare()
        OutputProblem.ignoreBrokenPipes()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw OutputProblem("the program can't be started: \(OutputProblem.system().message)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { Glibc.close(ends[0]) }
        let failure = start(reading: ends[0])
        guard failure == 0 else {
            Glibc.close(ends[1])
            throw OutputProblem("/bin/sh can't be started: \(String(cString: strerror(failure)))")
        }
        descriptor = ends[1]
        // A program that doesn't read may not hold the thread without limit.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Starts the program; gives the system's error, or 0.
    private func start(reading end: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, end, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The signals that this process ignores and blocks are its own business. The program and what it starts are one
        // group, so that all of them can be ended.
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
        let words: [String] = ["sh", "-c", command]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        var environment: [UnsafeMutablePointer<CChar>?] = ChildEnvironment.entries.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        return posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &environment)
    }

    // MARK: Writing

    func write(_ block: SampleBlock) throws(OutputProblem) {
        if converter == nil { converter = SampleConverter(to: format) }
        guard let converter else { throw OutputProblem("the format \(format.wireText) is not supported") }
        try send(converter.convert(block.samples, block.layout))
    }

    /// A program that takes nothing for so long hangs.
    private static let patience: Int64 = 5_000_000_000

    private func send(_ bytes: [UInt8]) throws(OutputProblem) {
        var done = 0
        var lastTaken = Monotonic.now
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count > 0 {
                done += count
                lastTaken = Monotonic.now
            } else if errno == EAGAIN {
                guard Monotonic.now - lastTaken < Self.patience else {
                    throw OutputProblem("the program takes no sound; does it hang?")
                }
                _ = Descriptors.wait(for: [(descriptor, POLLOUT)], milliseconds: 100)
            } else if errno != EINTR {
                throw OutputProblem(ending)
            }
        }
    }

    /// How the program ended, for a person.
    private var ending: String {
        var status: Int32 = 0
        for _ in 0..<100 where process > 0 {
            guard waitpid(process, &status, WNOHANG) == 0 else {
                process = 0
                let signal = status & 0x7f
                let how = signal == 0 ? "with the status \((status >> 8) & 0xff)" : "by the signal \(signal)"
                return "the program has ended \(how); does its command work?"
            }
            usleep(1000)
        }
        return "the program has closed its input"
    }

    func flush() {}
    func setPaused(_ isPaused: Bool) {}
    func poll() throws(OutputProblem) {}

    func close() {
        if descriptor >= 0 {
            if let rest = converter?.finish() {
                // It is ended in any case.
                do throws(OutputProblem) { try send(rest) } catch {}
            }
            Glibc.close(descriptor)
        }
        (descriptor, converter) = (-1, nil)
        end()
    }

    /// Lets the program play what it has, and ends it if that takes too long.
    private func end() {
        guard process > 0 else { return }
        for (signal, tenths) in [(Int32(0), 10), (SIGTERM, 3), (SIGKILL, 10)] {
            if signal != 0 { kill(-process, signal) }
            for _ in 0..<tenths * 10 {
                var status: Int32 = 0
                if waitpid(process, &status, WNOHANG) != 0 {
                    process = 0
                    return
                }
                usleep(10_000)
            }
        }
        process = 0
    }
}

import Foundation

/// Restarts the program in its own process.
package enum ProcessReplacement {
    /// Restarts the program with the same arguments; everything must be closed and saved before. A supervisor such as
    /// systemd sees no end and no start. The new program takes over the service manager's sockets as this one did.
    /// Comes back only with a failure.
    package static func replace(passingOn inherited: [InheritedSocket]) -> ProcessError {
        // Clients' sockets and the like must not be held open by a program that knows nothing of them.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        for socket in inherited { socket.passOn() }
        return begin()
    }

    /// Restarts the program with the same arguments and descriptors; comes back only with a failure.
    package static func begin() -> ProcessError {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        var words: [UnsafeMutablePointer<CChar>?] = ProcessArguments.all.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &words)
        for word in words { free(word) }
        return ProcessError("can't restart: \(String(cString: strerror(errno))). Start `segue serve` again.")
    }
}

/// The words of the command line as the system keeps them.
///
/// Swift finds them by the address of the environment. Where a preloaded library has set a variable, that is another
/// one, and Swift finds none.
package enum ProcessArguments {
    /// All of them, with the program's name.
    package static let all: [String] = {
        guard let bytes = FileManager.default.contents(atPath: "/proc/self/cmdline"), bytes.last == 0 else {
            return CommandLine.arguments
        }
        return read(bytes)
    }()

    /// Splits what the system has: each word with a zero behind it.
    static func read(_ bytes: Data) -> [String] {
        bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

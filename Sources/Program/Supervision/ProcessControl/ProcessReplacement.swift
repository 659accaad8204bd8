import Foundation

/// Restarts the program in its own process.
package enum ProcessReplacement {
    /// Restarts the program with the same arguments; everything must be closed and saved before.
    ///
    /// A supervisor such as systemd sees no end and no start.
    /// - Parameter inherited: the service manager's sockets, which the new program takes over as this one did.
    /// - Returns: the failure; it comes back only then.
    package static func replace(passingOn inherited: [InheritedSocket]) -> ProcessError {
        // Clients' sockets and the like must not be held open by a program that knows nothing of them.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        for socket in inherited { socket.passOn() }
        return begin()
    }

    /// Restarts the program with the same arguments and descriptors.
    ///
    /// - Returns: the failure; it comes back only then.
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

import Glibc

extension OutputProblem {
    /// A reader that goes away must not end the process; blocked on this thread, the signal stays without effect.
    static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

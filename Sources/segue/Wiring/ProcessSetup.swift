import Foundation

/// What the process asks of the system before anything else runs.
enum ProcessSetup {
    /// Raises the limit of descriptors, and has libraries write nothing by themselves to standard error.
    static func prepare() {
        // libdispatch complains at every start of an ordinary user that it may not raise a thread's priority.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        raiseDescriptorLimit()
    }

    /// Allows as many open descriptors as the system grants without being asked.
    ///
    /// The usual soft limit of 1,024 is there for programs that use select(); clients, listeners and files need more.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}

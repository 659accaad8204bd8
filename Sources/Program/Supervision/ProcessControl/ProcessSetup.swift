import Foundation

/// The set-up of the process before anything else runs.
package enum ProcessSetup {
    /// Keeps what is written from other users, and secrets out of core dumps; raises the limit of descriptors.
    ///
    /// - Returns: the access rights that the user takes from new files (`umask`), for files that are made for others.
    package static func prepare() -> UInt32 {
        // libdispatch complains at every start of an ordinary user that it may not raise a thread's priority.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        // libjpeg keeps all of a picture that comes in several scans, before GStreamer hears of its size. It may have
        // as many bytes as `PictureScaler` lets a decoder take.
        setenv("JPEGMEM", "105M", 0)
        let userMask = umask(0o077)
        if ProcessInfo.processInfo.environment["SEGUE_CORE_DUMPS"] != "1" { forbidCoreDumps() }
        raiseDescriptorLimit()
        return userMask
    }

    /// A core dump has the passwords and tokens that are in memory. Crashes are read with `SEGUE_CORE_DUMPS=1`.
    ///
    /// The programs that take dumps from the kernel (systemd-coredump, apport) keep to the limit as well.
    private static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
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

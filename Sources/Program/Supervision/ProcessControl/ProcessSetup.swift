import Dispatch
import Foundation

/// The set-up of the process before anything else runs.
package enum ProcessSetup {
    /// Keeps what is written from other users, and secrets out of core dumps; raises the limit of descriptors. Returns
    /// the access rights that the user takes from new files (`umask`), for files that are made for others.
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

    /// A core dump has the passwords and tokens that are in memory. Crashes are read with `SEGUE_CORE_DUMPS=1`. The
    /// programs that take dumps from the kernel (systemd-coredump, apport) keep to the limit as well.
    private static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// Allows as many open descriptors as the system grants without being asked. The usual soft limit of 1,024 is there
    /// for programs that use select(); clients, listeners and files need more.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}

/// How the C library's heap serves many threads.
package enum HeapArenas {
    /// Has all threads share two arenas, in which what is freed joins its neighbours at once.
    ///
    /// By default every thread gets one of its own, and what a sync frees in one is of no use to the others: after
    /// 50,000 songs that is 15 MB of memory for nothing.
    package static func share() {
        // Swift's Glibc module has no malloc.h, so the symbol is looked up; other C libraries don't have it.
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let mallopt = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        let (maximumArenas, mappingThreshold, maxFast): (Int32, Int32, Int32) = (-8, -3, 1)
        _ = mallopt(maximumArenas, 2)
        // Large arrays (a queue on its way in, a column of a tag) go back to the system when they are freed. Left
        // alone, the C library raises this bound with the first of them, and they tear holes into the heap.
        _ = mallopt(mappingThreshold, 512 * 1024)
        // Left alone, small pieces are put aside when they are freed, and joined all together with the next request for
        // a large one. After a queue of a million entries that takes 50 ms, for which the event loop waits as well.
        _ = mallopt(maxFast, 0)
    }
}

/// The threads that the system lets this process have.
package enum ThreadRoom {
    /// The server's threads while it plays, syncs and serves: of its own, of GStreamer, and of Swift's pools.
    package static let neededToServe = 48
    /// Those of the commands that do one thing and end.
    package static let neededToRun = 8

    /// The problem, as the end of a sentence, where fewer than `count` threads can be made at the same time; else nil.
    /// Libraries end the process or wait without an end when they get no thread, so this comes before all of them.
    /// Blocks for about a millisecond.
    package static func refusal(of count: Int) -> String? {
        let made = make(count)
        guard made < count else { return nil }
        return "the system allows only \(made) of the \(count) threads it needs. Raise its limit of processes and "
            + "threads (ulimit -u; TasksMax= in a unit of systemd; --pids-limit of a container)"
    }

    /// Makes this many threads at the same time, as far as possible, and has them end.
    private static func make(_ count: Int) -> Int {
        let door = DispatchSemaphore(value: 0)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, 65_536)
        var threads: [pthread_t] = []
        while threads.count < count {
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, attributes,
                { door in
                    if let door { Unmanaged<DispatchSemaphore>.fromOpaque(door).takeUnretainedValue().wait() }
                    return nil
                }, Unmanaged.passUnretained(door).toOpaque())
            guard failure == 0 else { break }
            threads.append(thread)
        }
        // Until now all of them wait.
        for _ in threads { door.signal() }
        for thread in threads { pthread_join(thread, nil) }
        return threads.count
    }
}

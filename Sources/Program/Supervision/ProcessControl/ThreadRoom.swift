import Glibc

/// The threads that the system lets this process have.
package enum ThreadRoom {
    /// The server's threads while it plays, syncs and serves: of its own, of GStreamer, and of Swift's pools.
    package static let neededToServe = 48
    /// Those of the commands that do one thing and end.
    package static let neededToRun = 8

    /// The problem, as the end of a sentence, where fewer than `count` threads can be made at the same time; else nil.
    ///
    /// Libraries end the process or wait without an end when they get no thread, so this comes before all of them.
    /// - Isolation: blocks for about a millisecond.
    package static func refusal(of count: Int) -> String? {
        let made = make(count)
        guard made < count else { return nil }
        return "the system allows only \(made) of the \(count) threads it needs. Raise its limit of processes and "
            + "threads (ulimit -u; TasksMax= in a unit of systemd; --pids-limit of a container)"
    }

    /// Makes this many threads at the same time, as far as possible, and has them end.
    private static func make(_ count: Int) -> Int {
        let door = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { door.deallocate() }
        pthread_mutex_init(door, nil)
        defer { pthread_mutex_destroy(door) }
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, 65_536)
        // Closed until all of them wait at it.
        pthread_mutex_lock(door)
        var threads: [pthread_t] = []
        for _ in 0..<count {
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, attributes,
                { door in
                    guard let door = door?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
                    pthread_mutex_lock(door)
                    pthread_mutex_unlock(door)
                    return nil
                }, door)
            guard failure == 0 else { break }
            threads.append(thread)
        }
        pthread_mutex_unlock(door)
        for thread in threads { pthread_join(thread, nil) }
        return threads.count
    }
}

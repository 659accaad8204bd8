import Foundation

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

// `pollfd` is in both C modules, and the compiler takes it for the one that it happens to read first.
import CALSA
import Glibc

enum Descriptors {
    /// Waits until one of them is ready for what is asked of it; false if that takes longer.
    @discardableResult
    static func wait(for descriptors: [(descriptor: Int32, events: Int32)], milliseconds: Int) -> Bool {
        var entries = descriptors.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
        return poll(&entries, nfds_t(entries.count), Int32(max(0, milliseconds))) > 0
    }
}

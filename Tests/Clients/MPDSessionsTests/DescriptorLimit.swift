import Foundation
import Testing

/// The limit of descriptors of the test process, which holds both ends of every connection.
enum DescriptorLimit {
    /// Raises the soft limit of 1,024 that processes of ordinary users start with.
    static func raise(to count: rlim_t) throws {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(resource, &limit)
        if limit.rlim_cur >= count { return }
        limit.rlim_cur = count
        try #require(setrlimit(resource, &limit) == 0, "the hard limit is \(limit.rlim_max)")
    }
}

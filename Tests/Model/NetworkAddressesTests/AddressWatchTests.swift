import Glibc
import TestSupport
import Testing

@testable import NetworkAddresses

@Suite("Changes of this machine's addresses")
struct AddressWatchTests {
    @Test("several messages of the kernel are one piece of news, and the end closes the socket")
    func news() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        for _ in 0..<3 { #expect(send(ends[1], "news", 4, 0) == 4) }
        let kernel = ends[1]
        let count = Task { [watch = AddressWatch(descriptor: ends[0])] in
            var count = 0
            for await _ in watch.changes() {
                count += 1
                if count == 2 { return count }
                _ = send(kernel, "more", 4, 0)
            }
            return count
        }
        #expect(await count.value == 2)
        // The other end of a socket that was closed.
        #expect(
            await eventually {
                send(kernel, "late", 4, Int32(MSG_NOSIGNAL)) < 0 && [ECONNREFUSED, EPIPE, ENOTCONN].contains(errno)
            })
    }

    @Test("the kernel takes the subscription, and a cancelled task ends it")
    func kernel() async throws {
        let watch = try #require(AddressWatch())
        let listening = Task { for await _ in watch.changes() {} }
        listening.cancel()
        await listening.value
    }
}

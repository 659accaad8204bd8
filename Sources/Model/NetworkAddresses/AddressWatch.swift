import Dispatch
import Glibc

/// Hears from the kernel (`rtnetlink(7)`) that this machine got or lost an address.
package struct AddressWatch: Sendable {
    /// Of `linux/rtnetlink.h`, which Glibc's module lacks: changes of IPv4's and IPv6's addresses.
    private static let groups: UInt32 = 0x10 | 0x100
    /// The size of `sockaddr_nl`, and where the groups stand in it.
    private static let (addressSize, groupsOffset) = (12, 8)

    private let descriptor: Int32

    /// Listens from now on; nil where the kernel tells nothing, as in a sandbox without its sockets.
    package init?() {
        let kinds = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let opened = socket(AF_NETLINK, kinds, 0)
        guard opened >= 0 else { return nil }
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_NETLINK)
        withUnsafeMutableBytes(of: &address) {
            $0.storeBytes(of: Self.groups, toByteOffset: Self.groupsOffset, as: UInt32.self)
        }
        guard bind(opened, &address, socklen_t(Self.addressSize)) == 0 else {
            close(opened)
            return nil
        }
        self.init(descriptor: opened)
    }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// An element after one or several changes, until the task is cancelled; taken once, as its end closes the socket.
    package func changes() -> AsyncStream<Void> {
        let descriptor = descriptor
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor, queue: DispatchQueue(label: "addresses"))
            source.setEventHandler { if Self.hasChanges(descriptor) { continuation.yield() } }
            source.setCancelHandler { close(descriptor) }
            continuation.onTermination = { _ in source.cancel() }
            source.activate()
        }
    }

    /// Reads all that there is; changes that the kernel had to discard count, too.
    private static func hasChanges(_ descriptor: Int32) -> Bool {
        var (buffer, isChange) = ([UInt8](repeating: 0, count: 8192), false)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 || count < 0 && errno == ENOBUFS {
                isChange = true
            } else if count == 0 || errno != EINTR {
                return isChange
            }
        }
    }
}

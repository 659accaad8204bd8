import Coordination
import Glibc

/// A socket of this machine that accepts one connection after the other on a thread of its own, until it is freed.
package final class LocalListener: Sendable {
    /// The port, a free one.
    package let port: UInt16
    private let descriptor: Int32

    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw UnusableSample("a port") }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Begins to accept; connections are closed after they were served.
    package func accept(_ serve: @escaping @Sendable (Int32) -> Void) {
        _ = BlockingThread.start("listener") { [descriptor] in
            while true {
                let client = Glibc.accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                serve(client)
                close(client)
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}

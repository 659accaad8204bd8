import Glibc
import NIOCore

/// A port of 127.0.0.1 that no other program gets, whether a server listens on it at the moment or not.
final class KeptPort: Sendable {
    /// The port.
    let number: Int
    /// Bound but never listening: one that listens and may use the address again can be bound beside it.
    private let descriptor: Int32

    /// Takes a port.
    ///
    /// - Parameter wanted: which one; 0 is any that is free.
    /// - Throws: what the system says.
    init(_ wanted: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var isShared: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: wanted).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else {
            let problem = IOError(errnoCode: errno, reason: "port \(wanted)")
            close(descriptor)
            throw problem
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}

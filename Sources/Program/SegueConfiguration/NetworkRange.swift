import Glibc

/// All addresses that begin with the same bits, such as `192.168.0.0/24`, or a single one.
package struct NetworkRange: Hashable, Sendable, CustomStringConvertible {
    /// The first address, 4 bytes for IPv4 or 16 for IPv6, in the network's order.
    package let address: [UInt8]
    /// How many leading bits count.
    package let prefixLength: Int

    /// Reads a numeric address, alone or with `/` and a number of bits; nil for anything else.
    ///
    /// Bits behind the prefix are discarded. IPv4 addresses inside of IPv6 (`::ffff:1.2.3.4`) become IPv4.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, var address = Self.bytes(String(parts[0])) else { return nil }
        var length = address.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]),
                number <= length
            else { return nil }
            length = number
        }
        if address.count == 16, length >= 96, address.starts(with: Self.mappedPrefix) {
            address.removeFirst(12)
            length -= 96
        }
        for index in address.indices {
            let bits = min(max(length - 8 * index, 0), 8)
            address[index] &= UInt8(truncatingIfNeeded: 0xFF00 >> bits)
        }
        (self.address, prefixLength) = (address, length)
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The range as it is written in a configuration.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        inet_ntop(family, address, &text, socklen_t(text.count))
        let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return prefixLength == address.count * 8 ? host : "\(host)/\(prefixLength)"
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}

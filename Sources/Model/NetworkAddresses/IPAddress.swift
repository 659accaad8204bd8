package import Glibc

/// An IP address; one of version 4 is kept as `::ffff:a.b.c.d`.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 16 bytes in network order.
    package let bytes: [UInt8]

    /// Reads `192.168.1.10`, `2001:db8::1` or, with a zone that is passed over, `fe80::1%eth0`; nil for anything else.
    package init?(_ text: String) {
        // The functions of C end a text there.
        guard !text.utf8.contains(0) else { return nil }
        var version4 = in_addr()
        var version6 = in6_addr()
        let address = String(text.prefix { $0 != "%" })
        if address == text, inet_pton(AF_INET, text, &version4) == 1 {
            bytes = Self.mapped(withUnsafeBytes(of: version4) { Array($0) })
        } else if inet_pton(AF_INET6, address, &version6) == 1 {
            bytes = withUnsafeBytes(of: version6) { Array($0) }
        } else {
            return nil
        }
    }

    /// Takes 4 or 16 bytes in network order; nil for any other number.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes.count == 4 ? Self.mapped(bytes) : bytes
    }

    /// The address in a socket's address; nil for families other than IP.
    package init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                Self.mapped(withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) })
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// The address as sockets take it.
    package var description: String {
        if bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
            return bytes[12...].map { String($0) }.joined(separator: ".")
        }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// True if only this machine has the address.
    package var isLoopback: Bool {
        let (zeros, end) = ([UInt8](repeating: 0, count: 10), bytes[10...])
        return bytes.starts(with: zeros) && (end.starts(with: [0xFF, 0xFF, 127]) || Array(end) == [0, 0, 0, 0, 0, 1])
    }

    /// The bytes by which clients are counted: the address or, with version 6, the household's network of 64 bits.
    package var household: [UInt8] {
        let isVersion4 = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        // This machine's own is one address of a network without others.
        return isVersion4 || bytes[..<15].allSatisfy { $0 == 0 } ? bytes : Array(bytes[..<8])
    }

    private static func mapped(_ bytes: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes }

    /// An address of version 4, also where it stands in one of version 6: mapped, 6to4, NAT64.
    private var version4: IPAddress? {
        let zeros = bytes[..<10].allSatisfy { $0 == 0 }
        if zeros, bytes[10] == 0xFF, bytes[11] == 0xFF { return self }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return IPAddress(bytes: Array(bytes[2..<6])) }
        let isTranslated = bytes[..<4] == [0, 0x64, 0xFF, 0x9B] && bytes[4..<12].allSatisfy { $0 == 0 }
        return isTranslated ? IPAddress(bytes: Array(bytes[12...])) : nil
    }

    /// True if the address is one of the internet's: not of this machine, of a private network or of one link, and none
    /// that is set aside for other purposes.
    /// - Source: the IANA registries of special-purpose addresses, and RFC 6598 for carriers' own networks.
    package var isPublic: Bool {
        if let version4 { return !Self.reserved4.contains { $0.contains(version4) } }
        // Only 2000::/3 is given out; 2001::/32 and 2001:db8::/32 are for tunnels and examples.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        return !(bytes[0] == 0x20 && bytes[1] == 0x01 && (bytes[2...3] == [0, 0] || bytes[2...3] == [0x0D, 0xB8]))
    }

    private static let reserved4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3",
    ].compactMap { AddressRange($0) }
}

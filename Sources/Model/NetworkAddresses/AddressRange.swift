import Glibc

/// All addresses that begin with the same bits, such as `192.168.0.0/16`, or a single one.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// 16 bytes, of which those behind the prefix are 0.
    private let start: [UInt8]
    private let bits: Int

    /// Reads a numeric address, alone or with `/` and a number of bits; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, !text.contains("%"), let start = parts.first.flatMap({ IPAddress(String($0)) }) else {
            return nil
        }
        let width = parts[0].contains(":") ? 128 : 32
        guard let bits = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(bits) else { return nil }
        self.init(start, bits: bits + 128 - width)
    }

    /// The addresses that share this many first bits, of 128, with one of them.
    package init(_ start: IPAddress, bits: Int) {
        self.bits = bits
        self.start = start.bytes.enumerated().map { index, byte in
            byte & UInt8(truncatingIfNeeded: 0xFF00 >> min(max(bits - 8 * index, 0), 8))
        }
    }

    private var isVersion4: Bool { bits >= 96 && start.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) }

    /// The first address, 4 bytes for IPv4 or 16 for IPv6, in the network's order.
    package var address: [UInt8] { isVersion4 ? Array(start[12...]) : start }

    /// How many leading bits of `address` count.
    package var prefixLength: Int { isVersion4 ? bits - 96 : bits }

    /// True if an address lies in the range.
    package func contains(_ address: IPAddress) -> Bool { AddressRange(address, bits: bits).start == start }

    /// The range as it is written in a configuration.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isVersion4 ? AF_INET : AF_INET6, address, &text, socklen_t(text.count))
        let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return bits == 128 ? host : "\(host)/\(prefixLength)"
    }
}

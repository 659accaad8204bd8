/// Addresses that begin alike, such as `192.168.0.0/16`.
package struct AddressRange: Hashable, Sendable {
    private let start: IPAddress
    private let bits: Int

    /// Reads an address, or one with a slash and a number of bits; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let start = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        let width = parts[0].contains(":") ? 128 : 32
        guard let bits = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(bits) else { return nil }
        self.start = start
        self.bits = bits + 128 - width
    }

    /// The addresses that share so many first bits, of 128, with one of them.
    package init(_ start: IPAddress, bits: Int) {
        self.start = start
        self.bits = bits
    }

    /// Whether an address lies in the range.
    package func contains(_ address: IPAddress) -> Bool {
        IPAddress.isSame(start.bytes[...], address.bytes[...], bits: bits)
    }
}

import Testing

@testable import Coordination

@Suite("FNV-1a")
struct FNV1aTests {
    @Test(
        "the hash is the published one, so that what is stored with it stays valid",
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func published(text: String, expected: UInt64) {
        var hash = FNV1a()
        hash.combine(text)
        #expect(hash.value == expected)
    }

    @Test("bytes, texts and single bytes add up in the same way")
    func pieces() {
        var text = FNV1a()
        text.combine("Für Elise")
        var bytes = FNV1a()
        Array("Für Elise".utf8).withUnsafeBytes { bytes.combine($0) }
        var single = FNV1a()
        for byte in "Für Elise".utf8 { single.combine(byte: byte) }
        #expect(text == bytes && text == single)
    }

    @Test("places in a table lie within it and differ for names that begin alike")
    func slots() {
        let places = (0..<64).map { number in
            var hash = FNV1a()
            hash.combine("member\(number)")
            return hash.slot(of: 256)
        }
        #expect(places.allSatisfy { (0..<256).contains($0) })
        #expect(Set(places).count > 40)
    }
}

import Testing

@testable import MusicModel

@Suite struct DiscAddressTests {
    @Test(
        "an address names a drive and a track, or one of both, or none",
        arguments: [
            ("cdda:///dev/cdrom/3", "/dev/cdrom", 3), ("CDDA:///dev/sr1/12", "/dev/sr1", 12), ("cdda:///4", nil, 4),
            ("cdda:///dev/cdrom/", "/dev/cdrom", nil), ("cdda://", nil, nil), ("cdda:///", nil, nil),
        ] as [(String, String?, Int?)])
    func reads(url: String, device: String?, track: Int?) throws {
        let disc = try #require(DiscAddress(url))
        #expect(disc.device == device && disc.track == track)
        #expect(DiscAddress(disc.url) == disc)
    }

    @Test(
        "others are none",
        arguments: [
            "cdda:///dev/cdrom", "cdda:///dev/cdrom/0", "cdda:///dev/cdrom/100", "cdda:///dev/cdrom/+3",
            "cdda:///dev/cdrom/99999999999999999999", "cdda:/dev/cdrom/3", "http://a/3", "",
        ])
    func refuses(url: String) { #expect(DiscAddress(url) == nil) }
}

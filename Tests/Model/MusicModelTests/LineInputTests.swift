import MusicModel
import Testing

@Suite("Addresses of line inputs")
struct LineInputTests {
    @Test(
        "Device, rate and channels are read",
        arguments: [
            ("alsa://", "default", 48_000, nil), ("alsa://hw:1,0", "hw:1,0", 48_000, nil),
            ("ALSA://phono?format=44100:16:2", "phono", 44_100, 2), ("alsa://phono?format=*:*:1", "phono", 48_000, 1),
        ] as [(String, String, Int, Int?)])
    func read(url: String, device: String, rate: Int, channels: Int?) throws {
        let input = try #require(LineInput(url))
        #expect(input.device == device && input.rate == rate)
        #expect(input.channels == channels)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "http://hw:1", "alsa:/hw", "alsa://hw?rate=1", "alsa://hw?format=44100", "alsa://hw?format=1:16:2",
            "alsa://hw?format=99999999999999999999:16:2", "alsa://hw?format=44100:16:9",
        ])
    func refused(url: String) { #expect(LineInput(url) == nil) }
}

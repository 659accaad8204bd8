import MusicModel
import Testing

@testable import Outputs

@Suite("The formats that outputs may get")
struct AllowedFormatsTests {
    private func allowed(_ rates: Int..., highest: Int? = nil) -> AllowedFormats {
        var allowed = AllowedFormats()
        allowed.formats = rates.map { AudioFormat(sampleRate: $0, sample: .unknown, channels: 0) }
        allowed.maxRate = highest
        return allowed
    }

    @Test(
        "a highest rate keeps to the rate's family",
        arguments: [
            (44_100, 96_000, 44_100), (96_000, 96_000, 96_000), (176_400, 96_000, 88_200), (192_000, 96_000, 96_000),
            (352_800, 192_000, 176_400), (384_000, 192_000, 192_000), (88_200, 48_000, 44_100),
            (96_000, 44_100, 44_100),
            (48_000, 44_100, 44_100), (96_000, 10_000, 8_000),
        ])
    func highest(rate: Int, limit: Int, expected: Int) {
        #expect(allowed(highest: limit).format(rate: rate, channels: 2).sampleRate == expected)
    }

    @Test(
        "a song keeps its rate, or gets one of its family, rather a higher one",
        arguments: [
            (44_100, [44_100, 48_000], 44_100), (96_000, [44_100, 48_000], 48_000), (88_200, [44_100, 48_000], 44_100),
            (96_000, [48_000, 192_000], 192_000), (44_100, [48_000, 96_000], 48_000),
            (44_100, [22_050, 48_000], 48_000),
            (96_000, [44_100], 44_100), (12_345, [44_100, 48_000], 44_100),
        ])
    func nearest(rate: Int, rates: [Int], expected: Int) {
        var allowed = AllowedFormats()
        allowed.formats = rates.map { AudioFormat(sampleRate: $0, sample: .unknown, channels: 0) }
        #expect(allowed.format(rate: rate, channels: 2).sampleRate == expected)
    }

    @Test("of several formats with the rate the one with the most bits counts, and channels that none has are changed")
    func samples() {
        var allowed = AllowedFormats()
        allowed.formats = [
            AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2),
            AudioFormat(sampleRate: 44_100, sample: .integer(bits: 24), channels: 2),
            AudioFormat(sampleRate: 48_000, sample: .integer(bits: 16), channels: 2),
        ]
        let own = allowed.format(rate: 44_100, channels: 2)
        #expect(own == AudioFormat(sampleRate: 44_100, sample: .integer(bits: 24), channels: 0))
        let mono = allowed.format(rate: 48_000, channels: 1)
        #expect(mono == AudioFormat(sampleRate: 48_000, sample: .integer(bits: 16), channels: 2))
        #expect(AllowedFormats().isAny)
    }
}

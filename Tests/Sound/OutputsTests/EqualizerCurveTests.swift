import Testing

@testable import Outputs

@Suite("Equalizers as texts")
struct EqualizerCurveTests {
    @Test("AutoEQ's files are read")
    func autoEQ() throws {
        let curve = try EqualizerCurve(
            """
            Preamp: -6.2 dB
            Filter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70
            Filter 2: ON PK Fc 2400 Hz Gain -3.1 dB Q 1.41
            Filter 3: OFF PK Fc 100 Hz Gain 0.0 dB Q 1.00
            # a remark
            Filter 4: ON HSC Fc 10000 Hz Gain 2.0 dB Q 0.70

            """)
        #expect(curve.preamp == -6.2)
        #expect(
            curve.bands == [
                .init(shape: .lowShelf, frequency: 105, gain: 5.5, q: 0.7),
                .init(shape: .peak, frequency: 2400, gain: -3.1, q: 1.41),
                .init(shape: .highShelf, frequency: 10_000, gain: 2, q: 0.7),
            ])
        #expect(try EqualizerCurve("-6.2; LSC 105 5.5 0.7; PK 2400 -3.1 1.41; HSC 10000 2 0.70") == curve)
    }

    @Test("ten numbers are ten bands")
    func tenBands() throws {
        let curve = try EqualizerCurve("6 4 2 0 0 0 -1.5 1 3 4")
        #expect(curve.bands.map(\.frequency) == EqualizerCurve.tenBands)
        #expect(curve.bands.map(\.gain) == [6, 4, 2, 0, 0, 0, -1.5, 1, 3, 4])
    }

    @Test("AutoEQ's curves of points are read, with a preamp and in any order")
    func graphicEQ() throws {
        let curve = try EqualizerCurve("Preamp: -3 dB\nGraphicEQ: 1000 2.0; 20 -1.5; 4000 -2\n")
        #expect(curve.preamp == -3 && curve.bands.isEmpty)
        #expect(curve.points.map(\.frequency) == [20, 1000, 4000] && curve.points.map(\.gain) == [-1.5, 2, -2])
        // Straight over the logarithm: 2000 Hz lies in the middle.
        for (hertz, gain) in [(5.0, -1.5), (20, -1.5), (1000, 2), (2000, 0), (4000, -2), (20_000, -2)] {
            #expect(abs(EqualizerCurve.gain(of: curve.points, at: hertz) - gain) < 1e-9, "\(hertz) Hz")
        }
    }

    @Test("AutoEQ's fixed bands are read")
    func fixedBandEQ() throws {
        let gains = [-5.5, 1, 2, 0, -1, 0.5, 3, -2, 4, -6]
        let lines = zip(gains.indices, gains).map { index, gain in
            "Filter \(index + 1): ON PK Fc \(31 << index) Hz Gain \(gain) dB Q 1.41"
        }
        let curve = try EqualizerCurve("Preamp: -6.6 dB\n" + lines.joined(separator: "\n"))
        #expect(curve.preamp == -6.6 && curve.bands.map(\.gain) == gains)
    }

    @Test("impulse responses are chosen by name, and switched off and on again")
    func impulseResponses() {
        var settings = FilterSettings()
        let presets = FilterPresets(impulseResponses: ["Kitchen": "/k.wav", "Bath": "/b.wav"])
        #expect(settings.attributes(presets)["convolution"] == "0" && settings.attributes()["convolution"] == nil)
        #expect(settings.set("convolution", to: "1", presets: presets) == false)
        #expect(settings.set("convolution", to: "Kitchen", presets: presets) == true)
        #expect(settings.convolves && settings.impulseResponse == "/k.wav")
        #expect(settings.attributes(presets)["convolution"] == "Kitchen")
        #expect(settings.set("convolution", to: "0", presets: presets) == true)
        #expect(!settings.convolves && settings.attributes(presets)["convolution"] == "0")
        #expect(settings.set("convolution", to: "1", presets: presets) == true)
        #expect(settings.attributes(presets)["convolution"] == "Kitchen")
        #expect(settings.set("convolution", to: "Cellar", presets: presets) == false)
        #expect(settings.set("convolution", to: "Bath", presets: presets) == true)
        #expect(settings.impulseResponse == "/b.wav")
    }

    @Test(
        "what is none is refused with a reason",
        arguments: [
            "PK 1000", "PK 0 3 1", "PK 1000 99 1", "PK 1000 nan 1", "PK 1000 3 0", "XX 1000 3 1", "1 2 3", "-61",
            "Filter 1: MAYBE PK Fc 1 Hz Gain 1 dB Q 1", "PK 1e999 1 1", "hello",
            "GraphicEQ:", "GraphicEQ: 20", "GraphicEQ: 20 1 2", "GraphicEQ: 20 nan", "GraphicEQ: 0 1",
            "GraphicEQ: 20 99",
            "GraphicEQ: 20 1; 20 2", "GraphicEQ: 20 1\nGraphicEQ: 30 1",
            "GraphicEQ: " + (1...4097).map { "\($0) 1" }.joined(separator: ";"),
            Array(repeating: "PK 100 1 1", count: 65).joined(separator: ";"), String(repeating: "1", count: 70_000),
        ])
    func refused(text: String) {
        #expect(throws: SettingProblem.self) { try EqualizerCurve(text) }
    }

    @Test("attributes are told and set; what is no value of theirs changes nothing")
    func attributes() throws {
        var settings = FilterSettings()
        let presets = FilterPresets(equalizers: ["Loud": try EqualizerCurve("PK 100 3 1")])
        #expect(settings.isPlain)
        for (name, value) in [
            ("equalizer", "Loud"), ("mono", "1"), ("balance", "-100"), ("delay", "2000"), ("crossfeed", "on"),
            ("levelling", "1"),
        ] { #expect(settings.set(name, to: value, presets: presets) == true) }
        let before = settings
        for (name, value) in [
            ("equalizer", "Soft"), ("equalizer", "PK 1 1 1\n-3"), ("mono", "2"), ("balance", "101"), ("delay", "-1"),
            ("delay", "2001"), ("crossfeed", ""), ("balance", "1e2"),
        ] { #expect(settings.set(name, to: value, presets: presets) == false) }
        #expect(settings.set("bass", to: "1", presets: presets) == nil)
        // Without an impulse response there is nothing to switch.
        #expect(settings.set("convolution", to: "1", presets: presets) == nil)
        #expect(settings == before)
        #expect(
            settings.attributes() == [
                "equalizer": "Loud", "mono": "1", "balance": "-100", "delay": "2000", "crossfeed": "1",
                "levelling": "1", "effects": "off", "graph": "off",
            ])
    }
}

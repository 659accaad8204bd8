import Foundation
import Outputs
import Testing

@testable import AudioOutputs

@Suite("Plug-ins")
struct PluginTests {
    private static let rate = 48_000

    private func settings(effects: String? = nil, graph: String? = nil) throws -> FilterSettings {
        var settings = FilterSettings()
        if let effects { settings.effects = try EffectChain(effects) }
        if let graph { settings.graph = try FilterGraph(trusted: graph) }
        return settings
    }

    private func filters(_ settings: FilterSettings, channels: Int = 2) -> OutputFilters {
        var filters = OutputFilters()
        filters.set(settings, response: nil, rate: Self.rate, channels: channels)
        // From the first sample on.
        filters.reset()
        return filters
    }

    /// Filters a sound in pieces of odd lengths, as blocks come.
    private func process(_ samples: [Float], _ filters: inout OutputFilters, channels: Int = 2) -> [Float] {
        var result: [Float] = []
        var start = 0
        while start < samples.count {
            let end = min(samples.count, start + channels * [1920, 1, 777, 64][start % 4])
            var piece = Array(samples[start..<end])
            filters.process(&piece, rate: Self.rate, channels: channels)
            result += piece
            start = end
        }
        return result
    }

    private func gain(_ settings: FilterSettings, _ hertz: Double, channel: Int = 0) -> Double {
        var filters = filters(settings)
        let sound = process(tone(hertz, frames: Self.rate * 2), &filters)
        #expect(sound.count == Self.rate * 4)
        #expect(filters.takeReports().filter(\.isProblem) == [])
        return decibels(amplitude(sound.suffix(Self.rate * 2), hertz, channel: channel) / 0.25)
    }

    /// The noise of a generator of its own: different samples in both channels.
    private func noise(_ count: Int) -> [Float] { (0..<count).map { Float(($0 * 7919) % 2003 - 1001) / 2048 } }

    // MARK: Responses

    @Test("a LADSPA plug-in for one channel filters each channel as its formula says, within a tenth of a decibel")
    func ladspa() throws {
        let settings = try settings(effects: "ladspa-filter-so-lpf cutoff-frequency=1000")
        // The SDK's low-pass: y = (1 - a) x + a y', with a from the cosine of the cutoff.
        let comparison = 2 - cos(2 * .pi * 1000 / Double(Self.rate))
        let last = comparison - (comparison * comparison - 1).squareRoot()
        for hertz in [50.0, 500, 1000, 4000, 12_000] {
            let angle = 2 * .pi * hertz / Double(Self.rate)
            let size = (1 - 2 * last * cos(angle) + last * last).squareRoot()
            for channel in 0..<2 {
                #expect(abs(gain(settings, hertz, channel: channel) - decibels((1 - last) / size)) < 0.1, "\(hertz) Hz")
            }
        }
        // Each channel has a memory of its own.
        var filters = filters(settings)
        let left = tone(200, frames: Self.rate).enumerated().map { $0.offset % 2 == 0 ? $0.element : 0 }
        let heard = process(left, &filters)
        #expect(stride(from: 1, to: heard.count, by: 2).allSatisfy { heard[$0] == 0 })
        #expect(amplitude(heard, 200) > 0.2)
    }

    @Test("GStreamer's equalizer and FFmpeg's do what they are set to, within a tenth of a decibel")
    func equalizers() throws {
        let element = try settings(
            effects:
                "equalizer-nbands num-bands=1 band0::type=peak band0::freq=1000 band0::bandwidth=1000 band0::gain=-6")
        let graph = try settings(graph: "equalizer=f=1000:t=q:w=1:g=-6")
        for settings in [element, graph] {
            #expect(abs(gain(settings, 1000) + 6) < 0.1)
            #expect(abs(gain(settings, 20)) < 0.1)
        }
        for hertz in [300.0, 700, 1500, 5000] {
            // The cookbook's bell, warped as the digital one is.
            let s = tan(.pi * hertz / Double(Self.rate)) / tan(.pi * 1000 / Double(Self.rate))
            let a = pow(10, -6.0 / 40)
            func size(_ real: Double, _ imaginary: Double) -> Double {
                (real * real + imaginary * imaginary).squareRoot()
            }
            let bell = decibels(size(1 - s * s, s * a) / size(1 - s * s, s / a))
            #expect(abs(gain(graph, hertz) - bell) < 0.1, "\(hertz) Hz")
        }
    }

    @Test("several effects and a graph add up, behind the filters of ours")
    func together() throws {
        var settings = try settings(
            effects: "volume volume=0.5 ! ladspa-amp-so-amp-stereo gain=0.5", graph: "volume=-6dB")
        #expect(settings.set("equalizer", to: "-3") == true)
        #expect(abs(gain(settings, 1000) + 3 + 12.04 + 6) < 0.1)
    }

    @Test("LV2's plug-ins and elements for other kinds of samples filter, too")
    func others() throws {
        for effects in ["drobilla-net-plugins-mda-Limiter", "stereo stereo=0.5", "freeverb room-size=0.2 ! bs2b"] {
            var filters = filters(try settings(effects: effects))
            let sound = noise(96_000)
            let heard = process(sound, &filters)
            #expect(filters.takeReports() == [], "\(effects)")
            #expect(heard.count == sound.count && heard != sound && heard.contains { abs($0) > 0.05 }, "\(effects)")
        }
    }

    @Test(
        "a graph that changes nothing gives back the very samples, of one channel and of eight",
        arguments: [1, 2, 6, 8])
    func exact(channels: Int) throws {
        var filters = filters(try settings(effects: "volume", graph: "anull"), channels: channels)
        let sound = noise(96_000)
        #expect(process(sound, &filters, channels: channels) == sound)
        #expect(filters.takeReports() == [])
    }

    @Test("FFmpeg's limiter lets nothing be louder than its limit")
    func limiter() throws {
        var filters = filters(try settings(graph: "alimiter=limit=0.5:level=0"))
        let heard = process(tone(500, frames: Self.rate * 2, level: 1), &filters)
        #expect((heard.map(abs).max() ?? 1) <= 0.51)
        #expect(decibels(amplitude(heard.suffix(Self.rate), 500)) > -7)
    }

    // MARK: Latency

    @Test("an effect that gives its sound late is waited for once, and how late it is becomes known")
    func late() throws {
        var filters = filters(try settings(effects: "audiowsinclimit cutoff=23000 length=3001"))
        var sound = [Float](repeating: 0, count: Self.rate * 5)
        (sound[20_000], sound[20_001]) = (1, 1)
        let heard = process(sound, &filters)
        #expect(heard.count == sound.count)
        let loudest = (heard.indices.max { abs(heard[$0]) < abs(heard[$1]) } ?? 0) / 2
        let reports = filters.takeReports()
        let late = try #require(reports.first { !$0.isProblem }?.text.firstMatch(of: #/(\d+) ms later/#)?.1)
        #expect(Int(late) == (loudest - 10_000) * 1000 / Self.rate && loudest >= 10_000 + 1500)
        #expect(reports.count == 1)
    }

    @Test("a tone goes through late effects without a tear")
    func untorn() throws {
        for effects in ["audiowsinclimit cutoff=20000 length=3001", "audiowsinclimit cutoff=20000 length=9001"] {
            var filters = filters(try settings(effects: effects))
            let heard = process(tone(100, frames: Self.rate * 3), &filters)
            #expect(filters.takeReports().filter(\.isProblem) == [])
            // The tone begins with a bend of its own.
            #expect(bend(heard.suffix(Self.rate * 4)) < 0.001, "\(effects)")
        }
    }

    /// The largest second difference of the left channel, in which a click stands out.
    private func bend(_ samples: some Collection<Float>) -> Float {
        let left = samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        return zip(zip(left.dropFirst(2), left.dropFirst()), left).map { abs($0.0.0 - 2 * $0.0.1 + $0.1) }.max() ?? 0
    }

    @Test("switching plug-ins while a tone plays makes no step above -60 dB")
    func switching() throws {
        var filters = OutputFilters()
        let steps: [(String?, String?)] = [
            ("volume volume=0.3", nil), ("ladspa-filter-so-lpf cutoff-frequency=300", nil), (nil, "volume=-9dB"),
            ("audiowsinclimit cutoff=20000 length=3001", nil), ("freeverb", "aphaser"), (nil, "nothing"),
            ("nothing ! volume volume=0.5", nil), (nil, nil), ("audiopanorama panorama=-0.5", "alimiter=level=0"),
            (nil, nil),
        ]
        let sound = tone(100, frames: Self.rate * 6)
        var (result, place): ([Float], Int) = ([], 0)
        for (number, step) in steps.enumerated() {
            // Changes come anywhere in a period, and the last ones on the way to another one.
            let pieces = number < 7 ? 46_300 : 7000
            result += process(Array(sound[place..<place + pieces]), &filters)
            place += pieces
            filters.set(
                try settings(effects: step.0, graph: step.1), response: nil, rate: Self.rate, channels: 2)
        }
        result += process(Array(sound[place...]), &filters)
        #expect(result.count == sound.count)
        #expect(bend(result) < 0.001)
        #expect(result.suffix(2000).elementsEqual(sound.suffix(2000)))
    }

    // MARK: Failures

    @Test(
        "a plug-in that can't be made is left out with one line, and everything else goes on",
        arguments: [
            ("nothing-of-this-name", "GStreamer has no such element"), ("ladspa-no-so-no", "swh-plugins"),
            ("filesink", "no filter of sound"), ("fakesrc", "no filter of sound"), ("queue", "no filter of sound"),
            ("festival", "no filter of sound"), ("freeverb room-size=7", "from 0 to 1"),
            ("freeverb colour=1", "no property \"colour\""), ("audioecho max-delay=99999999999", "10 s at the most"),
            ("volume name=1", "none of numbers"), ("level interval=1", "none of numbers"),
            ("level post-messages=1", "none of numbers"), ("spectrum post-messages=1", "none of numbers"),
            ("spectrum bands=1073741824", "from 2 to 4096"), ("audiowsinclimit length=2000000000", "from 3 to 256000"),
            ("audiodynamic mode=loud", "compressor"),
            ("rgvolume volume0::volume=1", "no property"),
            ("ladspa-surround-encoder-1401-so-surroundencoder", "doesn't take 2 channels"),
        ])
    func left(out effects: String, reason: String) throws {
        var filters = filters(try settings(effects: effects + " ! volume volume=0.5"))
        let sound = noise(20_000)
        #expect(process(sound, &filters) == sound.map { $0 * 0.5 })
        filters.reset()
        _ = process(sound, &filters)
        let reports = filters.takeReports()
        #expect(reports.count == 1 && reports[0].isProblem && reports[0].text.contains(reason), "\(reports)")
        if reason.contains("take") { return }
        #expect(throws: SettingProblem.self) { try EffectChain(effects).check() }
    }

    @Test(
        "a plug-in that gives more or less sound than it gets is taken out, and the sound goes on without it",
        arguments: [
            ("pitch tempo=2", nil, "less"), ("pitch tempo=0.3", nil, "more"), (nil, "atempo=2", "less"),
            (nil, "atempo=0.5", "more"), (nil, "atrim=end=1", "End of file"),
        ] as [(String?, String?, String)])
    func uneven(effects: String?, graph: String?, reason: String) throws {
        var filters = filters(try settings(effects: effects, graph: graph))
        let sound = noise(Self.rate * 60)
        let heard = process(sound, &filters)
        let reports = filters.takeReports().filter(\.isProblem)
        #expect(reports.count == 1 && reports[0].text.contains(reason), "\(reports)")
        #expect(heard.count == sound.count && heard.suffix(1000).elementsEqual(sound.suffix(1000)))
    }

    @Test("samples that are no numbers never leave, and a plug-in that gives nothing else is taken out")
    func noNumbers() throws {
        // Without a cutoff its response is 0 divided by 0.
        var filters = filters(try settings(effects: "audiowsinclimit length=101 ! volume"))
        let sound = noise(Self.rate * 6)
        let heard = process(sound, &filters)
        #expect(heard.allSatisfy { $0.isFinite && abs($0) <= 16 })
        #expect(filters.takeReports().map(\.isProblem) == [true])
        #expect(heard.suffix(1000).elementsEqual(sound.suffix(1000)))
        // An amplifier up to what a float can be.
        var loud = self.filters(
            try settings(effects: "ladspa-amp-so-amp-stereo gain=3e38 ! ladspa-amp-so-amp-stereo gain=3e38"))
        let amplified = process(sound, &loud)
        #expect(amplified.allSatisfy { $0.isFinite && abs($0) <= 16 })
    }

    @Test("names of elements and values that are set say the package or the range at once")
    func checks() throws {
        try EffectChain("freeverb room-size=0.3 ! equalizer-nbands band0::gain=-6 band0::type=low-shelf").check()
        try FilterGraph(client: "acompressor=ratio=4, volume=-3dB").check()
        do throws(SettingProblem) {
            try EffectChain("volume ! ladspa-none-so-none").check()
            Issue.record("there is such an element")
        } catch {
            #expect(error.description.contains("ladspa-none-so-none") && error.description.contains("swh-plugins"))
        }
        #expect(throws: SettingProblem.self) { try FilterGraph(client: "volume=loud").check() }
    }
}

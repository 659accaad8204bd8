import Foundation
import Outputs
import Testing

@testable import AudioOutputs

/// A tone of some frames, the same in all channels.
func tone(_ hertz: Double, frames: Int, rate: Int = 48_000, channels: Int = 2, level: Float = 0.25) -> [Float] {
    let step = 2 * .pi * hertz / Double(rate)
    return [Float](unsafeUninitializedCapacity: frames * channels) { samples, count in
        // Plain loops: programs that are not optimised take ten times as long for others.
        while count < frames * channels {
            let value = level * Float(sin(step * Double(count / channels)))
            for _ in 0..<channels {
                samples[count] = value
                count += 1
            }
        }
    }
}

/// How loud a tone is within interleaved sound, by its own frequency alone.
func amplitude(_ samples: some Collection<Float>, _ hertz: Double, channel: Int = 0, rate: Int = 48_000) -> Double {
    var (real, imaginary, count) = (0.0, 0.0, 0)
    let step = 2 * .pi * hertz / Double(rate)
    Array(samples).withUnsafeBufferPointer { samples in
        while 2 * count + channel < samples.count {
            let (angle, sample) = (step * Double(count), Double(samples[2 * count + channel]))
            real += sample * cos(angle)
            imaginary += sample * sin(angle)
            count += 1
        }
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
}

func decibels(_ factor: Double) -> Double { 20 * log10(factor) }

/// The largest change from a sample to the next of its channel.
func maxStep(_ samples: some Collection<Float>) -> Float {
    zip(samples.dropFirst(2), samples).map { abs($0 - $1) }.max() ?? 0
}

@Suite("Filters")
struct FilterTests {
    private static let rate = 48_000

    /// Filters a sound in pieces of odd lengths, as blocks come.
    private func filtered(
        _ samples: [Float], _ settings: FilterSettings, response: ImpulseResponse? = nil, rate: Int = Self.rate
    ) -> [Float] {
        var filters = OutputFilters()
        filters.set(settings, response: response, rate: rate, channels: 2)
        // From the first sample on.
        filters.reset()
        return process(samples, &filters, rate: rate)
    }

    private func process(_ samples: [Float], _ filters: inout OutputFilters, rate: Int = Self.rate) -> [Float] {
        var result: [Float] = []
        var start = 0
        while start < samples.count {
            let end = min(samples.count, start + 2 * [1920, 1, 777, 64][start % 4])
            var piece = Array(samples[start..<end])
            filters.process(&piece, rate: rate, channels: 2)
            result += piece
            start = end
        }
        return result
    }

    /// What an analogue filter of the cookbook does at a frequency, warped as the digital one is.
    private func expected(_ band: EqualizerCurve.Band, at hertz: Double, rate: Int) -> Double {
        // s = j tan(w/2) / tan(w0/2): the bilinear transform.
        let s = tan(.pi * hertz / Double(rate)) / tan(.pi * band.frequency / Double(rate))
        let a = pow(10, band.gain / 40)
        func size(_ real: Double, _ imaginary: Double) -> Double { (real * real + imaginary * imaginary).squareRoot() }
        switch band.shape {
        case .peak: return decibels(size(1 - s * s, s * a / band.q) / size(1 - s * s, s / (a * band.q)))
        case .lowShelf:
            let slope = a.squareRoot() / band.q * s
            return decibels(a * size(a - s * s, slope) / size(1 - a * s * s, slope))
        case .highShelf:
            let slope = a.squareRoot() / band.q * s
            return decibels(a * size(1 - a * s * s, slope) / size(a - s * s, slope))
        }
    }

    @Test(
        "an equalizer does what its filters say, within a tenth of a decibel",
        arguments: [
            "PK 1000 6 1.41", "PK 100 -12 4", "PK 15000 3 0.5", "LSC 105 5.5 0.7", "LSC 1000 -6 1", "HSC 10000 4 0.7",
            "HSC 2000 -9 0.5",
        ], [44_100, 96_000])
    func equalizer(text: String, rate: Int) throws {
        var settings = FilterSettings()
        let curve = try EqualizerCurve(text)
        #expect(settings.set("equalizer", to: text) == true)
        for hertz in [30.0, 100, 300, 1000, 3000, 10_000, 15_000, 20_000] {
            let sound = filtered(tone(hertz, frames: rate, rate: rate), settings, rate: rate)
            // The beginning is left out, until the filters are steady.
            let gain = decibels(amplitude(sound.suffix(rate), hertz, rate: rate) / 0.25)
            #expect(abs(gain - expected(curve.bands[0], at: hertz, rate: rate)) < 0.1, "\(hertz) Hz")
        }
    }

    /// AutoEQ's 127 points, a twelfth of an octave apart, of a headphone with a weak bass and narrow peaks.
    private static let graphicEQ: String = {
        let pairs = (0..<127).map { index -> String in
            let hertz = 20 * pow(1000, Double(index) / 126)
            func bell(_ middle: Double, _ gain: Double, _ octaves: Double) -> Double {
                gain * exp(-pow(log2(hertz / middle) / octaves, 2))
            }
            let gain =
                -6 + 7 / (1 + pow(hertz / 105, 2)) + bell(200, -2.4, 0.8) + bell(3000, 6, 0.3) + bell(6100, -8, 0.15)
                + bell(9000, 5, 0.2) + bell(15_000, -7, 0.3)
            return "\(hertz) \(gain)"
        }
        return "GraphicEQ: " + pairs.joined(separator: "; ")
    }()

    @Test(
        "a curve of points is followed within a tenth of a decibel, and nothing sounds before its time",
        arguments: [graphicEQ, "GraphicEQ: 20 12; 1000 -12; 20000 12", "GraphicEQ: 100 -3"])
    func followsPoints(text: String) throws {
        var settings = FilterSettings()
        let curve = try EqualizerCurve(text)
        settings.equalizer = curve
        // As many whole periods as there are in the second that is measured.
        for hertz in [20.0, 25, 32, 63, 105, 210, 777, 1000, 2500, 3000, 6100, 7000, 9000, 12_000, 15_000, 19_000] {
            let sound = filtered(tone(hertz, frames: Self.rate * 5 / 4, level: 0.05), settings)
            let gain = decibels(amplitude(sound.suffix(Self.rate * 2), hertz) / 0.05)
            #expect(abs(gain - EqualizerCurve.gain(of: curve.points, at: hertz)) < 0.1, "\(hertz) Hz: \(gain)")
        }
        var impulse = [Float](repeating: 0, count: Self.rate)
        (impulse[0], impulse[1]) = (1, 1)
        let heard = filtered(impulse, settings)
        let loudest = heard.indices.max { abs(heard[$0]) < abs(heard[$1]) } ?? 0
        #expect(loudest / 2 < 1024 + 48)
        #expect(heard.prefix(2 * 1023).allSatisfy { abs($0) < 0.001 })
    }

    @Test("a preamp and several filters add up")
    func curve() throws {
        var settings = FilterSettings()
        #expect(settings.set("equalizer", to: "-6; PK 1000 6 1; PK 1000 -2 1") == true)
        let sound = filtered(tone(1000, frames: Self.rate), settings)
        #expect(abs(decibels(amplitude(sound.suffix(Self.rate), 1000) / 0.25) + 2) < 0.1)
    }

    @Test("switching filters while a tone plays makes no step above -60 dB")
    func switching() throws {
        var filters = OutputFilters()
        let sound = tone(100, frames: Self.rate * 3)
        let response = try #require(ImpulseResponse(channels: [[0.5, 0.25, 0, -0.125]]))
        let steps: [(String, String)] = [
            ("equalizer", "12; PK 100 -12 1"), ("equalizer", "LSC 200 -6 0.7"), ("crossfeed", "1"), ("mono", "1"),
            ("balance", "40"), ("delay", "30"), ("levelling", "1"), ("convolution", "1"), ("equalizer", "off"),
            ("delay", "0"),
            ("convolution", "0"),
        ]
        var settings = FilterSettings()
        settings.impulseResponse = "/a.wav"
        settings.isConvolved = false
        var result: [Float] = []
        var place = 0
        for (number, (attribute, value)) in steps.enumerated() {
            // Changes come anywhere in a period, and the last three on the way to another one.
            let pieces = number < 8 ? 19_300 : 3500
            result += process(Array(sound[place..<place + pieces]), &filters)
            place += pieces
            #expect(settings.set(attribute, to: value) == true)
            filters.set(settings, response: response, rate: Self.rate, channels: 2)
        }
        result += process(Array(sound[place...]), &filters)
        // A tone of 100 Hz changes by 0.0131 of its height at most from one sample to the next, and by 0.00017 less or
        // more from one step to the next; a click would be in the second difference.
        let second = zip(zip(result.dropFirst(4), result.dropFirst(2)), result).map {
            abs($0.0.0 - 2 * $0.0.1 + $0.1)
        }
        #expect(second.max() ?? 1 < 0.001)
    }

    @Test("mono, balance and delay are exact")
    func simple() {
        var settings = FilterSettings()
        let sound: [Float] = (0..<20_000).map { Float(($0 * 7919) % 2003 - 1001) / 2048 }
        settings.isMono = true
        let mono = filtered(sound, settings)
        let middles = stride(from: 0, to: sound.count, by: 2).map { (sound[$0] + sound[$0 + 1]) / 2 }
        for channel in 0..<2 {
            let heard = stride(from: channel, to: mono.count, by: 2).map { mono[$0] }
            #expect(zip(heard, middles).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        settings = FilterSettings()
        settings.balance = -25
        let balanced = filtered(sound, settings)
        let softer = sound.enumerated().map { $0.offset % 2 == 0 ? $0.element : $0.element * 0.75 }
        #expect(balanced == softer)
        settings = FilterSettings()
        settings.delay = 10
        let delayed = filtered(sound, settings)
        #expect(delayed[..<960].allSatisfy { $0 == 0 } && delayed[960...].elementsEqual(sound[..<19_040]))
    }

    /// Filters a second of surround sound whose frames are all the same, and gives the last one.
    private func lastFrame(_ frame: [Float], _ settings: FilterSettings, response: ImpulseResponse? = nil) -> [Float] {
        var filters = OutputFilters()
        filters.set(settings, response: response, rate: Self.rate, channels: frame.count)
        filters.reset()
        var sound = (0..<9600).flatMap { _ in frame }
        filters.process(&sound, rate: Self.rate, channels: frame.count)
        return Array(sound.suffix(frame.count))
    }

    @Test("surround is balanced by sides, and becomes mono without its low notes")
    func surround() {
        let frame: [Float] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        var settings = FilterSettings()
        settings.balance = 50
        #expect(lastFrame(frame, settings) == [0.05, 0.2, 0.3, 0.4, 0.25, 0.6])
        settings = FilterSettings()
        settings.isMono = true
        let mono = lastFrame(frame, settings)
        for index in [0, 1, 2, 4, 5] { #expect(abs(mono[index] - 0.34) < 1e-6) }
        #expect(mono[3] == 0.4)
        settings = FilterSettings()
        settings.hasCrossfeed = true
        #expect(lastFrame(frame, settings) == frame)
    }

    @Test("a response for each side, or for each channel, is that of surround speakers, too")
    func surroundResponses() throws {
        let frame: [Float] = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
        var settings = FilterSettings()
        settings.impulseResponse = "/a.wav"
        func heard(_ factors: [Float]) throws -> [Float] {
            let response = try #require(ImpulseResponse(channels: factors.map { [$0, 0, 0] }))
            return lastFrame(frame, settings, response: response).map { ($0 * 200).rounded() / 100 }
        }
        #expect(try heard([0.5]) == [0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
        #expect(try heard([0.2, 0.4]) == [0.2, 0.4, 0.3, 0.3, 0.2, 0.4])
        #expect(try heard([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    }

    /// The response of bs2b at 700 Hz and 4.5 dB: what an ear hears of its own channel, and of the other one, as
    /// complex numbers.
    private func crossfed(_ hertz: Double, rate: Int) -> (own: (Double, Double), other: (Double, Double)) {
        let (low, high) = (-4.5 * 5 / 6 - 3, 4.5 / 6 - 3)
        let (soft, loud) = (pow(10, low / 20), 1 - pow(10, high / 20))
        let angle = 2 * .pi * hertz / Double(rate)
        // (1 - x) / (1 - x z^-1), a filter of the first order.
        func lowPass(_ cut: Double) -> (Double, Double) {
            let x = exp(-2 * .pi * cut / Double(rate))
            let (real, imaginary) = (1 - x * cos(angle), x * sin(angle))
            let size = real * real + imaginary * imaginary
            return ((1 - x) * real / size, -(1 - x) * imaginary / size)
        }
        let gain = 1 / (1 - loud + soft)
        let (own, other) = (lowPass(700 * pow(2, (low - 20 * log10(loud)) / 12)), lowPass(700))
        return (((1 - loud * own.0) * gain, -loud * own.1 * gain), (soft * other.0 * gain, soft * other.1 * gain))
    }

    @Test("crossfeed is that of bs2b, within a tenth of a decibel", arguments: [44_100, 96_000])
    func crossfeed(rate: Int) {
        var settings = FilterSettings()
        settings.hasCrossfeed = true
        func size(_ number: (Double, Double)) -> Double { (number.0 * number.0 + number.1 * number.1).squareRoot() }
        for hertz in [20.0, 100, 700, 3000, 12_000] {
            let (own, other) = crossfed(hertz, rate: rate)
            let middle = filtered(tone(hertz, frames: rate, rate: rate), settings, rate: rate)
            let loud = decibels(amplitude(middle.suffix(rate), hertz, rate: rate) / 0.25)
            #expect(abs(loud - decibels(size((own.0 + other.0, own.1 + other.1)))) < 0.1, "\(hertz) Hz, both")
            let left = tone(hertz, frames: rate, rate: rate).enumerated().map { $0.offset % 2 == 0 ? $0.element : 0 }
            let sound = filtered(left, settings, rate: rate).suffix(rate)
            for (channel, expected) in [own, other].enumerated() {
                let heard = decibels(amplitude(sound, hertz, channel: channel, rate: rate) / 0.25)
                #expect(abs(heard - decibels(size(expected))) < 0.1, "\(hertz) Hz, channel \(channel)")
            }
        }
    }

    @Test("crossfeed leaves what both channels have about as loud as it is, and high notes on their side")
    func crossfeedInUse() {
        var settings = FilterSettings()
        settings.hasCrossfeed = true
        let middle = filtered(tone(200, frames: Self.rate), settings)
        #expect(abs(decibels(amplitude(middle.suffix(Self.rate), 200) / 0.25)) < 0.3)
        let left = tone(8000, frames: Self.rate).enumerated().map { $0.offset % 2 == 0 ? $0.element : 0 }
        let sound = filtered(left, settings).suffix(Self.rate)
        #expect(decibels(amplitude(sound, 8000, channel: 1) / amplitude(sound, 8000, channel: 0)) < -18)
    }

    @Test(
        "levelling brings a tone to its aim within a tenth of a decibel, as far as its gain goes",
        // Its aim, and the bounds of its gain: a quarter and four times.
        arguments: zip([0.1, 0.4, 0.02, 0.9] as [Float], [0.126, 0.126, 0.0566, 0.1591]))
    func levellingAims(level: Float, aim: Double) {
        var settings = FilterSettings()
        settings.isLevelled = true
        let sound = filtered(tone(500, frames: Self.rate * 40, level: level), settings)
        let loud = amplitude(sound.suffix(Self.rate), 500) / 2.0.squareRoot()
        #expect(abs(decibels(loud / aim)) < 0.1)
    }

    @Test("levelling lets no peak be too high or cut off")
    func levelling() {
        var settings = FilterSettings()
        settings.isLevelled = true
        // Soft for long, so that the gain is high, and then of a sudden as loud as can be.
        let burst = tone(500, frames: Self.rate * 10, level: 0.03) + tone(500, frames: 4800, level: 1)
        let sound = filtered(burst, settings)
        #expect((sound.map(abs).max() ?? 2) <= 0.981)
        #expect(maxStep(sound) < 0.09)
        // Silence stays silence.
        #expect(filtered([Float](repeating: 0, count: 200_000), settings).allSatisfy { $0 == 0 })
    }

    /// Convolution as it is defined, for comparison.
    private func convolved(_ samples: [Float], _ response: [Float], channel: Int) -> [Float] {
        let input = stride(from: channel, to: samples.count, by: 2).map { samples[$0] }
        return input.withUnsafeBufferPointer { input in
            response.withUnsafeBufferPointer { response in
                input.indices.map { place in
                    var (sum, tap) = (Float(0), 0)
                    while tap <= place, tap < response.count {
                        sum += input[place - tap] * response[tap]
                        tap += 1
                    }
                    return sum
                }
            }
        }
    }

    @Test("convolution is exact, 1024 frames late, for one response and for one of each channel", arguments: [1, 2])
    func convolution(channels: Int) throws {
        func noise(_ count: Int, _ seed: Int) -> [Float] {
            (0..<count).map { Float(($0 * 7919 + seed * 104_729) % 2003 - 1001) / 20_030 }
        }
        let responses = (0..<channels).map { noise(1300, $0) }
        let response = try #require(ImpulseResponse(channels: responses))
        var settings = FilterSettings()
        settings.impulseResponse = "room.wav"
        let sound = noise(8_000, 5)
        let result = filtered(sound, settings, response: response)
        #expect(result[..<2048].allSatisfy { $0 == 0 })
        for channel in 0..<2 {
            let expected = convolved(sound, responses[min(channel, channels - 1)], channel: channel)
            let heard = stride(from: 2048 + channel, to: result.count, by: 2).map { result[$0] }
            #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-4 })
        }
    }

    @Test("a response without sound, or with channels of different lengths, is none")
    func noResponse() {
        #expect(ImpulseResponse(channels: []) == nil)
        #expect(ImpulseResponse(channels: [[]]) == nil)
        #expect(ImpulseResponse(channels: [[1], [1, 2]]) == nil)
    }
}

import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

/// Files and samples of more than two channels.
private enum Surround {
    /// A WAV file whose header names the places of the channels, as Windows numbers them.
    static func wav(_ samples: [Int16], channels: Int, mask: UInt32, rate: Int = 48000) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let data = samples.withUnsafeBytes { Array($0) }
        let uuid: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
        return Array("RIFF".utf8) + little(60 + data.count, 4) + Array("WAVEfmt ".utf8) + little(40, 4)
            + little(0xfffe, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4)
            + little(channels * 2, 2) + little(16, 2) + little(22, 2) + little(16, 2) + little(Int(mask), 4)
            + little(1, 2) + uuid + Array("data".utf8) + little(data.count, 4) + data
    }

    /// The masks that headers have for the usual layouts.
    static let masks: [Int: UInt32] = [3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3f, 7: 0x70f, 8: 0x63f]

    /// Frames that are all the same, with a level of its own in each channel: 1000, 2000, ...
    static func levels(_ channels: Int, frames: Int = 4800) -> [Int16] {
        (0..<frames).flatMap { _ in (1...channels).map { Int16($0 * 1000) } }
    }

    /// The samples of a recording of 16 bits, and its channels; a header of more than two names their places.
    static func read(_ path: String) throws -> (samples: [Int16], channels: Int, mask: Int) {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func little(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        try #require(bytes.count >= 68)
        let channels = little(22, 2)
        let start = channels > 2 ? 68 : 44
        #expect(little(start - 4, 4) == bytes.count - start && little(4, 4) == bytes.count - 8)
        let samples = stride(from: start, to: bytes.count - 1, by: 2).map {
            Int16(truncatingIfNeeded: little($0, 2))
        }
        return (samples, channels, channels > 2 ? little(40, 4) : 0)
    }

    static func samples(ofPipe path: String) throws -> [Int16] {
        try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    /// How loud a tone is in a channel, as a part of full scale.
    static func level(_ samples: [Int16], _ hertz: Double, channel: Int, of channels: Int) -> Double {
        var (real, imaginary, count) = (0.0, 0.0, 0)
        let frames = samples.count / channels
        for frame in frames / 4..<frames * 3 / 4 {
            let angle = 2 * .pi * hertz * Double(frame) / 48000
            real += Double(samples[frame * channels + channel]) * cos(angle)
            imaginary += Double(samples[frame * channels + channel]) * sin(angle)
            count += 1
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(1, count)) / 32768
    }
}

extension AudioTests {
    /// Songs of more than two channels, from the file to what leaves an output.
    @Suite(.timeLimit(.minutes(4)))
    struct SurroundTests {
        private func pipe(
            _ folder: TemporaryFolder, _ name: String, channels: Int? = nil, route: String? = nil
        ) throws -> OutputSpecification {
            var output = OutputSpecification(type: .pipe, name: name)
            output.command = "cat > '\(folder.file(name))'"
            output.format = AudioFormat(sampleRate: 48000, sample: .integer(bits: 16), channels: channels ?? 0)
            output.route = try route.map { text throws(ChannelRouteProblem) in try ChannelRoute(text) }
            return output
        }

        private func add(
            _ bench: Bench, _ number: Int64, _ samples: [Int16], channels: Int, mask: UInt32? = nil
        ) throws {
            let path = bench.folder.file("\(number).wav")
            let bytes =
                mask.map { Surround.wav(samples, channels: channels, mask: $0) }
                ?? TestSound.wav(samples, rate: 48000, channels: channels)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            bench.provider.add(number, path: path)
        }

        private func play(_ bench: Bench, _ count: UInt64 = 1) async {
            bench.start(1)
            for play in 2..<(count + 1) {
                bench.engine.prepareNext(bench.track(play))
                if play < count { #expect(await bench.log.waits(for: "started \(play)")) }
            }
            #expect(await bench.log.waits(for: "finished \(count)"))
            await bench.engine.shutDown()
        }

        // MARK: As it is

        @Test("all channels are recorded to the sample, whether the header names their places or not", arguments: 3...8)
        func exact(channels: Int) async throws {
            // GStreamer takes four channels without places in such a header for 3.1.
            for mask in [Surround.masks[channels], nil, 0] where mask != 0 || channels != 4 {
                let bench = Bench()
                let samples = TestSound.noise(frames: 20_011, channels: channels)
                try add(bench, 1, samples, channels: channels, mask: mask)
                await play(bench)
                let heard = try Surround.read(bench.recording)
                #expect(heard.channels == channels && heard.mask == Surround.masks[channels].map(Int.init))
                let isExact = isSame(heard.samples, samples)
                #expect(isExact, "\(channels) channels, mask \(mask ?? 99)")
            }
        }

        @Test("the song's own format is told, with all its channels", arguments: [3, 6, 8])
        func told(channels: Int) async throws {
            let bench = Bench { [OutputSpecification(type: .null, name: "N", path: $0.path, sync: false)] }
            try add(bench, 1, Surround.levels(channels), channels: channels, mask: Surround.masks[channels])
            await play(bench)
            let formats = bench.log.all.compactMap { if case .info(1, let format, _, _) = $0 { format } else { nil } }
            #expect(formats.last?.wireText == "48000:16:\(channels)")
        }

        @Test("songs of as many channels join without a sample between them")
        func joins() async throws {
            let bench = Bench(.virtual)
            let songs = (1...3).map { TestSound.noise(frames: 48_000 + $0, channels: 6, seed: UInt32($0)) }
            // Surrounds behind the listener and at the sides are the same here.
            for (index, mask) in [0x3f, 0x60f, 0x3f].enumerated() {
                try add(bench, Int64(index + 1), songs[index], channels: 6, mask: UInt32(mask))
            }
            await play(bench, 3)
            let heard = try Surround.read(bench.recording)
            let isExact = isSame(heard.samples, songs.joined())
            #expect(heard.channels == 6 && isExact)
        }

        @Test("a recording keeps the channels with which it began, to the frame")
        func changing() async throws {
            for (first, second) in [(2, 6), (6, 2)] {
                let bench = Bench(.virtual)
                let counts = [first, second]
                for (index, channels) in counts.enumerated() {
                    try add(
                        bench, Int64(index + 1), Surround.levels(channels, frames: 24000), channels: channels,
                        mask: Surround.masks[channels] ?? 3)
                }
                await play(bench, 2)
                let heard = try Surround.read(bench.recording)
                let count = 24000 * first
                #expect(heard.channels == first)
                #expect(heard.samples.count == 2 * count)
                let isExact = isSame(heard.samples.prefix(count), Surround.levels(first, frames: 24000))
                #expect(isExact)
                let rest = Array(heard.samples.dropFirst(count))
                if first == 6 { #expect(isSame(rest.prefix(6), [1000, 2000, 0, 0, 0, 0])) }
            }
        }

        /// The tones in the channels of the files in Tests/Fixtures/audio.
        private static let tones: [Double] = [440, 880, 1320, 60, 1760, 2200, 2640, 3080]
        /// Whether a tone is as loud as it was made, within 2.5 dB.
        private static func isWhole(_ level: Double) -> Bool { level > 0.19 && level < 0.33 }

        @Test(
            "each decoder's channels come in the usual order",
            arguments: [
                ("-6.flac", 6), ("-6.opus", 6), ("-6.ogg", 6), ("-6.m4a", 6), ("-7.flac", 7), ("-8.flac", 8),
            ])
        func order(kind: String, channels: Int) async throws {
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("surround", kind))
            await play(bench)
            let heard = try Surround.read(bench.recording)
            #expect(heard.channels == channels)
            for channel in 0..<channels {
                let level = Surround.level(heard.samples, Self.tones[channel], channel: channel, of: channels)
                #expect(Self.isWhole(level), "\(kind): channel \(channel) has \(level)")
            }
        }

        @Test(
            "a recording has every channel in its place",
            arguments: [("out.flac", 8), ("out.flac", 7), ("out.flac", 6), ("out.opus", 6), ("out.ogg", 6)])
        func recorded(name: String, channels: Int) async throws {
            let bench = Bench { [OutputSpecification(type: .file, name: "R", path: $0.file(name))] }
            var samples: [Int16] = []
            for frame in 0..<24000 {
                for tone in Self.tones.prefix(channels) {
                    let angle: Double = 2 * .pi * tone * Double(frame) / 48000
                    samples.append(Int16((8192 * sin(angle)).rounded()))
                }
            }
            try add(bench, 1, samples, channels: channels, mask: Surround.masks[channels])
            await play(bench)
            let again = Bench()
            again.provider.add(1, path: bench.folder.file(name))
            await play(again)
            let heard = try Surround.read(again.recording)
            #expect(heard.channels == channels)
            if name.hasSuffix(".flac") {
                let isExact = isSame(heard.samples, samples)
                #expect(isExact)
                return
            }
            for channel in 0..<channels {
                let level = Surround.level(heard.samples, Self.tones[channel], channel: channel, of: channels)
                #expect(Self.isWhole(level), "\(name): channel \(channel) has \(level)")
            }
        }

        @Test("more than eight channels are refused, and said", arguments: [9, 64, 65])
        func tooMany(channels: Int) async throws {
            let bench = Bench()
            try add(bench, 1, [Int16](repeating: 0, count: channels * 480), channels: channels)
            bench.start(1)
            #expect(await bench.log.waits(for: "failed 1"))
            await bench.engine.shutDown()
            let messages = bench.log.all.compactMap { if case .failed(_, let text) = $0 { text } else { nil } }
            #expect(messages.first?.contains("\(channels) channels; at most 8") == true, "\(messages)")
        }

        // MARK: What outputs get

        @Test("each output gets the channels that it has: all, two, one, or as a route says")
        func outputs() async throws {
            let bench = Bench { folder in
                let outputs = [
                    try? pipe(folder, "six", channels: 6), try? pipe(folder, "two", channels: 2),
                    try? pipe(folder, "usual"), try? pipe(folder, "one", channels: 1),
                    try? pipe(folder, "eight", channels: 8),
                    try? pipe(folder, "center", channels: 2, route: "2>0, 2>1"),
                    try? pipe(folder, "swapped", route: "4>0, 5>1"),
                    try? pipe(folder, "second", route: "0>2, 1>3"),
                ]
                return outputs.compactMap(\.self)
            }
            let samples = Surround.levels(6)
            try add(bench, 1, samples, channels: 6, mask: 0x3f)
            await play(bench)
            func heard(_ name: String) throws -> [Int16] { try Surround.samples(ofPipe: bench.folder.file(name)) }
            let six = isSame(try heard("six"), samples)
            #expect(six)
            let h = 0.5.squareRoot()
            let sum: Double = 1 + 2 * h
            let stereo: [Double] = [(1000 + h * 8000) / sum, (2000 + h * 9000) / sum]
            for name in ["two", "usual"] {
                let found = try heard(name)
                #expect(found.count == 4800 * 2)
                // 0.01 dB, and the step and dither of 16 bits.
                for index in found.indices {
                    let (sample, wanted) = (Double(found[index]), stereo[index % 2])
                    guard abs(sample - wanted) < wanted / 870 + 2.5 else {
                        Issue.record("\(name): \(sample) in place of \(wanted)")
                        return
                    }
                }
            }
            let mono = try heard("one")
            #expect(mono.count == 4800)
            let middle = (stereo[0] + stereo[1]) / 2
            #expect(abs(Double(mono[2000]) - middle) < 6)
            #expect(isSame(try heard("eight").prefix(8), [1000, 2000, 3000, 4000, 5000, 6000, 0, 0]))
            #expect(isSame(try heard("center").prefix(4), [3000, 3000, 3000, 3000]))
            #expect(isSame(try heard("swapped").prefix(4), [5000, 6000, 5000, 6000]))
            let second = try heard("second")
            #expect(second.count == 4800 * 4 && abs(second[0]) <= 2 && abs(second[1]) <= 2)
            #expect(abs(Double(second[2]) - stereo[0]) < 6)
            #expect(abs(Double(second[3]) - stereo[1]) < 6)
        }

        @Test("stereo and mono are not changed by a sample, whatever other outputs take")
        func stereo() async throws {
            for channels in [1, 2] {
                let bench = Bench { folder in
                    [try? pipe(folder, "two", channels: 2), try? pipe(folder, "six", channels: 6)].compactMap(\.self)
                }
                let samples = TestSound.noise(frames: 9600, channels: channels)
                try add(bench, 1, samples, channels: channels)
                await play(bench)
                let both = channels == 2 ? samples : samples.flatMap { [$0, $0] }
                let isExact = isSame(try Surround.samples(ofPipe: bench.folder.file("two")), both)
                #expect(isExact)
                let six = try Surround.samples(ofPipe: bench.folder.file("six"))
                let fronts = six.indices.filter { $0 % 6 < 2 }.map { six[$0] }
                let areExact = isSame(fronts, both)
                #expect(areExact)
                #expect(six.count == both.count * 3)
                let others = six.indices.filter { $0 % 6 >= 2 }.map { six[$0] }
                #expect(others.allSatisfy { $0 == 0 })
            }
        }

        @Test("the loudest surround song does not clip in stereo")
        func clipping() async throws {
            let bench = Bench { [try? pipe($0, "two", channels: 2)].compactMap(\.self) }
            try add(bench, 1, [Int16](repeating: 32767, count: 4800 * 8), channels: 8, mask: 0x63f)
            await play(bench)
            let heard = try Surround.samples(ofPipe: bench.folder.file("two"))
            #expect(heard.count == 9600 && heard.allSatisfy { $0 > 32700 })
        }

        // MARK: Songs that overlap

        private static func frames(_ seconds: Int) -> Int { seconds * 48000 }

        /// A song of 21 seconds of one level in each channel.
        private func addLong(_ bench: Bench, _ number: Int64, channels: Int) throws {
            try add(
                bench, number, Surround.levels(channels, frames: 48000 * 21), channels: channels,
                mask: Surround.masks[channels] ?? 3)
        }

        private func playEnd(_ bench: Bench) async {
            bench.engine.set(.crossfade(2))
            await bench.startBoth(at: .seconds(18))
            #expect(await bench.log.waits(for: "finished 2", seconds: 60))
            await bench.engine.shutDown()
        }

        @Test("where all outputs are stereo, surround and stereo songs overlap", arguments: [(6, 2), (2, 6)])
        func overlapsInStereo(first: Int, second: Int) async throws {
            let bench = Bench { [try? pipe($0, "two", channels: 2)].compactMap(\.self) }
            try addLong(bench, 1, channels: first)
            try addLong(bench, 2, channels: second)
            await playEnd(bench)
            let heard = try Surround.samples(ofPipe: bench.folder.file("two"))
            #expect(heard.count == Self.frames(22) * 2)
        }

        @Test("where an output has more, they join, each with its own channels", arguments: [(6, 2), (2, 6)])
        func joinsInSurround(first: Int, second: Int) async throws {
            let bench = Bench { folder in
                [try? pipe(folder, "two", channels: 2), try? pipe(folder, "six", channels: 6)].compactMap(\.self)
            }
            try addLong(bench, 1, channels: first)
            try addLong(bench, 2, channels: second)
            await playEnd(bench)
            let six = try Surround.samples(ofPipe: bench.folder.file("six"))
            #expect(six.count == Self.frames(24) * 6)
            let frames: [Int: [Int16]] = [6: Surround.levels(6, frames: 1), 2: [1000, 2000, 0, 0, 0, 0]]
            let join = Self.frames(3) * 6
            #expect(Array(six[(join - 6)..<join]) == frames[first])
            #expect(Array(six[join..<join + 6]) == frames[second])
            #expect(try Surround.samples(ofPipe: bench.folder.file("two")).count == Self.frames(24) * 2)
        }

        @Test("two surround songs overlap in all their channels")
        func overlapsInSurround() async throws {
            let bench = Bench { [try? pipe($0, "six", channels: 6)].compactMap(\.self) }
            try addLong(bench, 1, channels: 6)
            try addLong(bench, 2, channels: 6)
            await playEnd(bench)
            let heard = try Surround.samples(ofPipe: bench.folder.file("six"))
            #expect(heard.count == Self.frames(22) * 6)
            // In the middle of the overlap both have the same level: together that of one, 3 dB louder.
            let middle = 2 * 48000 * 6
            for channel in 0..<6 {
                let wanted: Double = Double(channel + 1) * 1414.2
                #expect(abs(Double(heard[middle + channel]) - wanted) < 20)
            }
        }

        // MARK: Devices

        @Test("a device gets the song's channels, or more, or as many as it has")
        func devices() throws {
            GStreamerLibrary.warmUp()
            func best(_ caps: String, _ channels: Int) throws -> Int? {
                try #require(DeviceFormats(caps))
                    .best(for: SampleLayout(rate: 48000, channels: channels), wanted: nil)?.channels
            }
            let six =
                "audio/x-raw,format=S16LE,rate=48000,channels=2;"
                + "audio/x-raw,format=S16LE,rate=48000,channels=6,channel-mask=(bitmask)0xc0f"
            for (song, device) in [(6, 6), (2, 2), (8, 6), (5, 6)] { #expect(try best(six, song) == device) }
            #expect(try best("audio/x-raw,format=S16LE,rate=48000,channels=2", 6) == 2)
            let format = AudioFormat(sampleRate: 48000, sample: .integer(bits: 16), channels: 6)
            #expect(DeviceFormats(six)?.capsText(format)?.hasSuffix("channel-mask=(bitmask)0xc0f") == true)
            #expect(DeviceFormats("audio/x-raw")?.capsText(format)?.hasSuffix("channel-mask=(bitmask)0x3f") == true)
        }

        @Test("sound of more samples a second than memory is meant for becomes stereo")
        func tooFast() {
            #expect(!SoundLimits.isTooFast(rate: 384_000) && SoundLimits.isTooFast(rate: 384_001))
            var piece = DeckSamples(
                layout: SampleLayout(rate: 768_000, channels: 6), samples: [0.5, 0.5, 0, 0, 0, 0], position: nil)
            SourceChannels(limit: 8).arrange(&piece, mask: 0x3f)
            #expect(piece.layout.channels == 2 && piece.samples.count == 2)
        }
    }
}

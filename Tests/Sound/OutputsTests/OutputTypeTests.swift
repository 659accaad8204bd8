import MusicModel
import Testing

import Outputs

@Suite("Types of outputs")
struct OutputTypeTests {
    @Test("only sound devices, and a null output that keeps time, play at the speed of the music")
    func live() {
        let live = OutputSpecification.Kind.allCases.filter { OutputSpecification(type: $0, name: "a").isLive }
        #expect(live == [.auto, .alsa, .pulse, .pipewire, .jack, .null])
        let fast = OutputSpecification(type: .null, name: "a", sync: false)
        #expect(fast.takesNoTime && !fast.isLive)
        #expect(!OutputSpecification(type: .file, name: "a", sync: false).takesNoTime)
    }

    @Test("a hardware mixer is for types whose device has a volume of its own")
    func mixers() {
        #expect(OutputSpecification.Kind.allCases.filter(\.hasHardwareMixer) == [.alsa, .pulse, .pipewire])
    }

    @Test("settings of another type change nothing")
    func otherSettings() {
        for type in OutputSpecification.Kind.allCases where type != .httpd {
            let output = OutputSpecification(type: type, name: "a")
            var changed = output
            changed.httpd.hosts = ["music.example.org"]
            #expect(changed == output)
        }
    }

    @Test("a format fills what an output's own leaves open, but for Snapcast, whose server expects one")
    func formats() {
        let general = AudioFormat(sampleRate: 48000, sample: .integer(bits: 16), channels: 2)
        var output = OutputSpecification(type: .fifo, name: "a")
        #expect(output.filled(nil).format == nil)
        output.format = AudioFormat(sampleRate: 0, sample: .integer(bits: 24), channels: 0)
        #expect(output.filled(general).format?.wireText == "48000:24:2")
        #expect(OutputSpecification(type: .snapcast, name: "a").filled(general).format == nil)
    }

    @Test(
        "a recording is encoded as its file's name says",
        arguments: [
            ("/a/b.FLAC", StreamEncoding.Encoder.flac), ("b.opus", .opus), ("b.oga", .vorbis), ("b.mp3", .mp3),
            ("b.mp3.part", .wave),
        ])
    func recordings(path: String, encoder: StreamEncoding.Encoder) {
        #expect(StreamEncoding.usual(for: .file, path: path).encoder == encoder)
    }

    @Test("streams have an encoder that their listeners know, whatever their path")
    func streams() {
        #expect(StreamEncoding.usual(for: .httpd, path: nil).encoder == .flac)
        #expect(StreamEncoding.usual(for: .shout, path: "/a.mp3").encoder == .vorbis)
    }

    @Test("an Icecast server's password is shown nowhere")
    func password() {
        var output = OutputSpecification(type: .shout, name: "a")
        output.shout.password = Secret("sesame")
        var dumped = ""
        dump(output, to: &dumped)
        #expect(!"\(output)\(String(reflecting: output))\(dumped)".contains("sesame"))
        #expect(output.shout.password?.reveal() == "sesame")
    }

    @Test("outputs take DoP of the rates that they are set to")
    func dop() {
        func format(_ multiple: Int, channels: Int = 2) -> AudioFormat {
            AudioFormat(sampleRate: multiple * 44_100 / 8, sample: .dsd, channels: channels)
        }
        var device = OutputSpecification(type: .alsa, name: "a")
        #expect(!device.takesDoP(format(64)))
        device.dsd.isDoP = true
        #expect(device.takesDoP(format(64)) && device.takesDoP(format(512)))
        #expect(!device.takesDoP(format(64, channels: 6)))
        device.allowed.maxRate = 192_000
        #expect(device.takesDoP(format(64)) && !device.takesDoP(format(128)))
        device.allowed.maxRate = nil
        device.allowed.formats = [AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2)]
        #expect(!device.takesDoP(format(64)))
        device.dsd.dopFormats = [format(64, channels: 0)]
        #expect(device.takesDoP(format(64)) && !device.takesDoP(format(128)))
        device.format = AudioFormat(sampleRate: 48_000, sample: .unknown, channels: 0)
        #expect(!device.takesDoP(format(64)))
    }
}

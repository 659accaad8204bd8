import MusicModel
import Testing

@testable import Outputs

@Suite("Channels of outputs")
struct ChannelTests {
    @Test("a route is read as MPD writes it")
    func route() throws {
        let route = try ChannelRoute("0>0, 1>1,0>2 , 1 > 3")
        #expect(route.entries.map(\.source) == [0, 1, 0, 1])
        #expect(route.entries.map(\.target) == [0, 1, 2, 3])
        #expect(route.sources == 2 && route.targets == 4)
        #expect(try ChannelRoute("7>0").sources == 8)
    }

    @Test(
        "anything else is refused, and why",
        arguments: [
            ("", "no part of a route"), ("0", "no part"), ("0>", "no part"), (">1", "no part"), ("0>1,", "no part"),
            ("0>1>2", "no part"), ("a>1", "no part"), ("-1>0", "no part"), ("+1>0", "no part"), ("٣>0", "no part"),
            ("0>8", "0 to 7"), ("8>0", "0 to 7"), ("0>99999999999999999999999", "0 to 7"), ("0>1, 0>1", "twice"),
            (String(repeating: "0>0,", count: 10_000), "too long"),
        ])
    func refused(text: String, why: String) {
        let problem = #expect(throws: ChannelRouteProblem.self) { try ChannelRoute(text) }
        #expect(problem?.description.contains(why) == true, "\(problem?.description ?? "")")
    }

    private func output(
        _ type: OutputSpecification.Kind, _ format: Int? = nil, device: String? = nil, allowed: [Int] = [],
        path: String? = nil
    ) -> OutputSpecification {
        let format = format.map { AudioFormat(sampleRate: 0, sample: .unknown, channels: $0) }
        var output = OutputSpecification(type: type, name: "O", path: path, device: device, format: format)
        output.allowed.formats = allowed.map { AudioFormat(sampleRate: 0, sample: .unknown, channels: $0) }
        return output
    }

    @Test("servers of sound and recordings follow the song; what others read without asking is stereo")
    func follows() {
        for type in [OutputSpecification.Kind.pulse, .pipewire, .auto] {
            #expect(output(type).channels(for: 6, rate: 48_000) == 6)
            #expect(output(type).maxChannels == 8)
        }
        #expect(output(.file, path: "/a.flac").channels(for: 6, rate: 48_000) == 6)
        #expect(output(.file, path: "/a.mp3").channels(for: 6, rate: 48_000) == 2)
        for type in [OutputSpecification.Kind.fifo, .pipe, .snapcast, .httpd, .shout, .jack, .alsa] {
            #expect(output(type).channels(for: 6, rate: 48_000) == 2, "\(type)")
            #expect(output(type).maxChannels == 2, "\(type)")
            #expect(output(type, 6).channels(for: 8, rate: 48_000) == 6, "\(type)")
            #expect(output(type, 6).maxChannels == 8, "\(type)")
        }
        // It is never heard.
        #expect(output(.null).maxChannels == 2)
    }

    @Test("the format of an output counts, and then the allowed ones")
    func formats() {
        #expect(output(.pulse, 2).channels(for: 6, rate: 48_000) == 2)
        #expect(output(.pulse, 2).maxChannels == 2)
        #expect(output(.pulse, 0).channels(for: 6, rate: 48_000) == 6)
        #expect(output(.pulse, allowed: [2]).channels(for: 6, rate: 48_000) == 2)
        #expect(output(.pulse, allowed: [2, 6]).channels(for: 6, rate: 48_000) == 6)
        #expect(output(.pulse, allowed: [2, 6]).channels(for: 8, rate: 48_000) == 6)
        #expect(output(.pulse, allowed: [2, 0]).channels(for: 5, rate: 48_000) == 5)
    }

    @Test("of ALSA's devices only the hardware is believed to have the channels that it takes")
    func alsa() {
        for device in ["hw:1,0", "hdmi:CARD=PCH", "surround51:0"] {
            #expect(output(.alsa, device: device).channels(for: 6, rate: 48_000) == 6)
        }
        for device in [nil, "default", "plughw:1,0", "dmix"] {
            #expect(output(.alsa, device: device).channels(for: 6, rate: 48_000) == 2)
            #expect(output(.alsa, device: device, allowed: [2, 6]).channels(for: 6, rate: 48_000) == 6)
        }
    }

    @Test("a route says how many channels there are, and whether more than stereo is needed")
    func routed() throws {
        var routed = output(.pipe)
        routed.route = try ChannelRoute("0>2, 1>3")
        #expect(routed.channels(for: 6, rate: 48_000) == 4)
        #expect(routed.fixedChannels == 4 && routed.maxChannels == 2)
        routed.route = try ChannelRoute("2>0")
        #expect(routed.maxChannels == 8)
        routed.format = AudioFormat(sampleRate: 0, sample: .unknown, channels: 6)
        #expect(routed.channels(for: 2, rate: 48_000) == 6)
    }

    @Test("every channel count has a layout of as many speakers, none of them twice")
    func layouts() {
        for channels in 1...8 {
            let layout = Speaker.layout(channels: channels)
            #expect(layout.count == channels && Set(layout).count == channels)
            #expect(layout.map(\.rawValue) == layout.map(\.rawValue).sorted())
        }
    }
}

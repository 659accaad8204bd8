import Coordination
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

/// A PulseAudio of its own with a sink that plays nothing.
private final class SoundServer {
    private let folder = TemporaryFolder()
    private let process = Process()
    private let environment: [String: String]

    static let isInstalled = ["/usr/bin/pulseaudio", "/usr/bin/pactl"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    init() throws {
        let socket = folder.file("native")
        environment = [
            "HOME": folder.path, "PULSE_RUNTIME_PATH": folder.file("run"), "PULSE_STATE_PATH": folder.file("state"),
            "PULSE_SERVER": "unix:\(socket)", "PATH": "/usr/bin:/bin",
        ]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/pulseaudio")
        process.arguments = [
            "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=0",
            "-L", "module-null-sink sink_name=out", "-L",
            "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
        ]
        process.environment = environment
        process.standardError = FileHandle.nullDevice
        try process.run()
        // GStreamer and ALSA find the server by this.
        setenv("PULSE_SERVER", "unix:\(socket)", 1)
    }

    deinit {
        process.terminate()
        unsetenv("PULSE_SERVER")
    }

    /// What `pactl` says.
    func control(_ arguments: String...) -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/pactl")
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        // Waiting for its end as well can last without an end in Foundation, outside of the main thread.
        let said = pipe.fileHandleForReading.readDataToEndOfFile()
        return String(decoding: said, as: UTF8.self)
    }

    /// What it says of its sink's volume, for each channel.
    var sinkVolume: String { control("get-sink-volume", "out") }

    /// The number of the stream that plays.
    var stream: String? { control("list", "short", "sink-inputs").split(separator: "\t").first.map(String.init) }
}

extension AudioTests {
    @Suite(.timeLimit(.minutes(3)), .enabled(if: SoundServer.isInstalled, "pulseaudio and pactl aren't installed"))
    struct MixerTests {
        @Test("a PulseAudio stream's volume is set there and seen here when others change it")
        func stream() async throws {
            guard GStreamerLibrary.has("pulsesink") else { return }
            let server = try SoundServer()
            #expect(await eventually { server.control("info").contains("out") })
            let bench = Bench(.realTime) { _ in
                [OutputSpecification(type: .pulse, name: "Desktop", mixerType: .hardware)]
            }
            _ = try bench.song(1, frames: 44100 * 60)
            bench.start(1)
            #expect(await eventually { server.stream != nil })
            #expect(await eventually { bench.engine.volume(software: 7) == 100 })
            bench.engine.setMixers(40)
            #expect(bench.engine.volume(software: 7) == 40)
            #expect(await eventually { server.control("list", "sink-inputs").contains(" 40%") })
            let stream = try #require(server.stream)
            _ = server.control("set-sink-input-volume", stream, "70%")
            #expect(await eventually { bench.engine.volume(software: 7) == 70 })
            #expect(bench.log.all.contains { if case .outputsChanged = $0 { true } else { false } })
            await bench.engine.shutDown()
        }

        @Test("an ALSA control is set and seen; without the control the volume is the software's")
        func control() async throws {
            let server = try SoundServer()
            #expect(await eventually { server.control("info").contains("out") })
            var output = OutputSpecification(type: .alsa, name: "Card", mixerType: .hardware)
            // ALSA's plug-in for PulseAudio has a control for the sink's volume.
            output.mixer.device = "pulse"
            output.mixer.control = "Master"
            var absent = output
            absent.mixer.control = "Nothing"
            let (bench, other) = (
                Bench(.realTime) { [output] _ in [output] }, Bench(.realTime) { [absent] _ in [absent] }
            )
            if await eventually(within: .seconds(20), { bench.engine.volume(software: 7) == 100 }) {
                bench.engine.setMixers(30)
                #expect(bench.engine.volume(software: 7) == 30)
                // The channels are written one after the other: before the second one, another volume would be lost.
                #expect(await eventually { server.sinkVolume.components(separatedBy: " 30%").count == 3 })
                _ = server.control("set-sink-volume", "out", "65%")
                #expect(await eventually { bench.engine.volume(software: 7) == 65 }, "\(server.sinkVolume)")
                #expect(bench.log.all.contains { if case .outputsChanged = $0 { true } else { false } })
            } else {
                // libasound2-plugins is missing.
                #expect(bench.engine.volume(software: 7) == 7)
            }
            #expect(other.engine.volume(software: 7) == 7)
            await bench.engine.shutDown()
            await other.engine.shutDown()
        }

        @Test("of several outputs the volume is the average; one without a mixer has none")
        func average() async {
            let bench = Bench { folder in
                [
                    OutputSpecification(type: .null, name: "A", isEnabled: false),
                    OutputSpecification(type: .null, name: "B", mixerType: .none),
                ]
            }
            #expect(bench.engine.volume(software: 55) == 55)
            await bench.engine.shutDown()
        }
    }
}

@Suite struct MixerGainsTests {
    private func block(at start: Nanoseconds, _ gain: Float?) -> SampleBlock {
        var block = SampleBlock(
            start: start, duration: Nanoseconds(count: 1), layout: SampleLayout(rate: 44100, channels: 2), samples: [])
        block.gain = gain
        return block
    }

    @Test("a song's ReplayGain reaches the device when the song is heard, and only if it differs")
    func heard() {
        var gains = MixerGains()
        let second = Nanoseconds.seconds(1)
        gains.note(block(at: .zero, nil))
        #expect(gains.due(at: nil) == nil)
        gains.note(block(at: second, 0.5))
        gains.note(block(at: .seconds(2), 0.5))
        gains.note(block(at: .seconds(3), nil))
        #expect(gains.due(at: .zero) == nil)
        #expect(gains.due(at: second) == .some(0.5))
        #expect(gains.due(at: .seconds(2)) == nil)
        // Sound that is discarded before it is heard never comes.
        gains.flush()
        #expect(gains.due(at: .seconds(4)) == nil)
        gains.note(block(at: .seconds(5), 0.5))
        #expect(gains.due(at: .seconds(6)) == nil)
        gains.note(block(at: .seconds(7), nil))
        #expect(gains.due(at: nil) == .some(nil))
    }

    @Test("the volume is found again from its factor")
    func volumes() {
        for volume in 0...100 { #expect(Gain.volume(factor: Gain.factor(volume: volume)) == volume) }
    }
}

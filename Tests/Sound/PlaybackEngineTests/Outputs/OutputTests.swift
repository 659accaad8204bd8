import Coordination
import Foundation
import Glibc
import MusicModel
import Outputs
import Playback
import SoundSamples
import Synchronization
import TestSupport
import Testing

@testable import PlaybackEngine

extension AudioTests {
    @Suite(.timeLimit(.minutes(2)))
    struct OutputTests {
        @Test("an engine tells its outputs from the first moment on")
        func tellsOutputs() async {
            let bench = Bench(.virtual) { _ in
                [
                    OutputSpecification(type: .null, name: "A"),
                    OutputSpecification(type: .null, name: "B", isEnabled: false),
                ]
            }
            #expect(bench.engine.outputs.map(\.name) == ["A", "B"])
            #expect(bench.engine.outputs.map(\.isEnabled) == [true, false])
            #expect(bench.engine.outputs.map(\.plugin) == ["null", "null"])
            await bench.engine.shutDown()
        }

        /// Reads a named pipe until there is enough, and closes it; gives the bytes.
        private func readPipe(_ bench: Bench, _ descriptor: Int32, until enough: Int) async -> [UInt8] {
            let bytes = Mutex<[UInt8]>([])
            defer { close(descriptor) }
            _ = await bench.eventually {
                var buffer = [UInt8](repeating: 0, count: 65536)
                let got = read(descriptor, &buffer, buffer.count)
                if got > 0 { bytes.withLock { $0 += buffer[..<got] } }
                return bytes.withLock { $0.count >= enough }
            }
            return bytes.withLock { $0 }
        }

        @Test("a reader of the named pipe gets the samples")
        func pipe() async throws {
            let bench = Bench(.virtual) { [OutputSpecification(type: .fifo, name: "Pipe", path: $0.file("pipe"))] }
            let samples = try bench.song(1, frames: 44100)
            #expect(await eventually { access(bench.folder.file("pipe"), F_OK) == 0 })
            let pipe = openPipe(bench.folder.file("pipe"))
            bench.start(1)
            let bytes = await readPipe(bench, pipe, until: 100_000)
            #expect(bytes.count >= 100_000)
            let source = samples.withUnsafeBytes { Array($0) }
            let start = try #require(
                stride(from: 0, to: 40_000, by: 4).first { source[$0..<($0 + 64)] == bytes[0..<64] })
            #expect(bytes[..<100_000].elementsEqual(source[start..<(start + 100_000)]))
            await bench.engine.shutDown()
        }

        @Test("a named pipe gets its own format whatever the song's is")
        func pipeFormat() async throws {
            let format = AudioFormat(sampleRate: 48000, sample: .integer(bits: 24), channels: 2)
            let bench = Bench(.virtual) {
                [OutputSpecification(type: .fifo, name: "Pipe", path: $0.file("pipe"), format: format)]
            }
            _ = try bench.song(1, frames: 11025, channels: 1)
            #expect(await eventually { access(bench.folder.file("pipe"), F_OK) == 0 })
            let pipe = openPipe(bench.folder.file("pipe"))
            bench.start(1)
            #expect(await readPipe(bench, pipe, until: 60_000).count >= 60_000)
            await bench.engine.shutDown()
        }

        @Test("a named pipe without a reader holds nothing up")
        func pipeWithoutReader() async throws {
            let bench = Bench(.virtual) { [OutputSpecification(type: .fifo, name: "Pipe", path: $0.file("pipe"))] }
            _ = try bench.song(1, frames: 22050)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            #expect(bench.engine.outputs.first?.problem == nil)
            await bench.engine.shutDown()
        }

        @Test("a reader that stops reading holds nothing up, nor does one that leaves")
        func slowReader() async throws {
            let bench = Bench(.virtual) { [OutputSpecification(type: .fifo, name: "Pipe", path: $0.file("pipe"))] }
            _ = try bench.song(1, frames: 44100 * 3)
            #expect(await eventually { access(bench.folder.file("pipe"), F_OK) == 0 })
            let descriptor = open(bench.folder.file("pipe"), O_RDONLY | O_NONBLOCK)
            bench.start(1)
            #expect(await bench.reaches(0.6))
            close(descriptor)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
        }

        @Test("a file in a folder that isn't there is a problem of that output alone")
        func absentFolder() async throws {
            let bench = Bench(.virtual) { folder in
                [OutputSpecification(type: .file, name: "Lost", path: folder.file("absent/out.wav"))]
                    + Bench.fileOutput(folder)
            }
            let samples = try bench.song(1, frames: 22050)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            #expect(await bench.eventually { bench.engine.outputs[0].problem?.contains("does not exist") == true })
            #expect(bench.engine.outputs[1].problem == nil)
            #expect(
                await bench.eventually {
                    bench.log.all.contains { if case .outputsChanged = $0 { true } else { false } }
                })
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test("an output comes back by itself once it can")
        func comesBack() async throws {
            let bench = Bench(.virtual) {
                [OutputSpecification(type: .file, name: "Late", path: $0.file("late/out.wav"))]
            }
            _ = try bench.song(1, frames: 44100 * 5)
            bench.start(1)
            #expect(await bench.eventually { bench.engine.outputs[0].problem != nil })
            try FileManager.default.createDirectory(
                atPath: bench.folder.file("late"), withIntermediateDirectories: true)
            #expect(await bench.eventually { bench.engine.outputs[0].problem == nil })
            await bench.engine.shutDown()
            #expect(try TestSound.read(bench.folder.file("late/out.wav")).samples.count > 0)
        }

        @Test(
            "without a device that works the system's clock goes on",
            arguments: [OutputSpecification.Kind.alsa, .pulse, .auto, .pipewire])
        func noDevice(kind: OutputSpecification.Kind) async throws {
            let device = kind == .auto ? nil : "segue-no-such-device"
            let bench = Bench(.realTime) { _ in [OutputSpecification(type: kind, name: "Speakers", device: device)] }
            _ = try bench.song(1, frames: 22050)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            #expect(await bench.eventually { bench.engine.outputs[0].problem != nil })
            await bench.engine.shutDown()
        }

        /// Whether the header of a recording tells its length already.
        private func isFinished(_ path: String) -> Bool {
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)), bytes.count > 44 else { return false }
            let size: Int = bytes[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
            return size == bytes.count - 44
        }

        @Test("an output that is disabled finishes its file, and one that is enabled starts with what is heard then")
        func switches() async throws {
            let bench = Bench(.virtual) { folder in
                [
                    OutputSpecification(type: .null, name: "Nowhere"),
                    OutputSpecification(type: .file, name: "R", path: folder.file("out.wav")),
                ]
            }
            let samples = try bench.song(1, frames: 44100 * 3)
            bench.start(1)
            #expect(await bench.reaches(0.4))
            bench.engine.setOutput(1, enabled: false)
            bench.engine.setOutput(99, enabled: true)
            #expect(bench.engine.outputs.map(\.isEnabled) == [true, false])
            #expect(await bench.reaches(0.8))
            #expect(await bench.eventually { self.isFinished(bench.recording) })
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count > 44100 / 2 && isSame(heard, samples[..<heard.count]))
            bench.engine.setOutput(1, enabled: true)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let later = try TestSound.read(bench.recording).samples
            #expect(later.count > 44100 * 2 && isSame(later, samples.suffix(later.count)))
        }

        @Test("an output that takes over in a pause goes on with the next sound")
        func exchangesInPause() async throws {
            let bench = Bench(.virtual) { folder in
                var other = OutputSpecification(type: .file, name: "Other", path: folder.file("other.wav"))
                other.isEnabled = false
                return [OutputSpecification(type: .file, name: "R", path: folder.file("out.wav")), other]
            }
            let samples = try bench.song(1, frames: 44100 * 10)
            bench.start(1)
            #expect(await bench.reaches(0.5))
            bench.engine.setPaused(true)
            bench.engine.setOutput(0, enabled: false)
            #expect(await bench.eventually { self.isFinished(bench.recording) })
            bench.engine.setOutput(1, enabled: true)
            bench.engine.setPaused(false)
            let place = bench.elapsed
            #expect(place > 0.5)
            #expect(await bench.reaches(place + 0.5))
            await bench.engine.shutDown()
            let before = try TestSound.read(bench.recording).samples
            let after = try TestSound.read(bench.folder.file("other.wav")).samples
            // The block in which it was paused may come twice.
            let starts = stride(from: before.count - 8192, through: before.count, by: 2)
            #expect(starts.contains { isSame(after, samples[$0...].prefix(after.count)) })
        }

        @Test("the file is whole after a shut-down in the middle of a song")
        func shutsDown() async throws {
            let bench = Bench(.virtual)
            let samples = try bench.song(1, frames: 44100 * 30)
            bench.start(1)
            #expect(await bench.reaches(0.3))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count > 44100 / 2 && isSame(heard, samples[..<heard.count]))
            for await _ in bench.engine.events {}
        }
    }
}

import Coordination
import Foundation
import Glibc
import Logging
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

extension AudioTests {
    /// Programs that get the sound.
    @Suite(.timeLimit(.minutes(2)))
    struct PipeTests {
        private func bench(_ command: @escaping (TemporaryFolder) -> String) -> Bench {
            Bench { folder in
                var output = OutputSpecification(type: .pipe, name: "Program")
                output.command = command(folder)
                return [output]
            }
        }

        @Test("a program gets every sample, and its input ends with the output")
        func samples() async throws {
            let bench = bench { "cat > '\($0.file("heard"))'; echo done > '\($0.file("done"))'" }
            let samples = try bench.song(1, frames: 44100)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(FileManager.default.fileExists(atPath: bench.folder.file("done")))
            let heard = try Data(contentsOf: URL(fileURLWithPath: bench.folder.file("heard")))
            #expect(heard == samples.withUnsafeBytes { Data($0) })
        }

        @Test("a program that ends is a problem with its status, and is started again")
        func ends() async throws {
            let bench = bench { "echo x >> '\($0.file("starts"))'; exec <&-; exit 3" }
            _ = try bench.song(1, frames: 44100 * 60)
            bench.start(1)
            #expect(await eventually { bench.engine.outputs.first?.problem?.contains("the status 3") == true })
            #expect(
                await eventually {
                    bench.engine.setOutput(0, enabled: true)
                    return (try? String(contentsOfFile: bench.folder.file("starts"), encoding: .utf8))?.count ?? 0 >= 4
                })
            await bench.engine.shutDown()
        }

        @Test("a program that doesn't end with its input is ended, with what it has started")
        func lingers() async throws {
            let bench = bench {
                "sleep 1000 & echo $! > '\($0.file("pid"))'; trap '' TERM; cat > /dev/null; sleep 1000"
            }
            _ = try bench.song(1, frames: 44100)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let text = try String(contentsOfFile: bench.folder.file("pid"), encoding: .utf8)
            let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(await eventually { kill(pid, 0) != 0 || Self.isZombie(pid) })
        }

        @Test("a program has its input, the output and the log, and none of the server's descriptors")
        func descriptors() async throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            let list = "for file in /proc/$$/fd/*; do test -e $file && echo ${file##*/}; done"
            let bench = bench { "exec > '\($0.file("open"))'; \(list); cat > /dev/null" }
            _ = try bench.song(1, frames: 44100)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(try String(contentsOfFile: bench.folder.file("open"), encoding: .utf8) == "0\n1\n2\n")
        }

        private static func isZombie(_ pid: pid_t) -> Bool {
            let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            return status?.contains(") Z ") ?? true
        }
    }

    /// Recordings of every title.
    @Suite(.timeLimit(.minutes(2)))
    struct TitledRecordingTests {
        private func recorder(_ folder: TemporaryFolder) -> [OutputSpecification] {
            var output = OutputSpecification(type: .file, name: "Tape")
            output.titledPath = try? RecordingFormat(folder.file("tape/%Artist%/%Title%.wav"), home: nil)
            return [output]
        }

        @Test("a title of whose tags no name comes is not recorded, and the next one is")
        func leftOut() async throws {
            let bench = Bench {
                var output = OutputSpecification(type: .file, name: "Tape")
                output.titledPath = try? RecordingFormat("[" + $0.file("tape/%Title%.wav") + "]", home: nil)
                return [output]
            }
            var last: [Int16] = []
            for number in Int64(1)...3 {
                last = try bench.song(number, frames: 30_000)
                bench.provider.name(
                    number, [TagValue(.artist, "A")] + (number == 2 ? [] : [TagValue(.title, "\(number)")]))
            }
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            bench.start(3)
            #expect(await bench.log.waits(for: "finished 3"))
            await bench.engine.shutDown()
            let files = try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("tape"))
            #expect(files.sorted() == ["1.wav", "3.wav"])
            #expect(isSame(try TestSound.read(bench.folder.file("tape/3.wav")).samples, last))
        }

        @Test("every title has a file of its own with all of its samples, and none replaces another")
        func titles() async throws {
            let bench = Bench(outputs: recorder)
            var songs: [[Int16]] = []
            for number in Int64(1)...3 {
                songs.append(try bench.song(number, frames: 30_000))
                // The third is called like the first.
                bench.provider.name(number, [TagValue(.artist, "A"), TagValue(.title, number == 2 ? "Two" : "One")])
            }
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            bench.start(3)
            #expect(await bench.log.waits(for: "finished 3"))
            await bench.engine.shutDown()
            for (name, samples) in zip(["One", "Two", "One-2"], songs) {
                #expect(isSame(try TestSound.read(bench.folder.file("tape/A/\(name).wav")).samples, samples))
            }
        }

        private func block(_ title: String, _ seconds: Double) -> SampleBlock {
            var block = SampleBlock(
                start: .zero, duration: .milliseconds(Int(seconds * 1000)),
                layout: SampleLayout(rate: 44_100, channels: 2), samples: [Float](repeating: 0, count: 20))
            (block.play, block.tags) = (1, [TagValue(.title, title)])
            return block
        }

        private func titles(_ blocks: [SampleBlock]) throws -> [String] {
            let folder = TemporaryFolder()
            let specification = try #require(recorder(folder).first)
            let driver = TitledFileDriver(
                specification, format: try #require(specification.titledPath), log: Logger(label: "test"))
            for block in blocks { try driver.write(block) }
            driver.close()
            let files = try? FileManager.default.contentsOfDirectory(atPath: folder.file("tape/Unknown"))
            return (files ?? []).sorted()
        }

        @Test("a station's title begins a file when it has lasted for two seconds")
        func lastingTitles() throws {
            let flicker = (0..<20).map { block("flicker \($0)", 0.4) }
            #expect(
                try titles([block("one", 3)] + flicker + [block("two", 1), block("two", 1.5)]) == [
                    "one.wav", "two.wav",
                ])
        }

        @Test("a station makes a thousand files at most")
        func manyTitles() throws {
            #expect(try titles((0..<1100).map { block("\($0)", 2) }).count == 1000)
        }

        @Test("a song without a name is recorded, too")
        func unnamed() async throws {
            let bench = Bench(outputs: recorder)
            let samples = try bench.song(1, frames: 10_000)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let path = bench.folder.file("tape/Unknown/Unknown.wav")
            #expect(isSame(try TestSound.read(path).samples, samples))
        }
    }
}

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

/// Keeps what comes out of a named pipe, as frames of 16-bit stereo.
final class PipeReader {
    private let descriptor: Int32
    private var frames: [Int16] = []
    private var bytes: [UInt8] = []

    /// Begins to read; the pipe must exist.
    init(_ path: String) { descriptor = openPipe(path) }

    deinit { close(descriptor) }

    /// Takes what is there.
    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        let whole = bytes.count / 4
        for frame in 0..<whole {
            frames.append(Int16(truncatingIfNeeded: Int(bytes[frame * 4]) | Int(bytes[frame * 4 + 1]) << 8))
        }
        bytes.removeFirst(whole * 4)
    }

    /// The first channel of all that came.
    var heard: [Int16] {
        read()
        return frames
    }

    /// How many frames came.
    var count: Int { heard.count }
}

extension AudioTests {
    /// How much of the old sound an output still gets after a command: what is mixed ahead must not be among it.
    ///
    /// Half a second is mixed ahead. Commands come at several places of the blocks.
    @Suite(.timeLimit(.minutes(3)))
    struct LatencyTests {
        /// Two blocks of an output, and then some.
        private static let bound = 44100 / 8
        private static let rounds = 4
        private let bench: Bench
        private let reader: PipeReader

        init() throws {
            bench = Bench(.virtual) { folder in
                mkfifo(folder.file("pipe"), 0o600)
                return [OutputSpecification(type: .fifo, name: "Pipe", path: folder.file("pipe"))]
            }
            reader = PipeReader(bench.folder.file("pipe"))
            // Each second has its own value: 1000 in the first one, 2000 in the second one, and so on.
            for song in Int64(1)...2 {
                let values = (0..<(44100 * 10)).flatMap { frame -> [Int16] in
                    let value = Int16((frame / 44100 + 1) * 1000) * (song == 1 ? 1 : -1)
                    return [value, value]
                }
                let path = bench.folder.file("\(song).wav")
                try TestSound.write(values, to: path)
                bench.provider.add(song, path: path)
            }
        }

        private func sounds(_ phase: Int = 0) async -> Bool {
            let before = reader.count
            return await bench.eventually { reader.count > before + 4410 + 397 * phase }
        }

        /// How many frames come after a command until there is one of the new sound.
        private func late(_ command: () -> Void, _ isNew: @escaping (Int16) -> Bool) async -> Int? {
            let before = reader.count
            command()
            var place: Int?
            _ = await bench.eventually {
                place = reader.heard.dropFirst(before).firstIndex(where: isNew)
                return place != nil
            }
            return place.map { $0 - before }
        }

        /// How many frames come after a command that ends all sound.
        private func rest(_ command: () -> Void) async -> Int {
            let before = reader.count
            command()
            await bench.pass(.seconds(10))
            return reader.count - before
        }

        private func finish() async {
            await bench.engine.shutDown()
        }

        @Test("a skip is heard at once, prepared or not", arguments: [true, false])
        func next(isPrepared: Bool) async throws {
            var times: [Int] = []
            for round in 0..<Self.rounds {
                let play = UInt64(2 * round + 1)
                bench.engine.start(bench.track(play, song: 1), at: .zero, paused: false)
                if isPrepared { bench.engine.prepareNext(bench.track(play + 1, song: 2)) }
                #expect(await bench.log.waits(for: "started \(play)"))
                #expect(await sounds(round))
                let skip = { bench.engine.start(bench.track(play + 1, song: 2), at: .zero, paused: false) }
                times.append(try #require(await late(skip) { $0 < 0 }))
            }
            #expect(try #require(times.max()) < Self.bound, "\(times) frames of the song before")
            await finish()
        }

        @Test("a seek is heard at once")
        func seek() async throws {
            var times: [Int] = []
            for round in 0..<Self.rounds {
                let play = UInt64(round + 1)
                bench.engine.start(bench.track(play, song: 1), at: .zero, paused: false)
                #expect(await bench.log.waits(for: "started \(play)"))
                #expect(await sounds(round))
                times.append(try #require(await late({ bench.engine.seek(to: .milliseconds(8500)) }) { $0 == 9000 }))
            }
            #expect(try #require(times.max()) < Self.bound, "\(times) frames of before the seek")
            await finish()
        }

        @Test("the volume is heard at once, up and down")
        func volume() async throws {
            var times: [Int] = []
            bench.start(1)
            #expect(await sounds())
            for round in 0..<(2 * Self.rounds) {
                let isDown = round.isMultiple(of: 2)
                let change = { bench.engine.set(.volume(isDown ? 0 : 100)) }
                times.append(try #require(await late(change) { isDown ? $0 == 0 : $0 >= 1000 }))
                #expect(await sounds(round))
            }
            #expect(try #require(times.max()) < Self.bound, "\(times) frames as loud as before")
            await finish()
        }

        @Test("a pause and a stop are silent at once, and playing on loses nothing", arguments: [true, false])
        func pause(isPause: Bool) async throws {
            var times: [Int] = []
            for round in 0..<Self.rounds {
                let play = UInt64(round + 1)
                if isPause, round > 0 {
                    bench.engine.setPaused(false)
                } else {
                    bench.engine.start(bench.track(play, song: 1), at: .zero, paused: false)
                }
                #expect(await sounds(round))
                times.append(await rest { if isPause { bench.engine.setPaused(true) } else { bench.engine.stop() } })
            }
            #expect(try #require(times.max()) < Self.bound, "\(times) frames after the end")
            let heard = reader.heard
            if isPause {
                // The first second's value lasts a second, whatever pauses there were.
                bench.engine.setPaused(false)
                #expect(await bench.eventually { reader.heard.last.map { $0 > 2000 } ?? false })
                let first = reader.heard.prefix { $0 <= 2000 }
                #expect(first.count == 88200)
                #expect(first.prefix { $0 == 1000 }.count == 44100)
            } else {
                #expect(heard.last.map { $0 > 0 && $0 < 3000 } ?? false)
            }
            await finish()
        }
    }
}

import Coordination
import Glibc
import MusicModel
import Outputs
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioOutputs

/// The source of a Snapcast server: takes connections, and reads only where it is told to.
private final class Source: Sendable {
    private let listener: LocalListener
    private let accepted = Monitor<[Int32]>([])

    var port: Int { Int(listener.port) }
    var connections: [Int32] { accepted.withLock { $0 } }

    init() throws {
        listener = try LocalListener()
        listener.accept { [accepted] client in
            // The listener closes what it was given.
            let kept = dup(client)
            accepted.update { $0.append(kept) }
        }
    }

    /// Reads all that has come over a connection, and tells whether it still stands.
    func drain(_ connection: Int32) -> (bytes: [UInt8], stands: Bool) {
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = recv(connection, &piece, piece.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return (bytes, count < 0 && errno == EAGAIN) }
            bytes += piece[..<count]
        }
    }

    deinit { accepted.withLock { $0.forEach { close($0) } } }
}

@Suite(.timeLimit(.minutes(1))) struct SnapcastDriverTests {
    private static let layout = SampleLayout(rate: 44_100, channels: 2)

    /// 40 ms of a level.
    private func block(_ level: Float) -> SampleBlock {
        let samples = [Float](repeating: level, count: 1764 * 2)
        return SampleBlock(start: .zero, duration: .milliseconds(40), layout: Self.layout, samples: samples)
    }

    private func driver(_ source: Source) throws -> SnapcastDriver {
        var specification = OutputSpecification(type: .snapcast, name: "House")
        (specification.snapcast.host, specification.snapcast.port) = ("127.0.0.1", source.port)
        specification.format = AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2)
        let driver = SnapcastDriver(specification)
        try driver.open(Self.layout)
        return driver
    }

    @Test("of a server that reads, nothing is lost")
    func reads() async throws {
        let source = try Source()
        let driver = try driver(source)
        #expect(await eventually { source.connections.count == 1 })
        for _ in 0..<100 {
            try driver.write(block(0.5))
            var count = 0
            #expect(
                await eventually {
                    try? driver.poll()
                    count += source.drain(source.connections[0]).bytes.count
                    return count == 1764 * 4
                })
        }
        #expect(driver.takeGap() == nil && source.connections.count == 1)
    }

    @Test("a server that stands still for a while is sent what is played now, and nothing of what it has not read")
    func catchesUp() async throws {
        let source = try Source()
        let driver = try driver(source)
        #expect(await eventually { source.connections.count == 1 })
        var heard: [Int32: [UInt8]] = [:]
        #expect(
            await eventually {
                for _ in 0..<200 { try? driver.write(block(0.5)) }
                _ = driver.takeGap()
                // It reads what the system has kept for it, and what comes now.
                for connection in source.connections {
                    heard[connection, default: []] += source.drain(connection).bytes
                }
                try? driver.write(block(-0.5))
                return driver.takeGap() != nil
            })
        let known = Set(heard.keys)
        #expect(
            await eventually {
                guard let last = source.connections.last, !known.contains(last) else { return false }
                heard[last, default: []] += source.drain(last).bytes
                return heard[last]?.isEmpty == false
            })
        let last = heard[try #require(source.connections.last)] ?? []
        #expect(stride(from: 1, to: last.count, by: 2).allSatisfy { last[$0] >= 0x80 }, "all of it is below zero")
        #expect(source.connections.dropLast().allSatisfy { !source.drain($0).stands })
    }
}

import Foundation
import FuzzTargets
import Testing

/// Feeds every kept input to its target: the seeds from which fuzzing starts, and all that it ever found.
@Suite("Kept fuzzing inputs", .serialized)
struct ReplayTests {
    private static func inputs(of target: FuzzTarget) throws -> [URL] {
        let fuzzing = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(
            at: fuzzing.appending(path: "Corpus/\(target.rawValue)"), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    @Test("kept inputs are digested", arguments: FuzzTarget.allCases)
    func kept(target: FuzzTarget) async throws {
        let inputs = try Self.inputs(of: target)
        #expect(inputs.count >= 10)
        for input in inputs { try await target.run(Array(Data(contentsOf: input))) }
    }

    @Test("inputs with bytes exchanged, lost and doubled are digested", arguments: FuzzTarget.allCases)
    func mutations(target: FuzzTarget) async throws {
        var generator = SeededGenerator(seed: 3)
        var runs = 0
        // Real decoders take their time.
        let rounds = target == .audioFile ? 1 : 20
        for input in try Self.inputs(of: target) {
            let bytes = Array(try Data(contentsOf: input))
            for _ in 0..<rounds {
                try await target.run(Self.mutated(bytes, &generator))
                runs += 1
            }
        }
        #expect(runs >= 10)
    }

    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: bytes[place...].prefix(16), at: place)
            default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
            }
        }
        return bytes
    }
}

/// Numbers that are the same in every run (an xorshift generator).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

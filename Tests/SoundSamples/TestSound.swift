import Foundation

/// A folder that goes with the value.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = NSTemporaryDirectory() + "segue-audio-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { path + "/" + name }
}

/// The part of a sample that is not as it has to be, or what it could not be made by.
package struct UnusableSample: Error {
    let part: String

    init(_ part: String) { self.part = part }
}

/// 16-bit sounds and WAV files of them.
package enum TestSound {
    /// A deterministic noise that uses the whole range of 16 bits, so that no two frames are alike for long.
    package static func noise(frames: Int, channels: Int = 2, seed: UInt32 = 1) -> [Int16] {
        var state = seed &* 2_654_435_761 | 1
        return (0..<(frames * channels)).map { _ in
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            return Int16(truncatingIfNeeded: state >> 8)
        }
    }

    package static func wav(_ samples: [Int16], rate: Int = 44100, channels: Int = 2) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let data = samples.withUnsafeBytes { Array($0) }
        return Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4) + little(channels * 2, 2)
            + little(16, 2)
            + Array("data".utf8) + little(data.count, 4) + data
    }

    package static func write(_ samples: [Int16], to path: String, rate: Int = 44100, channels: Int = 2) throws {
        try Data(wav(samples, rate: rate, channels: channels)).write(to: URL(fileURLWithPath: path))
    }

    /// The samples of a WAV file of 16 bits; checks that its header tells the truth.
    package static func read(_ path: String) throws -> (samples: [Int16], rate: Int, channels: Int) {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func little(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        guard bytes.count >= 44, bytes.starts(with: Array("RIFF".utf8)), little(4, 4) == bytes.count - 8,
            little(34, 2) == 16
        else { throw UnusableSample("the header of \(path)") }
        // Tags may stand between the format and the samples, which are the last chunk.
        var place = 36
        while bytes[place..<place + 4] != ArraySlice("data".utf8) {
            place += 8 + little(place + 4, 4)
            guard place + 8 <= bytes.count else { throw UnusableSample("the chunks of \(path)") }
        }
        guard little(place + 4, 4) == bytes.count - place - 8 else { throw UnusableSample("the size of \(path)") }
        let count = (bytes.count - place - 8) / 2
        let samples = (0..<count).map { Int16(truncatingIfNeeded: little(place + 8 + $0 * 2, 2)) }
        return (samples, little(24, 4), little(22, 2))
    }
}

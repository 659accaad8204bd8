import Foundation

/// One continuous sound cut in two, and the files of its halves in Tests/Fixtures/audio.
package enum CutSound {
    package static let cut = 30011
    package static let end = 60007

    /// The whole sound; the same as Tests/Fixtures/audio/make.py computes.
    package static func samples(rate: Int = 44100, from: Int = 0, to: Int = end) -> [Int16] {
        (from..<to).flatMap { frame in
            let time = Double(frame) / Double(rate)
            let left = 0.3 * sine(220 * time + 260 * time * time) + 0.2 * sine(997 * time)
            let right = 0.4 * sine(350 * time + 190 * time * time) + 0.1 * sine(1511 * time)
            return [Int16((left * 32767).rounded()), Int16((right * 32767).rounded())]
        }
    }

    private static func sine(_ turns: Double) -> Double { sin(2 * .pi * turns) }

    /// The file of a half: `a` or `b`.
    package static func path(_ half: String, _ kind: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/audio/\(half)\(kind)").path
    }

    /// By how many frames `heard` lags behind `expected` around a frame: where the difference is least.
    package static func lag(_ heard: [Int16], _ expected: [Int16], at frame: Int, reach: Int = 1400) -> Int {
        var best = (error: Double.infinity, shift: 0)
        for shift in -reach...reach {
            var error = 0.0
            for index in stride(from: frame, to: frame + 2048, by: 5) {
                let place = (index + shift) * 2
                guard place >= 0, place + 1 < heard.count, index * 2 + 1 < expected.count else { continue }
                let difference = Double(heard[place]) - Double(expected[index * 2])
                error += difference * difference
            }
            if error < best.error { best = (error, shift) }
        }
        return best.shift
    }

    /// The root mean square of the difference within some frames, as a part of full scale.
    package static func error(_ heard: [Int16], _ expected: [Int16], _ frames: Range<Int>) -> Double {
        let samples = frames.lowerBound * 2..<frames.upperBound * 2
        let sum = samples.reduce(0.0) { sum, index in
            let difference = Double(heard[index]) - Double(expected[index])
            return sum + difference * difference
        }
        return (sum / Double(samples.count)).squareRoot() / 32768
    }
}

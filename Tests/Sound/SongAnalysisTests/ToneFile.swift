import Foundation

/// Files of sound for measurements.
enum ToneFile {
    /// A WAV file of a tone of 997 Hz at half of full scale, in 16 bits.
    static func wave(milliseconds: Int, rate: Int = 44_100, channels: Int = 2) -> Data {
        let frames = milliseconds * rate / 1000
        let size = channels * 2
        var data = Data("RIFF".utf8)
        func number(_ value: Int, _ bytes: Int) {
            withUnsafeBytes(of: Int64(value).littleEndian) { data.append(contentsOf: $0.prefix(bytes)) }
        }
        number(36 + frames * size, 4)
        data.append(Data("WAVEfmt ".utf8))
        for (value, bytes) in [
            (16, 4), (1, 2), (channels, 2), (rate, 4), (rate * size, 4), (size, 2), (16, 2),
        ] {
            number(value, bytes)
        }
        data.append(Data("data".utf8))
        number(frames * size, 4)
        for frame in 0..<frames {
            let value = Int(0.5 * 32_767 * sin(2 * .pi * 997 * Double(frame) / Double(rate)))
            for _ in 0..<channels { number(value, 2) }
        }
        return data
    }
}

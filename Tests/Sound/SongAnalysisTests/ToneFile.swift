import Foundation

/// Files of sound for measurements.
enum ToneFile {
    /// A WAV file of a tone of 997 Hz at half of full scale, in stereo at 44.1 kHz.
    static func wave(milliseconds: Int) -> Data {
        let frames = milliseconds * 441 / 10
        var data = Data("RIFF".utf8)
        func number(_ value: Int, _ bytes: Int) {
            withUnsafeBytes(of: Int64(value).littleEndian) { data.append(contentsOf: $0.prefix(bytes)) }
        }
        number(36 + frames * 4, 4)
        data.append(Data("WAVEfmt ".utf8))
        for (value, bytes) in [(16, 4), (1, 2), (2, 2), (44_100, 4), (176_400, 4), (4, 2), (16, 2)] {
            number(value, bytes)
        }
        data.append(Data("data".utf8))
        number(frames * 4, 4)
        for frame in 0..<frames {
            let value = Int(0.5 * 32_767 * sin(2 * .pi * 997 * Double(frame) / 44_100))
            number(value, 2)
            number(value, 2)
        }
        return data
    }
}

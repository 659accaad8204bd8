import MusicModel
import Outputs

extension ValueKind where Value == AudioFormat {
    /// Rate, sample and channels, each of which may be left to the song.
    static var pcmFormat: ValueKind {
        ValueKind(expected: "rate:bits:channels such as \"44100:16:2\" or \"*:24:2\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            do throws(SettingProblem) { return try AllowedFormat.pcm(Substring(text)) } catch {
                throw ValueComplaint(error.description)
            }
        }
    }
}

extension ValueKind where Value == [AllowedFormat] {
    /// A list of formats, also as MPD writes it: in one text with spaces between them.
    static var allowedFormats: ValueKind {
        ValueKind(expected: "a list of formats such as [\"44100:16:2\", \"96000:*:*\", \"dsd64:2=dop\"]") {
            node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            do throws(SettingProblem) { return try AllowedFormat.list(texts.joined(separator: " ")) } catch {
                throw ValueComplaint(error.description)
            }
        }
    }
}

extension ValueKind where Value == Duration? {
    /// The time after which a device is closed in a pause, or none.
    static var pauseLimit: ValueKind {
        ValueKind(expected: "true, false, or seconds from 0 to 3600") { node in
            switch node.value {
            case .boolean(true), .text("true"), .text("yes"): .some(.seconds(10))
            case .boolean(false), .text("false"), .text("no"): .some(nil)
            case .integer(let number) where (0...3600).contains(number): .some(.seconds(number))
            case .text(let text): Int(text).flatMap { (0...3600).contains($0) ? .some(.seconds($0)) : nil }
            default: nil
            }
        }
    }
}

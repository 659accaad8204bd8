import MusicModel

@testable import AudioFiles

extension UntrustedInput {
    /// Reads the header of a picture, and computes with all that it says.
    ///
    /// - Returns: what is wrong with the outcome; nil as a rule.
    static func readPicture(_ bytes: [UInt8]) -> String? {
        guard let header = PictureHeader(bytes) else { return nil }
        let edges = 1...65535
        guard edges.contains(header.width), edges.contains(header.height) else { return "a size of \(header)" }
        guard header.cost.frame >= header.width * header.height else { return "too little memory for \(header)" }
        var end = 0
        for part in header.parts {
            let isNext = part.lowerBound >= end && part.upperBound <= bytes.count && !part.isEmpty
            guard isNext else { return "the parts \(header.parts)" }
            end = part.upperBound
        }
        let most = (128 << 20).addingClamped(bytes.count)
        for edge in [96, 1280] {
            guard let scaler = PictureScaler(bytes, edge: edge) else { continue }
            guard (bytes.count...most).contains(scaler.memory) else { return "\(scaler.memory) bytes for \(header)" }
        }
        return nil
    }
}

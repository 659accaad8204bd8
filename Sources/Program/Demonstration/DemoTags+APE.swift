import AudioFiles
import FoundationEssentials

/// APEv2 tags, which WavPack files carry at their end. (GStreamer's own muxer for them writes its data out of turn
/// behind an encoder that goes back to its header, as WavPack's does.)
extension DemoTags {
    /// Adds the tags at the end of a file.
    ///
    /// - Throws: `AudioFileError` when the file can't be written.
    func appendAPE(to path: String) throws {
        do {
            let file = try Data(contentsOf: URL(fileURLWithPath: path))
            try (file + Data(apeTag)).write(to: URL(fileURLWithPath: path))
        } catch { throw AudioFileError(message: "the tags can't be written", cause: error) }
    }

    private var apeItems: [(key: String, values: [String])] {
        [
            ("Title", [title]), ("Artist", artists), ("Album", [album]), ("Album Artist", [albumArtist]),
            ("Composer", [composer]), ("Genre", genres), ("Comment", [comment]), ("Track", [number(track)]),
            ("Disc", [number(disc)]), ("Year", [number(date.year)]),
        ].map { ($0, $1.filter { !$0.isEmpty }) }.filter { !$1.isEmpty }
    }

    private func number(_ value: Int) -> String { value > 0 ? String(value) : "" }

    private var apeTag: [UInt8] {
        let items = apeItems
        let body = items.flatMap { key, values in
            let text = Array(values.joined(separator: "\0").utf8)
            return little(text.count) + little(0) + Array(key.utf8) + [0] + text
        }
        func frame(_ flags: Int) -> [UInt8] {
            Array("APETAGEX".utf8) + little(2000) + little(body.count + 32) + little(items.count) + little(flags)
                + little(0)
                + little(0)
        }
        return frame(0xA000_0000) + body + frame(0x8000_0000)
    }

    private func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

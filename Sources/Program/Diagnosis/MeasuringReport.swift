package import Discovery
import Foundation
package import UserLibrary

/// How far the measuring of songs is, and how well it tells what belongs together; as JSON one object with the fields
/// of the first part.
package struct MeasuringReport: Encodable {
    private var measuring: AnalysisReport
    /// Missing where too few songs were measured.
    private var quality: SoundQuality?

    private enum Keys: CodingKey { case quality }

    /// Puts both together.
    package init(measuring: AnalysisReport, quality: SoundQuality?) {
        (self.measuring, self.quality) = (measuring, quality)
    }

    /// The report for people.
    package var text: String { ([measuring.text] + (quality?.sentences ?? [])).joined(separator: "\n") }

    /// The report for scripts.
    package var json: String {
        get throws { try PrettyJSON.text(of: self) }
    }

    package func encode(to encoder: any Encoder) throws {
        try measuring.encode(to: encoder)
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encodeIfPresent(quality, forKey: .quality)
    }
}

extension SoundQuality {
    /// How well the sound tells what belongs together, for people.
    fileprivate var sentences: [String] {
        func percent(_ share: Double) -> String { String(format: share < 0.0995 ? "%.1f %%" : "%.0f %%", share * 100) }
        func line(_ share: Share, _ what: String) -> String? {
            guard share.songs > 0 else { return nil }
            return "- \(percent(share.sound)) \(what) (nearest by tags \(percent(share.tags)), by chance "
                + "\(percent(share.chance)))"
        }
        let lines = [
            line(album, "are of the same album"), line(artist, "of other albums are by the same artist"),
            line(genre, "by other artists share a genre"),
        ].compactMap { $0 }
        return [
            "Of the five songs that sound most like one, for \(max(album.songs, artist.songs, genre.songs)) of yours:"
        ]
            + lines + [
                hubs <= 1.5
                    ? "No songs are near to far more others than the rest."
                    : "Some songs are near to far more others than the rest, so they come more often."
            ]
    }
}

extension AnalysisReport {
    /// The report for people; control characters of paths don't reach the terminal.
    fileprivate var text: String {
        var lines = ["\(measured) of \(songs) songs are measured" + (failed > 0 ? ", \(failed) can't be" : "") + "."]
        let left = max(songs - measured - failed, 0)
        if left > 0, let perHour, let hoursLeft {
            let time =
                hoursLeft < 1
                ? "\(Int((hoursLeft * 60).rounded(.up))) minutes" : String(format: "%.1f hours", hoursLeft)
            lines.append("At \(Int(perHour)) songs an hour, the other \(left) take \(time).")
        }
        for failure in failures {
            lines.append("\(failure.path): \(failure.reason) (tried \(failure.tries) times)")
        }
        return lines.map { line in
            String(
                line.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } ? " " : $0 })
        }.joined(separator: "\n")
    }
}

/// JSON as scripts and people read it.
enum PrettyJSON {
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

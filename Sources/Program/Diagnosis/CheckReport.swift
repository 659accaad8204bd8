package import Discovery
import Foundation
import MusicModel
package import SegueConfiguration
package import UserLibrary

/// The findings of `segue check`, printed as they come.
package struct CheckReport {
    /// Everything so far.
    package private(set) var findings: [Finding] = []
    /// True if lines are printed.
    package var isPrinting = true

    /// Makes a report without findings.
    package init() {}

    /// How many things must be mended.
    package var failures: Int { findings.count { $0.level == .failure } }
    /// How many things could be better.
    package var warnings: Int { findings.count { $0.level == .warning } }

    /// Something is as it should be.
    package mutating func good(_ subject: String, _ text: String) { note(Finding(subject, .ok, text)) }
    /// Something could be better.
    package mutating func warn(_ subject: String, _ text: String) { note(Finding(subject, .warning, text)) }
    /// Something must be mended.
    package mutating func bad(_ subject: String, _ text: String) { note(Finding(subject, .failure, text)) }

    /// Keeps and prints what was found.
    package mutating func note(_ finding: Finding) {
        findings.append(finding)
        if isPrinting { print(Self.line(finding)) }
    }

    /// A finding as people read it.
    package static func line(_ finding: Finding) -> String {
        let mark =
            switch finding.level {
            case .ok: "ok"
            case .warning: "warn"
            case .failure: "FAIL"
            }
        return mark + String(repeating: " ", count: 5 - mark.count) + "\(finding.subject): \(finding.text)"
    }

    /// The findings for scripts.
    package var json: String { get throws { try PrettyJSON.text(of: ["findings": findings]) } }

    /// The findings for a report of a fault, with the machine and what is shown of the configuration.
    package func text(version: String, _ configuration: Configuration) -> String {
        var lines = ["Segue \(version), \(SystemPlaces.machine)", ""] + findings.map(Self.line)
        for section in configuration.shownSections {
            lines += ["", "[\(section.name)]"] + section.keys.map { "\($0.key) = \($0.value)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// One thing that was checked, and how it is.
package struct Finding: Codable, Hashable, Sendable {
    /// The need to do something about it.
    package enum Level: String, Codable, Sendable {
        /// As it should be.
        case ok
        /// Something works less well than it could.
        case warning
        /// Something that is needed doesn't work.
        case failure
    }

    /// The part of the system that was checked, in a word or two.
    package var subject: String
    /// How much it matters.
    package var level: Level
    /// The state of it and, where that is needed, the cure.
    package var text: String

    /// Notes what was found.
    package init(_ subject: String, _ level: Level, _ text: String) {
        (self.subject, self.level, self.text) = (subject, level, text)
    }
}

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
    package var json: String { get throws { try PrettyJSON.text(of: self) } }

    package func encode(to encoder: any Encoder) throws {
        try measuring.encode(to: encoder)
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encodeIfPresent(quality, forKey: .quality)
    }
}

extension SoundQuality {
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
        return lines.map(\.onOneLine).joined(separator: "\n")
    }
}

/// JSON as scripts and people read it.
package enum PrettyJSON {
    /// Indented, with its keys in order.
    package static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension String {
    /// The text with spaces for line ends and control characters, which must not reach the terminal.
    var onOneLine: String {
        String(
            map { letter in
                let isControl = letter.unicodeScalars.contains { $0.properties.generalCategory == .control }
                return letter.isNewline || isControl ? " " : letter
            })
    }
}

import MusicModel
package import SegueConfiguration

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
    package var json: String {
        get throws { try PrettyJSON.text(of: ["findings": findings]) }
    }

    /// The findings for a report of a fault, with the machine and what is shown of the configuration.
    package func text(version: String, _ configuration: Configuration) -> String {
        var lines = ["Segue \(version), \(SystemPlaces.machine)", ""] + findings.map(Self.line)
        for section in configuration.shownSections {
            lines += ["", "[\(section.name)]"] + section.keys.map { "\($0.key) = \($0.value)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

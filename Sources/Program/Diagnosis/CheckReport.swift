/// The findings of `segue check` and `segue doctor`, printed as they come.
package struct CheckReport {
    /// Everything so far.
    package private(set) var findings: [Finding] = []
    /// Whether lines are printed.
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
}

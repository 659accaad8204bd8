import MPDSessions

extension Configuration {
    /// The sections that differ from those of `other`, as they are written in the file and in the file's order.
    ///
    /// Sections are found by reflection, so that a new one can't be forgotten here.
    package func sectionsThatDiffer(from other: Configuration) -> [String] {
        let pairs = zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children)
        let differing = pairs.compactMap { mine, theirs -> String? in
            guard let label = mine.label, !Self.notSections.contains(label),
                let mine = mine.value as? any Equatable, !mine.equals(theirs.value)
            else { return nil }
            return Self.written(label)
        }
        return differing + extensions.names(thatDifferFrom: other.extensions).map { "[\($0)]" }
    }

    /// The sections that differ from those of a running server, apart from what it takes over while it runs.
    package func sectionsThatWaitForRestart(of running: Configuration) -> [String] {
        var running = running
        running.server.logLevel = server.logLevel
        running.server.passwords = server.passwords
        running.server.options.access = server.options.access
        // Files of another name are taken over too; only listeners are not.
        if running.server.options.certificate != nil, server.options.certificate != nil {
            running.server.options.certificate = server.options.certificate
        }
        return sectionsThatDiffer(from: running)
    }

    /// Where the values come from, and what was noticed with them.
    private static let notSections: Set<String> = [
        "file", "warnings", "isDemo", "extensions", "secretFiles", "holdsSecrets",
    ]

    private static func written(_ label: String) -> String {
        switch label {
        case "outputs": "[[output]]"
        case "stations": "[[station]]"
        case "partitions": "[[partition]]"
        default: "[\(label)]"
        }
    }
}

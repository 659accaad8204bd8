extension Configuration {
    /// The sections that differ from those of `other`, as they are written in the file and in the file's order.
    ///
    /// Sections are found by reflection, so that a new one can't be forgotten here.
    package func sectionsThatDiffer(from other: Configuration) -> [String] {
        zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap { mine, theirs in
            guard let label = mine.label, !Self.notSections.contains(label),
                let mine = mine.value as? any Equatable, !mine.equals(theirs.value)
            else { return nil }
            return Self.written(label)
        }
    }

    /// The sections that differ from those of a running server, apart from what it takes over while it runs.
    package func sectionsThatWaitForRestart(of running: Configuration) -> [String] {
        var running = running
        running.server.logLevel = server.logLevel
        running.server.passwords = server.passwords
        running.server.defaultPermissions = server.defaultPermissions
        running.server.localPermissions = server.localPermissions
        running.server.hostPermissions = server.hostPermissions
        // Files of another name are taken over too; only listeners are not.
        if running.server.tls != nil, server.tls != nil { running.server.tls = server.tls }
        return sectionsThatDiffer(from: running)
    }

    /// Where the values come from, and what was noticed with them.
    private static let notSections: Set<String> = ["file", "warnings", "isDemo"]

    private static func written(_ label: String) -> String {
        switch label {
        case "outputs": "[[output]]"
        case "stations": "[[station]]"
        case "partitions": "[[partition]]"
        case "prompt": "[dj.prompt]"
        default: "[\(label)]"
        }
    }
}

extension Equatable {
    fileprivate func equals(_ other: Any) -> Bool { (other as? Self) == self }
}

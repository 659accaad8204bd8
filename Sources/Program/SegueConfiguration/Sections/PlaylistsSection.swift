import NetworkAddresses

extension ConfigurationReader {
    /// Reads `[playlists]`.
    func readPlaylists(_ section: inout SectionReader) -> Configuration.Playlists {
        Configuration.Playlists(
            hidden: section.value("hide", .virtualPlaylists) ?? [],
            privateHosts: section.value("private_hosts", .hosts) ?? HostList())
    }
}

extension ValueKind where Value == Set<Configuration.Playlists.Virtual> {
    /// A list of playlists that Segue makes itself; it may be empty, and a single one may stand without brackets.
    fileprivate static var virtualPlaylists: ValueKind {
        let words = Configuration.Playlists.Virtual.allCases.map(\.rawValue)
        return ValueKind(expected: "a list of " + words.asQuotedList) { node throws(ValueComplaint) in
            guard let texts = node.textList ?? node.plainText.map({ [$0] }) else { return nil }
            var playlists: Set<Configuration.Playlists.Virtual> = []
            for text in texts {
                guard let playlist = Configuration.Playlists.Virtual(rawValue: text) else {
                    throw ValueComplaint(words.complaint(about: text))
                }
                playlists.insert(playlist)
            }
            return playlists
        }
    }
}

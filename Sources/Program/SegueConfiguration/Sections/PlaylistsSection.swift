package import NetworkAddresses

extension Configuration {
    /// The `[playlists]` section.
    package struct Playlists: Hashable, Sendable {
        /// A stored playlist that Segue makes itself.
        package enum Virtual: String, CaseIterable, Hashable, Sendable {
            case recentlyAdded = "recently_added"
            case recentlyPlayed = "recently_played"
            case mostPlayed = "most_played"
            case starred
            case randomAlbums = "random_albums"
            case radio
            case navidromeQueue = "navidrome_queue"
        }

        /// Those that clients don't see.
        package var hidden: Set<Virtual> = []
        /// Hosts in private networks from which clients may have playlists read.
        package var privateHosts = HostList()

        /// Those that clients see where there is something in them.
        package var shown: [Virtual] { Virtual.allCases.filter { !hidden.contains($0) } }
    }
}

extension ConfigurationReader {
    /// Reads which playlists clients see, and where they may load others from.
    func readPlaylists(_ section: inout SectionReader) -> Configuration.Playlists {
        var playlists = Configuration.Playlists()
        section.read("hide", .virtualPlaylists, into: &playlists.hidden)
        if let hosts = section.value("private_hosts", .hosts) { playlists.privateHosts = hosts }
        return playlists
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

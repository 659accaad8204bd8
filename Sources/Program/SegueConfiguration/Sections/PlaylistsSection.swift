package import NetworkAddresses
package import UserLibrary

extension Configuration {
    /// The `[playlists]` section.
    package struct Playlists: Hashable, Sendable {
        /// Those that clients don't see.
        package var hidden: Set<VirtualPlaylist.Kind> = []
        /// Hosts in private networks from which clients may have playlists read.
        package var privateHosts = HostList()

        /// Those that clients see where there is something in them.
        package var shown: [VirtualPlaylist.Kind] { VirtualPlaylist.Kind.allCases.filter { !hidden.contains($0) } }
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

extension ValueKind where Value == Set<VirtualPlaylist.Kind> {
    /// A list of playlists that Segue makes itself; it may be empty, and a single one may stand without brackets.
    fileprivate static var virtualPlaylists: ValueKind {
        let words = VirtualPlaylist.Kind.allCases.map(\.rawValue)
        let list = ValueKind<[VirtualPlaylist.Kind]>.list("a list of " + words.asQuotedList, takesOne: true) {
            text throws(ValueComplaint) in
            if let playlist = VirtualPlaylist.Kind(rawValue: text) { return playlist }
            throw ValueComplaint(words.complaint(about: text))
        }
        return list.map { Set($0) }
    }
}

/// A track of an audio CD, or all of its tracks: `cdda:///dev/cdrom/3`, `cdda:///dev/cdrom/`.
/// - Source: MPD v0.24.13 src/input/plugins/CdioParanoiaInputPlugin.cxx.
package struct DiscAddress: Hashable, Sendable {
    /// The scheme of such addresses.
    package static let scheme = "cdda://"
    private static let tracks = 1...99

    /// The drive's device file; nil is the first one of the configuration.
    package var device: String?
    /// The track's number, from 1 on; nil is the whole disc.
    package var track: Int?

    /// Names a track.
    package init(device: String?, track: Int?) { (self.device, self.track) = (device, track) }

    /// Reads an address; nil for any other, and for one that names no track there can be.
    package init?(_ url: String) {
        guard Self.isOne(url) else { return nil }
        let rest = url.dropFirst(Self.scheme.count)
        guard let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            device = rest.isEmpty ? nil : String(rest)
            return
        }
        let (name, number) = (rest[..<slash], rest[rest.utf8.index(after: slash)...])
        device = name.isEmpty ? nil : String(name)
        guard !number.isEmpty else { return }
        guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let track = Int(number),
            Self.tracks.contains(track)
        else { return nil }
        self.track = track
    }

    /// The address.
    package var url: String { "\(Self.scheme)\(device ?? "")/\(track.map(String.init) ?? "")" }

    /// True if an address has this scheme.
    package static func isOne(_ url: String) -> Bool { url.prefix(scheme.count).lowercased() == scheme }
}

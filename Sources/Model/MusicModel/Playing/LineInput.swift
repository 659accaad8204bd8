/// A capture device of ALSA that plays like a stream, such as a turntable's: `alsa://hw:1,0?format=44100:16:2`.
/// - Source: MPD v0.24.13 src/input/plugins/AlsaInputPlugin.cxx. Differs: of the format, rate and channels count; the
///   device's own sample size is taken.
package struct LineInput: Hashable, Sendable {
    /// The scheme of such addresses.
    package static let scheme = "alsa://"

    /// ALSA's name of the device.
    package let device: String
    /// Frames a second.
    package private(set) var rate = 48_000
    /// How many channels; nil leaves it to the device, at most two.
    package private(set) var channels: Int?

    /// Reads an address; nil for any other, and for one whose format can't be.
    package init?(_ url: String) {
        guard Self.isOne(url) else { return nil }
        let rest = url.dropFirst(Self.scheme.count)
        let name = rest.prefix { $0 != "?" }
        device = name.isEmpty ? "default" : String(name)
        let query = rest.dropFirst(name.count).dropFirst()
        guard !query.isEmpty else { return }
        guard query.hasPrefix("format=") else { return nil }
        let parts = query.dropFirst(7).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        if parts[0] != "*" {
            guard let rate = Int(parts[0]), (8_000...384_000).contains(rate) else { return nil }
            self.rate = rate
        }
        if parts[2] != "*" {
            guard let channels = Int(parts[2]), (1...2).contains(channels) else { return nil }
            self.channels = channels
        }
    }

    /// True if an address has this scheme.
    package static func isOne(_ url: String) -> Bool { url.prefix(scheme.count).lowercased() == scheme }
}

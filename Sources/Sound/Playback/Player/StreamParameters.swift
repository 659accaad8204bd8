import MusicModel

extension ReplayGain {
    /// How far from the reference a gain may be, in decibels.
    private static let plausible = -60.0...60.0

    /// The values in the fragment of a stream's address (`#gain=-3.5`), for track and album alike; nil without any.
    /// - Source: MPD's master (0.25), src/decoder/Thread.cxx `LoadReplayGain`. Differs: the address counts also where
    ///   the stream has values of its own.
    init?(ofStream url: String) {
        guard let fragment = url.firstIndex(of: "#").map({ url[url.index(after: $0)...] }),
            let parameter = fragment.split(separator: "&").first(where: { $0.hasPrefix("gain=") })
        else { return nil }
        // A unit may stand behind it, as in tags.
        let number = parameter.dropFirst("gain=".count).prefix { "+-.0123456789".contains($0) }
        guard let gain = Double(number), Self.plausible.contains(gain) else { return nil }
        self.init(trackGain: gain, albumGain: gain)
    }
}

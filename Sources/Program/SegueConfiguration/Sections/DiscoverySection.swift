package import Discovery
import MusicModel

extension Configuration {
    /// The `[discovery]` section.
    package struct Discovery: Hashable, Sendable {
        /// Which songs are measured.
        package enum Analysis: String, CaseIterable, Hashable, Sendable {
            case off, heard, library
        }

        /// Which songs are measured.
        package var analysis = Analysis.heard
        /// Bytes per second at which songs that are not played are fetched for measuring.
        package var analysisBandwidth: Int64 = 1_000_000
        /// True if measured loudness counts for ReplayGain when a song has no values.
        package var usesMeasuredGain = true
        /// True if measured beginnings and ends count for MixRamp when a song has no tags.
        package var usesMeasuredRamps = true
        /// True if the library's server is asked which songs are alike.
        package var usesServerSimilarity = true
        /// The playlists that clients see where there is enough for them.
        package var playlists: Set<MixGroup> = []

        /// The section as it is when nothing is written in it.
        package init() {}
    }
}

extension ConfigurationReader {
    /// Reads which playlists are made of the library, and which songs are measured.
    func readDiscovery(_ section: inout SectionReader) -> Configuration.Discovery {
        var discovery = Configuration.Discovery()
        section.read("playlists", .words, into: &discovery.playlists, page: .afterRestart)
        section.read("server_similarity", .flag, into: &discovery.usesServerSimilarity, page: .afterRestart)
        section.read("analyse", .choice, into: &discovery.analysis, page: .afterRestart)
        section.read(
            "analyse_bandwidth", .byteSize(from: "10 kB", to: "1 GB"), into: &discovery.analysisBandwidth)
        section.read("measured_gain", .flag, into: &discovery.usesMeasuredGain, page: .afterRestart)
        section.read("measured_ramps", .flag, into: &discovery.usesMeasuredRamps, page: .afterRestart)
        return discovery
    }
}

extension ValueKind where Value == Set<MixGroup> {
    /// A list of groups of playlists; `"all"` stands for all of them, and a single one may stand without brackets.
    fileprivate static var words: ValueKind {
        let words = MixGroup.allCases.map(\.rawValue) + ["all"]
        let list = ValueKind<[[MixGroup]]>.list("a list of " + words.asQuotedList, takesOne: true) {
            text throws(ValueComplaint) in
            if text == "all" { return MixGroup.allCases }
            if let group = MixGroup(rawValue: text) { return [group] }
            throw ValueComplaint(words.complaint(about: text))
        }
        return list.map { Set($0.joined()) }.shown(as: .list(words.dropLast())) { groups in
            .list(MixGroup.allCases.filter(groups.contains).map(\.rawValue))
        }
    }
}

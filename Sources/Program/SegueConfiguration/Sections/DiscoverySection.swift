package import Discovery
import MPDProtocol
import MusicModel
import Players

extension Configuration {
    /// The `[discovery]` section.
    package struct Discovery: Hashable, Sendable {
        /// Which songs are measured.
        package enum Analysis: String, CaseIterable, Hashable, Sendable { case off, heard, library }

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

        init(reading section: inout SectionReader) {
            section.read("playlists", .words, into: &playlists, page: .afterRestart)
            section.read("server_similarity", .flag, into: &usesServerSimilarity, page: .afterRestart)
            section.read("analyse", .choice, into: &analysis, page: .afterRestart)
            section.read("analyse_bandwidth", .byteSize(from: "10 kB", to: "1 GB"), into: &analysisBandwidth)
            section.read("measured_gain", .flag, into: &usesMeasuredGain, page: .afterRestart)
            section.read("measured_ramps", .flag, into: &usesMeasuredRamps, page: .afterRestart)
        }
    }
}

extension DJSettings {
    /// Reads `[dj]`: how the auto-DJ chooses.
    init(reading section: inout SectionReader) {
        self.init()
        section.read("switch", .flag, into: &showsSwitch)
        section.read("mode", .choice, into: &mode, page: .afterRestart)
        section.read("ahead", .integer(1...50, unit: "songs"), into: &ahead, page: .afterRestart)
        section.read("repeat_hours", .integer(0...8760, unit: "hours"), into: &rules.repeatHours, page: .afterRestart)
        section.read("artist_gap", .integer(0...50, unit: "songs"), into: &rules.artistGap, page: .afterRestart)
        section.read("lowest_rating", .integer(0...9, unit: "of 10"), into: &rules.lowestRating, page: .afterRestart)
        section.read("adventure", .number(0...1), into: &rules.adventure, page: .afterRestart)
        section.read("except", .filter, into: &except)
        section.read("explain", .flag, into: &explains, page: .afterRestart)
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

extension ValueKind where Value == SongFilter {
    fileprivate static var filter: ValueKind {
        ValueKind(expected: "a filter such as \"(genre == 'Audiobook')\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            do throws(AckError) {
                return try SongFilter(parsing: [text], foldsCase: false)
            } catch { throw ValueComplaint("is no filter: \(error.message)") }
        }
    }
}

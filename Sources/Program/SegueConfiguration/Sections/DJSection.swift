extension ConfigurationReader {
    /// Takes what the section says about choosing music.
    func readDiscovery(_ section: inout SectionReader) -> Configuration.Discovery {
        var discovery = Configuration.Discovery()
        discovery.playlists = section.value("playlists", .words) ?? discovery.playlists
        discovery.analysis = section.value("analyse", .choice) ?? discovery.analysis
        discovery.usesMeasuredGain = section.value("measured_gain", .flag) ?? discovery.usesMeasuredGain
        return discovery
    }

    /// Takes what the section says about the auto-DJ.
    func readDJ(_ section: inout SectionReader) -> Configuration.DJ {
        var dj = Configuration.DJ()
        dj.showsSwitch = section.value("switch", .flag) ?? dj.showsSwitch
        dj.mode = section.value("mode", .choice) ?? dj.mode
        dj.ahead = section.value("ahead", .integer(1...50, unit: "songs")) ?? dj.ahead
        dj.repeatHours = section.value("repeat_hours", .integer(0...8760, unit: "hours")) ?? dj.repeatHours
        dj.artistGap = section.value("artist_gap", .integer(0...50, unit: "songs")) ?? dj.artistGap
        dj.lowestRating = section.value("lowest_rating", .integer(0...9, unit: "of 10")) ?? dj.lowestRating
        dj.adventure = section.value("adventure", .share) ?? dj.adventure
        dj.except = section.value("except", .text("a filter such as \"(genre == 'Audiobook')\""))
        dj.explains = section.value("explain", .flag) ?? dj.explains
        return dj
    }
}

extension ValueKind where Value == Set<Configuration.Discovery.Playlists> {
    /// A list of groups of playlists; `"all"` stands for all of them, and a single one may stand without brackets.
    fileprivate static var words: ValueKind {
        let words = Configuration.Discovery.Playlists.allCases.map(\.rawValue) + ["all"]
        return ValueKind(expected: "a list of " + words.asQuotedList) { node throws(ValueComplaint) in
            guard let texts = node.textList ?? node.plainText.map({ [$0] }) else { return nil }
            var groups: Set<Configuration.Discovery.Playlists> = []
            for text in texts {
                if text == "all" {
                    groups.formUnion(Configuration.Discovery.Playlists.allCases)
                } else if let group = Configuration.Discovery.Playlists(rawValue: text) {
                    groups.insert(group)
                } else {
                    throw ValueComplaint(words.complaint(about: text))
                }
            }
            return groups
        }
    }
}

extension ValueKind where Value == Double {
    /// A share from 0 to 1.
    fileprivate static var share: ValueKind {
        ValueKind(expected: "a number from 0 to 1") { node in
            guard let number = node.decimal, (0...1).contains(number) else { return nil }
            return number
        }
    }
}

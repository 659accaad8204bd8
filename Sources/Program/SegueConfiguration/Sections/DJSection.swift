import MusicModel

extension Configuration {
    /// The `[dj]` section.
    package struct DJ: Hashable, Sendable {
        /// The pool that the auto-DJ chooses from.
        package enum Mode: String, CaseIterable, Hashable, Sendable {
            case similar, genre, mood, favourites, forgotten
            case deepCuts = "deep_cuts"
            case new, library, album
            case randomAlbums = "random_albums"
        }

        /// Whether clients see the auto-DJ as an output.
        package var showsSwitch = false
        /// The pool that it chooses from.
        package var mode = Mode.similar
        /// How many songs wait in the queue before it rests.
        package var ahead = 3
        /// Hours in which no song is picked twice.
        package var repeatHours = 24
        /// Songs between two of one artist.
        package var artistGap = 6
        /// Stickers `rating` up to this one are never picked; 0 picks all.
        package var lowestRating = 2
        /// The share of picks from further away.
        package var adventure = 0.1
        /// A filter for songs that are never picked, in MPD's language; nil is none.
        package var except: String?
        /// Whether a sticker says why a song was picked.
        package var explains = true
        /// The `[dj.prompt]` section; nil when there is none.
        package var prompt: Prompt?

        /// The section as it is when nothing is written in it.
        package init() {}
    }
}

extension ConfigurationReader {
    /// Reads how the auto-DJ chooses.
    func readDJ(_ section: inout SectionReader, _ warnings: inout [String]) -> Configuration.DJ {
        var dj = Configuration.DJ()
        section.read("switch", .flag, into: &dj.showsSwitch)
        section.read("mode", .choice, into: &dj.mode, page: .afterRestart)
        section.read("ahead", .integer(1...50, unit: "songs"), into: &dj.ahead, page: .afterRestart)
        section.read("repeat_hours", .integer(0...8760, unit: "hours"), into: &dj.repeatHours, page: .afterRestart)
        section.read("artist_gap", .integer(0...50, unit: "songs"), into: &dj.artistGap, page: .afterRestart)
        section.read("lowest_rating", .integer(0...9, unit: "of 10"), into: &dj.lowestRating, page: .afterRestart)
        section.read("adventure", .share, into: &dj.adventure, page: .afterRestart)
        section.read("except", .text("a filter such as \"(genre == 'Audiobook')\""), into: &dj.except)
        section.read("explain", .flag, into: &dj.explains, page: .afterRestart)
        dj.prompt = readPrompt(&section, &warnings)
        return dj
    }
}

extension ValueKind where Value == Double {
    /// A share from 0 to 1.
    fileprivate static var share: ValueKind {
        ValueKind(expected: "a number from 0 to 1") { node in
            guard let number = node.decimal, (0...1).contains(number) else { return nil }
            return number
        }.shown(as: .number(0...1, unit: "")) { .number($0) }
    }
}

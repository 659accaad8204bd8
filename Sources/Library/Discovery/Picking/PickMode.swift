package import MusicModel

/// The pool that the auto-DJ chooses from.
package enum PickMode: String, CaseIterable, Hashable, Sendable {
    case similar
    case genre
    /// Songs of the same moods: by their tags, or else as lively.
    case mood
    /// Songs with a star or a good rating.
    case favourites
    /// Songs that were liked or often heard, but not for half a year.
    case forgotten
    /// Songs that were hardly heard, by artists that are.
    case deepCuts = "deep_cuts"
    /// Songs that came into the library last.
    case new
    case library
    /// Whole albums, one after the other, each near the ones before.
    case album
    /// Whole albums at random; those that are liked and were not heard for long come sooner.
    case randomAlbums = "random_albums"
}

/// The songs that are never picked, and how freely the others are.
package struct PickRules: Hashable, Sendable {
    /// Hours in which no song is heard twice.
    package var repeatHours = 24
    /// Songs between two of one artist.
    package var artistGap = 6
    /// Ratings up to this one, of 10, are never picked; 0 picks all.
    package var lowestRating = 2
    /// The share of picks from further away, 0 to 1.
    package var adventure = 0.1
    /// Songs at least as long are books and mixes and never picked; nil picks all.
    package var maxSong: Duration?

    /// The rules of a fresh installation.
    package init() {}
}

/// A rule that had to give way, in the order in which they do.
package enum RelaxedRule: Int, Comparable, CaseIterable, Sendable {
    case noRule
    /// A song that was heard within the hours of `repeatHours`.
    case repeatHours
    /// An artist that was heard within `artistGap`.
    case artistGap
    /// Another recording of a piece, or the song that plays, because there is nothing else.
    case anything

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// How a song was picked while the library's server was away.
package enum ServerAbsence: Hashable, Sendable {
    /// It needs no server.
    case isHere
    /// Nothing that is here was left.
    case hasToBeFetched
}

/// A song that was picked, with what made it one.
package struct Pick: Hashable, Sendable {
    /// The song that is to be played.
    package let song: SongID
    /// Why it was picked.
    package internal(set) var reason: PickReason
}

/// Why a song was picked; `sentence` says it.
package struct PickReason: Hashable, Sendable {
    /// The mode that it was chosen by.
    package var mode: PickMode
    /// The song that the listener chose and that it is like; nil where there is none.
    package var seed: SongID?
    /// How alike the sound is, 0 to 1; nil where neither was analysed.
    package var likeness: Double?
    /// True if the library's server finds it like what the listener chose.
    package var isServersChoice = false
    /// A genre that it shares with the seed.
    package var genre: String?
    /// True if it is from the seed's artist.
    package var sharesArtist = false
    /// True if it is liked.
    package var isLiked = false
    /// Whole days since it was heard; nil for never.
    package var daysUnheard: Int?
    /// True if it is from further away on purpose.
    package var isExcursion = false
    /// The rule that gave way for it.
    package var relaxed = RelaxedRule.noRule
    /// The part that the absence of the library's server had in it; nil while that is there.
    package var absence: ServerAbsence?

    /// The reason as a sentence's end, such as `shares Trip-Hop with Teardrop, not heard for 14 months`.
    package func sentence(seedTitle title: String?) -> String {
        var parts: [String] = [beginning(title)]
        if isLiked, mode != .favourites { parts.append("one of your favourites") }
        if let daysUnheard { parts.append(Self.age(daysUnheard)) } else { parts.append("never heard here") }
        switch relaxed {
        case .noRule: break
        case .repeatHours: parts.append("though heard lately, as nothing else was left")
        case .artistGap: parts.append("though the artist was heard lately, as nothing else was left")
        case .anything: parts.append("as nothing else was left")
        }
        switch absence {
        case nil: break
        case .isHere: parts.append("here while your server is away")
        case .hasToBeFetched: parts.append("though your server is away, as nothing else is here")
        }
        return parts.joined(separator: ", ")
    }

    private func beginning(_ title: String?) -> String {
        if isExcursion { return "a step away from what you chose" }
        switch mode {
        case .favourites: return "one of your favourites"
        case .forgotten: return "a favourite of long ago"
        case .deepCuts: return "hardly heard, by an artist that you hear"
        case .new: return "new in your library"
        case .library: return "from your whole library"
        case .album: return "an album from your library"
        case .randomAlbums: return "an album at random"
        case .mood: return title.map { "of the mood of \($0)" } ?? "from your whole library"
        case .similar, .genre: break
        }
        guard let title else { return genre.map { "from \($0)" } ?? "from your whole library" }
        if let likeness { return "sounds like \(title) (\(Self.hundredths(likeness)))" }
        if isServersChoice { return "goes with \(title), as your server finds" }
        if sharesArtist { return "by the artist of \(title)" }
        if let genre { return "shares \(genre) with \(title)" }
        return "goes with \(title)"
    }

    private static func hundredths(_ value: Double) -> String {
        let hundredths = Int(saturating: (value.clamped(to: 0...1) * 100).rounded())
        return hundredths >= 100 ? "1.00" : "0." + (hundredths < 10 ? "0" : "") + String(hundredths)
    }

    private static func age(_ days: Int) -> String {
        switch days {
        case ..<1: "heard today"
        case 1: "heard yesterday"
        case ..<60: "not heard for \(days) days"
        case ..<730: "not heard for \(days / 30) months"
        default: "not heard for \(days / 365) years"
        }
    }
}

import MusicModel

/// How clients write what the server keeps into stickers: `rating` is 0 to 10, two for each of the server's five stars;
/// `like` is 2 for a starred song, 1 for a neutral and 0 for a disliked one; `playCount` counts plays; `lastPlayed` is
/// in Unix seconds.
/// - Source: myMPD's stickers, Cantata's ratings.
enum MarkConvention {
    static let like = "like"
    static let rating = "rating"
    static let plays = "playCount"
    static let played = "lastPlayed"

    static let names: Set<String> = [like, rating, plays, played]

    /// How often a song can have been played; clients and servers may claim more.
    static let plausiblePlays: ClosedRange<Int64> = 0...(1 << 31)

    /// The number of plays that a sticker tells; what is no number is none.
    static func plays(_ value: String?) -> Int64 {
        guard let value else { return 0 }
        let number = Int64(value) ?? Int64(saturating: Double(value) ?? 0)
        return number.clamped(to: plausiblePlays)
    }

    /// A sticker's value as it is kept: numbers of plays stay within what is plausible.
    static func bounded(_ name: String, _ value: String) -> String {
        guard name == plays, Double(value) != nil else { return value }
        let number = plays(value)
        return Int64(value) == number || Double(value) == Double(number) ? value : String(number)
    }

    static func edit(_ name: String, _ value: String?) -> (field: MarkEdit.Field, value: Int)? {
        switch name {
        case like: meaning(.star, value).map { (.star, $0) }
        case rating: meaning(.rating, value).map { (.rating, $0) }
        default: nil
        }
    }

    /// The meaning of a field's sticker for the server, where a missing one is 0; nil for other texts.
    static func meaning(_ field: MarkEdit.Field, _ value: String?) -> Int? {
        guard let value, !value.isEmpty else { return 0 }
        guard let number = Int(value) else { return nil }
        switch field {
        case .star: return number >= 2 ? 1 : 0
        // Odd values lie between two stars and are rounded up, so that 1 is not "no rating".
        case .rating: return (min(max(number, 0), 10) + 1) / 2
        }
    }

    static func text(_ field: MarkEdit.Field, _ value: Int) -> String? {
        switch field {
        case .star: value > 0 ? "2" : nil
        case .rating: value > 0 ? String(min(value, 5) * 2) : nil
        }
    }

    static func best(_ values: some Sequence<String>) -> String? {
        values.filter { !$0.isEmpty }.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
    }

    static func name(_ field: MarkEdit.Field) -> String { field == .star ? like : rating }
}

/// Decides what becomes of a star or a rating when the server tells what it has, by what it had when both sides agreed
/// last (`base`), what it has now, and what was edited here since. The later edit wins; a rating has no time on the
/// server, so the edit here is later unless the server was seen unchanged after it.
struct MarkMerge {
    struct Edit: Hashable {
        /// How far it is.
        enum State: Int64 {
            case waiting = 0
            /// It waits, and since it was made the server was seen with the old value.
            case overtakable = 1
            /// The server has it. Answers that were asked for before are older and must not undo it.
            case done = 2
            /// It was sent, and there is no answer yet.
            case sent = 3
            /// An earlier edit of the same was sent, and may still take effect before this one gets there.
            case shadowed = 4
        }

        var number: Int64
        var value: Int
        var edited: Int64
        var state: State
    }

    enum Verdict: Hashable {
        /// Nothing: the answer says nothing new, or is older than what is known.
        case ignore
        /// Both sides made the same edit: it no longer waits.
        case agree
        /// The server has the old value still, after the edit.
        case wait
        /// The server's value is noted, but ours is newer and goes there.
        case keepOurs
        /// The server's value becomes ours.
        case takeTheirs
        /// The server never heard of ours: it goes there.
        case publish
    }

    var observed: Int
    /// When it was starred there, in Unix milliseconds; 0 for anything else.
    var starred: Int64 = 0
    /// The server's value at the last time; nil if it was never asked, or is another server.
    var base: Int?
    /// The value that the sticker stands for; nil if it means nothing to the server.
    var local: Int?
    var edit: Edit?
    /// The number of the newest edit when the server was asked.
    var clock: Int64

    var verdict: Verdict {
        if let edit {
            if edit.number > clock { return .ignore }
            if edit.state != .done { return verdict(on: edit) }
        }
        guard let base else { return observed == 0 && (local ?? 0) != 0 ? .publish : .takeTheirs }
        return observed == base ? .ignore : .takeTheirs
    }

    private func verdict(on edit: Edit) -> Verdict {
        // The server's value may be our own earlier edit, or about to be overwritten by it.
        if edit.state == .shadowed { return observed == base ? .ignore : .keepOurs }
        if observed == edit.value { return .agree }
        guard let base else { return .keepOurs }
        if observed == base { return edit.state == .waiting ? .wait : .ignore }
        return edit.state == .overtakable || starred > edit.edited ? .takeTheirs : .keepOurs
    }
}

/// The star and the rating that the server has, or had when it was asked last; nil is not known.
struct MarkBase: Hashable {
    /// When it was starred, in Unix milliseconds; 0 is not starred.
    var starred: Int64?
    var rating: Int?

    func value(_ field: MarkEdit.Field) -> Int? {
        field == .star ? starred.map { $0 == 0 ? 0 : 1 } : rating.map { min(max($0, 0), 5) }
    }

    mutating func take(_ field: MarkEdit.Field, of other: MarkBase) {
        if field == .star { starred = other.starred } else { rating = other.value(.rating) }
    }
}

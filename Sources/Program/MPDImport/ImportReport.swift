/// The results of an import, and the things that it could not take over.
package struct ImportReport: Sendable {
    /// The fate of MPD's queue and options.
    package enum Queue: Hashable, Sendable {
        /// So many entries were taken over.
        case taken(Int)
        /// Segue had a queue.
        case there
        /// An import before took them over.
        case takenBefore
        /// The library has none of this many songs.
        case notFound(Int)
    }

    /// The outcome for MPD's queue and options.
    package var queue = Queue.taken(0)
    /// How many playlists Segue did not have.
    package var newPlaylists = 0
    /// Playlists that were there already with the same entries.
    package var samePlaylists = 0
    /// How many stickers Segue did not have.
    package var newStickers = 0
    /// Stickers that were there already, with the same value or another.
    package var sameStickers = 0
    /// Ratings and stars of the server's songs that wait for `--upload`.
    package var heldBack = 0
    /// How many mounted folders Segue did not have.
    package var newMounts = 0
    /// How many of MPD's songs were found in each way.
    package var ways: [RecognitionWay: Int] = [:]
    /// Songs that were not found, by their paths.
    package var missing: Set<String> = []
    /// Other notes, each a sentence.
    package var notes: [String] = []

    /// Makes an empty report.
    package init() {}

    private var queueLine: String {
        switch queue {
        case .taken(let count): "Queue: \(count) entries."
        case .there: "Queue: Segue has one already; MPD's was skipped."
        case .takenBefore: "Queue: imported before, with the options; Segue's stay."
        case .notFound(let count): "Queue: none of its \(count) songs was found; it was skipped, with the options."
        }
    }

    /// The report as lines for a terminal.
    package var lines: [String] {
        var lines: [String] = []
        lines.append(queueLine)
        lines.append("Playlists: \(newPlaylists) new, \(samePlaylists) already here.")
        lines.append("Stickers: \(newStickers) new, \(sameStickers) already here.")
        if heldBack > 0 {
            lines.append("\(heldBack) ratings and stars of Navidrome's songs were skipped; --upload sends them.")
        }
        if newMounts > 0 { lines.append("Mounts: \(newMounts) new.") }
        for way in RecognitionWay.allCases {
            if let count = ways[way] { lines.append("\(count) songs were found \(way.words).") }
        }
        if !missing.isEmpty { lines.append("\(missing.count) songs were not found.") }
        return lines + notes
    }
}

package import MusicModel

/// The status for the service manager: "Playing Bach: Air, 12,345 songs, connected".
package enum StatusSentence {
    /// Puts the sentence together; nil is a title when nothing is current, and a connection where no one misses a
    /// server.
    package static func text(
        _ state: SavedPlayer.State, title: String?, songs: Int, connection: String?
    ) -> String {
        let playback =
            switch (state, title) {
            case (.stop, _), (_, nil): "Stopped"
            case (.play, let title?): "Playing \(title)"
            case (.pause, let title?): "Paused: \(title)"
            }
        return [playback, "\(grouped(songs)) songs", connection].compactMap { $0 }.joined(separator: ", ")
    }

    /// Artist and title of a song or a stream, neither very long; nil where the tags name no title.
    package static func title(_ tags: [TagValue]) -> String? {
        func first(_ tag: Tag) -> String? { tags.first { $0.tag == tag && !$0.value.isEmpty }?.value }
        guard let title = first(.title) ?? first(.name) else { return nil }
        let parts = [first(.artist), title].compactMap { $0 }
        let short = parts.map { $0.prefix(utf8: 300) }
        return short.map { $0.count > 80 ? $0.prefix(79) + "…" : $0 }.joined(separator: ": ")
    }

    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var position = digits.count - 3
        while position > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
            position -= 3
        }
        return digits
    }
}

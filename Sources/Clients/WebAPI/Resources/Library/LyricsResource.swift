import MPDCommands
import MusicModel
import NIOHTTP1

enum LyricsResource {
    static let routes = [
        Route(.GET, "/api/songs/{id}/lyrics") { request in
            let row = try await SongsResource.row(request)
            guard let lyrics = await request.api.lyrics?.lyrics(of: row.song.uri, isUrgent: false) else {
                throw APIError.missing("There are no words for this song, or none that can be had now.")
            }
            return .object(capacity: 2 * lyrics.text.utf8.count) { json in
                json.field("synced", lyrics.isSynced)
                json.objects("lines", lines(lyrics)) { json, line in
                    json.field("time", line.time)
                    json.field("text", line.text)
                }
            }
        }
    ]

    /// How many times a line may have: a chorus has some.
    private static let maxTimes = 64
    /// How many bytes all lines with times may have; of others each stands there once.
    private static let maxBytes = 4 << 20

    /// The lines in the order of their times; one that comes several times stands there as often.
    static func lines(_ lyrics: Lyrics) -> [(time: Double?, text: String)] {
        var lines: [(time: Double?, text: String)] = []
        var room = maxBytes
        for line in lyrics.lines {
            var rest = line
            var times: [Double] = []
            while times.count < maxTimes, let (time, after) = time(rest) {
                times.append(time)
                rest = after
            }
            let text = String(rest.drop { $0 == " " })
            if times.isEmpty {
                // A line such as [ar:Name] says something about the file.
                let isNote = rest.first == "[" && rest.last == "]" && rest.contains(":")
                if !isNote || !lyrics.isSynced { lines.append((nil, text)) }
            } else {
                let copies = max(1, min(times.count, room / max(1, text.utf8.count)))
                room -= copies * text.utf8.count
                lines += times.prefix(copies).map { ($0, text) }
            }
        }
        guard lyrics.isSynced else { return lines }
        return lines.enumerated().sorted { left, right in
            (left.element.time ?? -1, left.offset) < (right.element.time ?? -1, right.offset)
        }.map(\.element)
    }

    /// The time `[mm:ss.xx]` at the beginning of a line in seconds, and what follows.
    private static func time(_ line: Substring) -> (Double, Substring)? {
        guard line.first == "[", let end = line.firstIndex(of: "]") else { return nil }
        let parts = line[line.index(after: line.startIndex)..<end].split(separator: ":")
        guard parts.count == 2, let minutes = Int(parts[0]), (0...99_999).contains(minutes),
            let seconds = Double(parts[1]), (0..<60).contains(seconds)
        else { return nil }
        return (Double(minutes) * 60 + seconds, line[line.index(after: end)...])
    }
}

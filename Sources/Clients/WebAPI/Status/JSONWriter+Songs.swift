import Foundation
import LibraryIndex
import MusicModel
import Playback
import UserLibrary

extension JSONWriter {
    mutating func song(_ row: SongRow) {
        object { $0.songFields(row) }
    }

    /// Writes an entry of the queue; a song that is gone has its place only.
    mutating func queueRow(_ entry: QueueRow) {
        object { json in
            json.field("queueId", String(entry.id.rawValue))
            json.field("position", entry.position)
            json.field("priority", entry.priority)
            json.songFields(entry.row ?? SongRow(song: Song(uri: "")), duration: entry.duration)
        }
    }

    mutating func field(_ key: StaticString, _ entry: QueueRow?) {
        field(key) { json in
            if let entry { json.queueRow(entry) } else { json.null() }
        }
    }

    mutating func songFields(_ row: SongRow, duration: Duration? = nil) {
        let song = row.song
        let artists = song.tags.filter { $0.tag == .artist }.map(\.value)
        field("id", song.id.map { String($0.rawValue) })
        field("uri", song.uri)
        field("title", song.first(.title) ?? song.first(.name) ?? Self.fileName(of: song.uri))
        field("artist", artists.first ?? song.first(.albumArtist) ?? "")
        field("artists", artists)
        field("album", song.first(.album))
        field("albumId", row.album)
        field("albumArtist", song.first(.albumArtist))
        field("artistId", row.artist)
        field("track", song.first(.track).flatMap(Self.leadingNumber))
        field("disc", song.first(.disc).flatMap(Self.leadingNumber))
        field("year", (song.first(.originalDate) ?? song.first(.date)).flatMap(DateText.year))
        field("genres", song.tags.filter { $0.tag == .genre }.map(\.value))
        field("duration", duration ?? song.duration)
        field("starred", row.marks.isStarred)
        field("rating", row.marks.rating)
        field("cover", row.cover)
        field("stream", row.isStream)
        field("name", row.isStream ? song.first(.name) : nil)
        field("added", song.added.map(Self.time))
    }

    /// A time as ISO 8601 has it.
    static func time(_ unixTime: Int64) -> String {
        // The form goes from the year 1 to 9999.
        let bounded = min(max(unixTime, -62_135_596_800), 253_402_300_799)
        return Date(timeIntervalSince1970: TimeInterval(bounded)).ISO8601Format()
    }

    /// The last part, of addresses that end with a slash, too.
    private static func fileName(of uri: String) -> String { uri.pathParts.last.map { String($0) } ?? uri }

    /// The number with which a text begins, as in `3/12` and `1999-04-01`.
    static func leadingNumber(_ text: String) -> Int? { Int(text.prefix { $0.isASCII && $0.isNumber }.prefix(9)) }
}

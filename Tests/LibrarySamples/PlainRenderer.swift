import Foundation
import LibraryIndex
package import MusicModel

/// Writes songs as MPD does, as far as these tests look.
package struct PlainRenderer: SongRendering {
    package var version = 1

    /// Makes a renderer.
    package init() {}

    /// The lines of a song with these tags.
    package func render(_ song: Song, mask: TagMask) -> [UInt8] {
        var text = "file: \(song.uri)\n"
        if let whole = song.wholeURI { text += "RealUri: \(whole)\n" }
        if let modified = song.lastModified {
            text += "Last-Modified: \(Date(timeIntervalSince1970: Double(modified)).ISO8601Format())\n"
        }
        if let format = song.format { text += "Format: \(format.wireText)\n" }
        for tag in song.tags where mask.contains(tag.tag) { text += "\(tag.tag.wireName): \(tag.value)\n" }
        if let duration = song.duration {
            let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
            text += "Time: \(Int(seconds.rounded()))\nduration: \(String(format: "%.3f", seconds))\n"
        }
        return Array(text.utf8)
    }
}

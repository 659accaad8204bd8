package import Foundation

/// The part of the status that people are shown.
package struct ShownStatus: Decodable {
    struct Player: Decodable {
        var state: String
        var elapsed: Double
        var duration: Double?
        var error: String?
    }
    struct Song: Decodable {
        var title: String
        var artist: String
        var album: String?
    }
    struct Queue: Decodable {
        var length: Int
        var position: Int?
    }
    struct Output: Decodable {
        var name: String
        var enabled: Bool
        var problem: String?
    }
    struct Connection: Decodable {
        var state: String
        var sentence: String
    }
    struct Waiting: Decodable {
        var plays: Int
        var edits: Int
    }
    struct Contents: Decodable {
        var songs: Int
        var albums: Int
    }

    var player: Player
    var song: Song?
    var queue: Queue
    var volume: Int?
    var outputs: [Output]
    var connection: Connection
    var waiting: Waiting
    var library: Contents

    /// Reads an answer of `GET /api/status`; nil for any other text.
    package init?(_ answer: Data) {
        guard let status = try? JSONDecoder().decode(ShownStatus.self, from: answer) else { return nil }
        self = status
    }

    /// A few lines; control characters of tags don't reach the terminal.
    package var text: String {
        var lines: [String] = []
        if let song, player.state != "stop" {
            let names = [song.artist, song.title].filter { !$0.isEmpty }.joined(separator: ": ")
            lines.append("\(player.state == "play" ? "Playing" : "Paused at") \(names)")
            if let album = song.album { lines.append("  from \(album)") }
            lines.append("  \(Self.time(player.elapsed))" + (player.duration.map { " of \(Self.time($0))" } ?? ""))
        } else {
            lines.append("Stopped")
        }
        if let error = player.error { lines.append("  \(error)") }
        let position = queue.position.map { ", at \($0 + 1)" } ?? ""
        lines.append("Queue: \(queue.length) songs\(position)" + (volume.map { "; volume \($0) %" } ?? ""))
        lines.append("Library: \(library.songs) songs, \(library.albums) albums")
        lines.append("Server: \(connection.sentence.isEmpty ? connection.state : connection.sentence)")
        if waiting.plays + waiting.edits > 0 {
            lines.append("Waiting for it: \(waiting.plays) plays, \(waiting.edits) edits")
        }
        for output in outputs {
            lines.append("Output \(output.name): \(output.problem ?? (output.enabled ? "on" : "off"))")
        }
        return lines.map { line in String(line.map { $0.isNewline || Self.isControl($0) ? " " : $0 }) }
            .joined(separator: "\n")
    }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds, 0), 1e7))
        return String(format: "%d:%02d", whole / 60, whole % 60)
    }
}

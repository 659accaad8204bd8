import ArgumentParser
import Foundation
import MPDProtocol
import NIOCore
import NIOPosix
import SegueConfiguration
import StateFiles
import WebServer

/// `segue status`: what the running server does, for people in a terminal and for scripts.
struct ShowStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what the running server plays and how it is.",
        discussion: "Asks the page's address under [web] listen. Ends with status 1 when there is no answer.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print all of it as JSON, as GET /api/status answers.")
    var json = false

    func run() async throws {
        let configuration = try Failures.inOneLine { try options.loadForServing() }
        guard let address = configuration.web.listen.lazy.compactMap(Self.plain).first else {
            throw CommandFailure(
                "[web] listen has no address without TLS, which segue status asks; see also segue health")
        }
        let answer = try await Self.ask(address, configuration)
        if json { return print(String(decoding: answer, as: UTF8.self)) }
        guard let status = try? JSONDecoder().decode(ShownStatus.self, from: answer) else {
            throw CommandFailure("the answer can't be read; is it another version of Segue?")
        }
        print(status.text)
    }

    private static func plain(_ address: ListenAddress) -> (host: String, port: Int)? {
        guard case .host(let host, let port) = address else { return nil }
        return (["0.0.0.0", "*", "::"].contains(host) ? "127.0.0.1" : host, port)
    }

    /// Asks, with a token of its own where that is needed: who may write the state directory may read the status.
    private static func ask(_ address: (host: String, port: Int), _ configuration: Configuration) async throws -> Data {
        do {
            let first = try await LocalRequest.get("/api/status", at: address)
            guard first.status == 401 else { return try first.body(of: address) }
            let secrets = HandedSecrets(path: configuration.server.stateDirectory + "/web-tokens.json")
            let token = try secrets.add(name: "segue status", permissions: Permission.read.rawValue)
            defer {
                do { _ = try secrets.remove(id: token.id) } catch {
                    let text = "segue: take back the token \(token.id) with `segue token`: \(systemMessage(error))\n"
                    FileHandle.standardError.write(Data(text.utf8))
                }
            }
            return try await LocalRequest.get("/api/status", at: address, token: token.secret).body(of: address)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("no answer from \(address.host):\(address.port): \(error). Does segue serve run?")
        }
    }
}

/// The part of the status that people are shown.
struct ShownStatus: Decodable {
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

    /// A few lines; control characters of tags don't reach the terminal.
    var text: String {
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
        let place = queue.position.map { ", at \($0 + 1)" } ?? ""
        lines.append("Queue: \(queue.length) songs\(place)" + (volume.map { "; volume \($0) %" } ?? ""))
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

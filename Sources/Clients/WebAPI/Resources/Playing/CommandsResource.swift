import Foundation
import MPDProtocol
import NIOCore
import NIOHTTP1
import WebServer

/// Any of MPD's commands, so that nothing is missing that has no resource.
enum CommandsResource {
    static let routes = [
        Route(.POST, "/api/mpd", .none, maxBodySize: .max) { request in
            let commands = try commands(try await JSONValue.read(request.http.body))
            let answers = try await request.run(commands)
            return .object { write(answers, to: &$0) }
        }
    ]

    /// Reads a list of commands, each a list of words; numbers may stand for words.
    static func commands(_ value: JSONValue?) throws(APIError) -> [[String]] {
        guard let lists = value?.array else {
            throw .wrong("mpd", "Commands are lists of words in a list, such as [[\"status\"], [\"setvol\", \"50\"]].")
        }
        var commands: [[String]] = []
        for list in lists {
            guard let words = list.array, !words.isEmpty else { throw .wrong("mpd", "A command is a list of words.") }
            commands.append(try words.map(word))
        }
        return commands
    }

    private static func word(_ value: JSONValue) throws(APIError) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): Int(exactly: number).map { String($0) } ?? String(number)
        case .bool(let value): value ? "1" : "0"
        default: throw .wrong("mpd", "A command's words are texts.")
        }
    }

    static func write(_ answers: [CommandRunner.Answer], to json: inout JSONWriter) {
        json.array("answers", answers) { json, answer in
            json.array { json in
                for (key, value) in answer.pairs {
                    json.array { json in
                        json.value(key)
                        json.value(value)
                    }
                }
            }
        }
        guard answers.contains(where: { $0.binary != nil }) else { return }
        json.array("binary", answers) { json, answer in
            guard let binary = answer.binary else { return json.null() }
            json.value(Data(binary.readableBytesView).base64EncodedString())
        }
    }
}

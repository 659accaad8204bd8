/// Takes in what a Snapcast server sends over its JSON-RPC, and does with the rooms what clients can do.
///
/// - Shape: the lowest seven bits of the first byte say how many bytes arrive at a time, 0 that all do. With the
///   highest one the rest is what the server sends; without it a script for `SnapcastScript`, which writes that.
enum SnapcastFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        let sent = first & 128 != 0 ? rest : SnapcastScript.lines(rest)
        let length = first & 127 == 0 ? sent.count : Int(first & 127)
        if let complaint = UntrustedInput.hearSnapcast(sent, pieceLength: length) { throw FuzzFinding(complaint) }
    }
}

/// Writes what a Snapcast server sends from a few bytes: hardly any change of a JSON text is one.
private struct SnapcastScript {
    private static let ids = ["\"a\"", "\"b\"", "\"c\"", "\"group a\"", "\"\"", "\"\\n\"", "\"\\ud83d\\ude00\"", "7"]
    private static let texts = [
        "\"\"", "\"Hall\"", "\"a\\nb\"", "\"\\u0000\"", "\"ſ\"", "\"Segue\"", "null", "\"\\\\\\\"\"",
    ]
    private static let numbers = [
        "0", "1", "50", "99", "100", "101", "-1", "0.5", "1e308", "-1e308", "9223372036854775808",
        "-9223372036854775809",
        "1e-400", "null", "\"50\"", "18446744073709551616",
    ]
    private var rest: ArraySlice<UInt8>

    static func lines(_ script: [UInt8]) -> [UInt8] {
        var reader = SnapcastScript(rest: script[...])
        var text = ""
        while let line = reader.line(), text.utf8.count < 1 << 16 { text += line + "\r\n" }
        return Array(text.utf8)
    }

    private mutating func byte() -> Int { rest.popFirst().map(Int.init) ?? 0 }

    private mutating func line() -> String? {
        guard let kind = rest.popFirst() else { return nil }
        switch kind % 8 {
        case 0, 1: return "{\"method\":\"Server.OnUpdate\",\"params\":{\"server\":{\"groups\":\(groups())}}}"
        case 2: return "{\"id\":1,\"result\":{\"server\":{\"groups\":\(groups())}}}"
        case 3, 4:
            let client = Self.ids[byte() % 8]
            return "{\"method\":\"Client.OnVolumeChanged\",\"params\":{\"id\":\(client),\"volume\":\(volume())}}"
        case 5: return "{\"method\":\"Group.OnMute\",\"params\":{\"id\":\(Self.ids[byte() % 8]),\"mute\":true}}"
        case 6: return "{\"id\":2,\"error\":{\"code\":-32603,\"message\":\(Self.texts[byte() % 8])}}"
        default: return "{\"id\":3,\"result\":{\"volume\":\(volume())}}"
        }
    }

    private mutating func groups() -> String {
        let groups = (0..<(byte() % 4)).map { _ in
            let (head, names) = (byte(), byte())
            let clients = (0..<(head >> 4 & 3)).map { _ in client() }.joined(separator: ",")
            return "{\"id\":\(Self.ids[head & 7]),\"name\":\(Self.texts[names & 7]),\"muted\":\(head & 8 != 0),"
                + "\"stream_id\":\(Self.texts[names >> 3 & 7]),\"clients\":[\(clients)]}"
        }
        return "[\(groups.joined(separator: ","))]"
    }

    private mutating func client() -> String {
        let (head, names) = (byte(), byte())
        return
            "{\"id\":\(Self.ids[head & 7]),\"connected\":\(head & 8 != 0),\"host\":{\"name\":\(Self.texts[names & 7])},"
            + "\"config\":{\"name\":\(Self.texts[names >> 3 & 7]),\"volume\":\(volume())}}"
    }

    private mutating func volume() -> String {
        let value = byte()
        return "{\"percent\":\(Self.numbers[value & 15]),\"muted\":\(value & 16 != 0)}"
    }
}

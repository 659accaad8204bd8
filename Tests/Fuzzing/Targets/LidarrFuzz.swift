@testable import Lidarr

/// Takes in what a Lidarr answers, as the answer of every call.
///
/// - Shape: with the first byte's highest bit the rest is an answer; without it a script for `LidarrScript`, which
///   writes one.
enum LidarrFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        let answer = first & 128 != 0 ? rest : LidarrScript.answer(rest)
        if let complaint = LidarrReading.complaint(about: answer) { throw FuzzFinding(complaint) }
    }
}

/// Writes an answer from a few bytes: hardly any change of a JSON text is one.
private struct LidarrScript {
    private static let ids = [
        "\"00000000-0000-0000-0000-000000000007\"", "\"00000000-0000-0000-0000-00000000000A\"",
        "\"00000000-0000-0000-0000-00000000000g\"", "\"00000000-0000-0000-0000-00000000007\"",
        "\"00000000-0000-0000-0000-0000\\u0660\\u06600000007\"", "\"../../etc\"", "null", "7",
    ]
    private static let texts = [
        "\"Blue\"", "\"\"", "null", "\"a\\nb\\u001b[2J\"", "\"\\ud83d\\ude00\"", "\"\\\\\\\"\"",
        "\"x\(String(repeating: "\u{301}", count: 600))\"", "\"\(String(repeating: "long ", count: 300))\"",
    ]
    private static let numbers = [
        "0", "1", "12", "-1", "100001", "0.5", "1e308", "-1e308", "1e-400", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "null", "true", "\"3\"", "1e999",
    ]
    private static let dates = [
        "\"1999-05-01T00:00:00Z\"", "\"0001-01-01\"", "\"-999\"", "\"99999\"", "\"\\u0661999\"", "\"+199\"",
        "\"\"", "null",
    ]
    private static let addresses = [
        "\"https://images.example.org/cover.jpg\"", "\"http://192.168.1.1/\"", "\"/MediaCover/1.jpg\"",
        "\"https://\(String(repeating: "a", count: 1000))\"",
    ]
    private static let states = [
        "\"downloading\"", "\"importPending\"", "\"importing\"", "\"importBlocked\"", "\"downloadFailed\"", "\"error\"",
        "\"warning\"", "null",
    ]
    private var rest: ArraySlice<UInt8>

    static func answer(_ script: [UInt8]) -> [UInt8] {
        var reader = LidarrScript(rest: script[...])
        let kind = reader.byte()
        var parts: [String] = []
        var length = 0
        while !reader.rest.isEmpty, length < 1 << 16 {
            parts.append(reader.part(kind))
            length += parts.last?.utf8.count ?? 0
        }
        return Array((kind % 8 == 7 ? parts.first ?? "{}" : "[\(parts.joined(separator: ","))]").utf8)
    }

    private mutating func byte() -> Int { rest.popFirst().map(Int.init) ?? 0 }
    private mutating func text() -> String { Self.texts[byte() & 7] }
    private mutating func number() -> String { Self.numbers[byte() & 15] }

    private mutating func part(_ kind: Int) -> String {
        switch kind % 8 {
        case 0, 1: return "{\"album\":\(album())}"
        case 2: return "{\"artist\":\(artist())}"
        case 3: return album()
        case 4: return download()
        case 5:
            return "{\"errorMessage\":\(text()),\"errorCode\":\"AlbumExistsValidator\","
                + "\"propertyName\":\(text())}"
        case 6: return "{\"id\":\(number()),\"name\":\(text()),\"path\":\(text()),\"accessible\":\(number())}"
        default: return "{\"message\":\(text()),\"appName\":\(text()),\"version\":\(text())}"
        }
    }

    private mutating func album() -> String {
        let (head, more) = (byte(), byte())
        let cover = Self.addresses[more & 3]
        return "{\"foreignAlbumId\":\(Self.ids[head & 7]),\"title\":\(Self.texts[head >> 3 & 7]),"
            + "\"monitored\":\(head & 64 != 0),\"releaseDate\":\(Self.dates[more >> 2 & 7]),"
            + "\"albumType\":\(Self.texts[more >> 5 & 7]),\"disambiguation\":\(text()),\"id\":\(number()),"
            + (head & 128 != 0
                ? "\"remoteCover\":\(cover),"
                : "\"images\":[{\"coverType\":\"Cover\",\"remoteUrl\":\(cover)}],")
            + "\"statistics\":{\"trackFileCount\":\(number()),\"trackCount\":\(number())},"
            + "\"artist\":\(artist())}"
    }

    private mutating func artist() -> String {
        let head = byte()
        return "{\"foreignArtistId\":\(Self.ids[head & 7]),\"artistName\":\(Self.texts[head >> 3 & 7]),"
            + "\"id\":\(number())}"
    }

    private mutating func download() -> String {
        let (head, sizes) = (byte(), byte())
        return "{\"size\":\(Self.numbers[sizes & 15]),\"sizeleft\":\(Self.numbers[sizes >> 4]),"
            + "\"albumId\":\(number()),\"trackedDownloadState\":\(Self.states[head & 7]),"
            + "\"trackedDownloadStatus\":\(Self.states[head >> 3 & 7]),"
            + "\"errorMessage\":\(head & 64 != 0 ? text() : "null"),"
            + "\"statusMessages\":[{\"title\":\(text()),\"messages\":[\(head & 128 != 0 ? text() : "")]}]}"
    }
}

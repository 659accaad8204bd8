import Foundation
import MusicModel
import Outputs
import Testing

@Suite("Paths of recordings by title")
struct RecordingFormatTests {
    /// The 9th of January 2026, 6:05:03 in UTC.
    private static let time = 1_767_938_703

    private func path(_ format: String, _ tags: TagValue...) throws -> String? {
        try RecordingFormat(format, home: "/home/me").path(for: tags, at: Self.time)
    }

    private static let artist = TagValue(.artist, "A")
    private static let title = TagValue(.title, "T")

    @Test("Tags are replaced by what the title has, and never lead to other folders")
    func tags() throws {
        #expect(try path("/a/%artist% - %Title%.flac", Self.artist, Self.title) == "/a/A - T.flac")
        #expect(try path("/r/%title%.wav", TagValue(.title, "../../etc/passwd")) == "/r/_._.._etc_passwd.wav")
        #expect(try path("/r/%title%.wav", TagValue(.title, "AC/DC\u{0}\n")) == "/r/AC_DC__.wav")
        #expect(try path("/r/[%album%/]%title%.wav", TagValue(.album, ".."), Self.title) == "/r/_./T.wav")
        #expect(try path("/r/%title%", TagValue(.title, String(repeating: "é", count: 500)))?.utf8.count == 103)
        #expect(try path("~/r/%title%.wav") == "/home/me/r/Unknown.wav")
    }

    @Test("The start is written in UTC as MPD does, and in parts of the local time")
    func times() throws {
        #expect(try path("/r/%iso8601%.ogg") == "/r/2026-01-09T06:05:03Z.ogg")
        var (time, local) = (Self.time, tm())
        localtime_r(&time, &local)
        let digits = [local.tm_hour, local.tm_min, local.tm_sec].map { ($0 < 10 ? "0" : "") + String($0) }.joined()
        #expect(try path("/%Y-%m/%H%M%S %%.wav") == "/2026-01/\(digits) %.wav")
        #expect(try path("/r/100% %nothing% %") == "/r/100% %nothing% %")
    }

    @Test("A group is left out where none of its tags is there")
    func groups() throws {
        let format = "/r/[%artist% - ]%title%.ogg"
        #expect(try path(format, Self.artist, Self.title) == "/r/A - T.ogg")
        #expect(try path(format, Self.title) == "/r/T.ogg")
        #expect(try path("/r/[%artist% - %title%].ogg", Self.artist) == "/r/A - .ogg")
        #expect(try path("/r/[[%track%. ]%title%].ogg", Self.title) == "/r/T.ogg")
        #expect(try path("/r/[only words]x.ogg") == "/r/x.ogg")
    }

    @Test("The operators choose between parts of the path")
    func operators() throws {
        #expect(try path("~/r/[%title%|%name%].ogg", Self.title) == "/home/me/r/T.ogg")
        #expect(try path("~/r/[%title%|%name%].ogg", TagValue(.name, "N")) == "/home/me/r/N.ogg")
        #expect(try path("/r/[%artist%&%title%|x%iso8601%].ogg", Self.artist, Self.title) == "/r/AT.ogg")
        #expect(try path("/r/[%artist%& - %title%|%name%].ogg", Self.artist, TagValue(.name, "N")) == "/r/N.ogg")
        // An alternative takes the place of all that stands before it in its group.
        #expect(try path("/r/%title%.ogg|/s/%name%.ogg", TagValue(.name, "N")) == "/s/N.ogg")
        #expect(try path("/r/%title%.ogg|/s/%name%.ogg", Self.title) == "/r/T.ogg")
        #expect(try path("[~/r/%title%]|[~/s/%name%]", TagValue(.name, "N")) == "/home/me/s/N")
    }

    @Test("Where no name comes of the tags there is no file")
    func nothing() throws {
        #expect(try path("[~/r/[%artist% - ]%title%.ogg]") == nil)
        #expect(try path("[~/r/[%artist% - ]%title%.ogg]", Self.title) == "/home/me/r/T.ogg")
        #expect(try path("/r/[%title%]") == nil)
        // A relative path, which MPD refuses as well.
        #expect(try path("[/r/%title%]|%name%", TagValue(.name, "N")) == nil)
    }

    @Test("Signs with a meaning can be written as they are")
    func escapes() throws {
        #expect(try path("/r/#[#%title#%#] ## #| #& %title%", Self.title) == "/r/[%title%] # | & T")
        #expect(try path(#"/r/\[x\] \q %title%"#, Self.title) == #"/r/[x] \q T"#)
        #expect(try path("/r/%title%#", Self.title) == "/r/T#")
    }

    @Test(
        "Unusable formats are refused",
        arguments: [
            "r/%title%.ogg", "", "[", "%title%", "/r/[%title%.ogg", "/r/%title%].ogg", "/r/\n%title%", "[~x/%title%]",
            "/" + String(repeating: "[", count: 17) + "%title%" + String(repeating: "]", count: 17),
            "/" + String(repeating: "x", count: 5000),
        ])
    func refused(format: String) {
        #expect(throws: SettingProblem.self) { try RecordingFormat(format, home: "/home/me") }
        #expect(throws: SettingProblem.self) { try RecordingFormat("~/%title%", home: nil) }
    }

    @Test("Names don't grow beyond what a path may have")
    func longest() throws {
        let value = TagValue(.title, String(repeating: "x", count: 500))
        #expect(try path("/" + String(repeating: "%title%/", count: 500) + "x", value) == nil)
        let words = "[%title%][%title%][%title%]"
        let name = try #require(
            try path("/r/\(words)/\(words).flac", TagValue(.title, String(repeating: "あ", count: 90))))
        #expect(name.split(separator: "/").map(\.utf8.count) == [1, 240, 239] && name.hasSuffix("あ.flac"))
    }

    @Test("A mark that would combine with a slash leaves it one")
    func combiningMarks() throws {
        let marked = TagValue(.title, "\u{301}T")
        #expect(try path("/r/%title%/%title%", marked) == "/r/\u{301}T/\u{301}T")
        #expect(try path("/%title%.wav", marked) == "/\u{301}T.wav")
        #expect(try path("~/%title%.wav", marked) == "/home/me/\u{301}T.wav")
    }

    @Test(
        "The brackets at a format's end are none of its names",
        arguments: ["/r/%title%.ogg", "/r/[%title%.ogg]", "/r/[[%artist% - ]%title%.ogg]", "[/r/[%title%.ogg]]"])
    func endings(format: String) throws {
        #expect(try RecordingFormat(format, home: nil).ending.hasSuffix(".ogg"))
        var output = OutputSpecification(type: .file, name: "R")
        output.titledPath = try RecordingFormat(format, home: nil)
        #expect(StreamEncoding.usual(for: .file, path: output.titledPath?.ending).encoder == .vorbis)
    }
}

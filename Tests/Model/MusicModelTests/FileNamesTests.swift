import Testing

@testable import MusicModel

@Suite("Names of files in other charsets")
struct FileNamesTests {
    private func names(_ charset: String) throws -> FileNames { try #require(FileNames(charset: charset)) }

    @Test("A name in UTF-8 is its text, whatever the charset")
    func utf8() throws {
        for names in [FileNames(), try names("iso-8859-1"), try names("cp932")] {
            for text in ["a.flac", "é.flac", "e\u{301}.flac", "曲.flac", "Ã©.flac", "", "\u{85}", "a\nb"] {
                #expect(names.text(Array(text.utf8)).map { Array($0.utf8) } == Array(text.utf8))
            }
        }
        #expect(FileNames().text([0xE9]) == nil)
        #expect(FileNames().name("é".utf8) == nil)
    }

    @Test(
        "Names in the charset have texts that lead back to their bytes",
        arguments: [
            ("iso-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
            ("windows-1252", [0x93, 0x48, 0x69, 0x94], "“Hi”"),
            // The second bytes of the first two letters are those of `\` and `|`.
            ("cp932", [0x83, 0x5C, 0x83, 0x7C, 0x8B, 0xC8], "ソポ曲"),
            ("shift_jis", [0x83, 0x5C, 0x2E, 0x6D, 0x70, 0x33], "ソ.mp3"),
            ("euc-jp", [0xB6, 0xCA], "曲"), ("koi8-r", [0xF0, 0xC5, 0xD3, 0xCE, 0xD1], "Песня"),
            ("gbk", [0xB8, 0xE8, 0xC7, 0xFA], "歌曲"), ("gb18030", [0xB8, 0xE8], "歌"),
            ("big5", [0xBA, 0x71], "歌"), ("euc-kr", [0xB0, 0xEE], "곡"),
            ("tis-620", [0xE0, 0xBE, 0xC5, 0xA7], "เพลง"), ("windows-1255", [0xF9, 0xE9, 0xF8], "שיר"),
        ] as [(String, [UInt8], String)])
    func roundTrip(charset: String, bytes: [UInt8], text: String) throws {
        let names = try names(charset)
        #expect(names.text(bytes) == text)
        #expect(names.name(text.utf8) == bytes)
    }

    @Test("Bytes that mean nothing in the charset, or several ways to write one text, have no text")
    func misfits() throws {
        #expect(try names("windows-1252").text([0x81, 0xE9]) == nil)
        #expect(try names("cp932").text([0xE9]) == nil)
        #expect(try names("euc-jp").text([0x63, 0x61, 0x66, 0xE9]) == nil)
        // NEC's and IBM's signs of the same meaning: of each pair one is what the text leads back to.
        let twins: [[UInt8]] = [[0xFA, 0x4A], [0x87, 0x54]]
        #expect(try twins.compactMap(names("cp932").text).count == 1)
    }

    @Test("A text that is in the charset what another is in UTF-8 leads to no name")
    func otherNames() throws {
        // In Latin-1 the bytes of `é` in UTF-8.
        #expect(try names("iso-8859-1").name("Ã©".utf8) == nil)
        #expect(try names("iso-8859-1").name("é".utf8) == [0xE9])
        #expect(try names("iso-8859-1").name("曲".utf8) == nil)
    }

    @Test(
        "A charset that the system doesn't know, or that ASCII is no part of, is none for names",
        arguments: [
            "klingon-8", "", "utf-16", "ucs-4le", "ebcdic-us", "utf-7", "iso-8859-1//TRANSLIT", "../x", "WCHAR_T",
        ])
    func unknown(charset: String) {
        #expect(FileNames(charset: charset) == nil)
    }

    @Test("Every name of one or two bytes that has a text is found again by it")
    func exhaustive() throws {
        for charset in ["iso-8859-1", "cp932", "shift_jis", "gbk", "big5-hkscs", "koi8-r", "euc-kr"] {
            let names = try names(charset)
            var texts: Set<[UInt8]> = []
            var wrong: [[UInt8]] = []
            for first in UInt8(0x20)...0xFF {
                for second in UInt8(0x20)...0xFF {
                    let name = [first, second]
                    // One in UTF-8 may have the same text, and counts then.
                    guard let text = names.text(name).map({ Array($0.utf8) }), text != name else { continue }
                    let isFirst = texts.insert(text).inserted
                    let isSeparated = text.contains(UInt8(ascii: "/"))
                    if !isFirst || isSeparated || names.name(text) != name { wrong.append(name) }
                }
            }
            #expect(texts.count > 5000 && wrong.isEmpty, "\(charset)")
        }
    }

    @Test("Charsets are known by their names of any kind", arguments: ["Shift_JIS", "ISO_8859-1", "KOI8-R", "cp1251"])
    func knownNames(charset: String) {
        #expect(TextDecoding.knows(charset: charset))
    }

    @Test("The escaped bytes of an address are names in either charset, part by part")
    func addresses() throws {
        let names = try names("iso-8859-1")
        for (address, path) in [
            ("/m/a%20b", "/m/a b"), ("/m%C3%BC/%E9/x", "/mü/é/x"), ("/é/%e9", "/é/é"), ("", ""), ("/%2", nil),
            ("/%", nil), ("/%zz", nil), ("/%+1", nil), ("/%00", nil), ("/a%2Fb", "/a/b"),
        ] {
            #expect(names.path(escaped: address) == path, "\(address)")
        }
        #expect(FileNames().path(escaped: "/%E9") == nil && FileNames().path(escaped: "/%C3%A9") == "/é")
    }

    @Test("Lines of a list are names, each by itself")
    func lines() throws {
        let bytes = Array("é\r\n".utf8) + [0xE9, 0x0A, 0xFF, 0x0A]
        #expect(try TextDecoding.text(bytes, linesLike: names("iso-8859-1")) == "é\r\né\nÿ\n")
        #expect(TextDecoding.text(bytes, linesLike: FileNames()) == "é\r\n\u{FFFD}\n\u{FFFD}\n")
    }
}

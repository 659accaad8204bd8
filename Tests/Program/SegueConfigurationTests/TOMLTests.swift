import Foundation
@testable import SegueConfiguration
import Testing

@Suite("Reading TOML")
struct TOMLTests {
    /// A value without its place, to be compared.
    indirect enum Plain: Equatable {
        case string(String), integer(Int), number(Double), boolean(Bool), list([Plain]), table([String: Plain])

        init(_ node: Node) {
            self =
                switch node.value {
                case .string(let text), .text(let text): .string(text)
                case .integer(let number): .integer(number)
                case .number(let number): .number(number)
                case .boolean(let flag): .boolean(flag)
                case .array(let nodes): .list(nodes.map { Plain($0) })
                case .table(let nodes): .table(nodes.mapValues { Plain($0) })
                }
        }
    }

    private func read(_ text: String) throws -> Plain { Plain(try Node(toml: text, file: "a.toml")) }

    /// The value of `a` in a text.
    private func value(_ text: String) throws -> Plain? {
        guard case .table(let entries) = try read(text) else { return nil }
        return entries["a"]
    }

    @Test(
        "numbers and flags",
        arguments: [
            ("0", Plain.integer(0)), ("+99", .integer(99)), ("-17", .integer(-17)), ("1_000", .integer(1000)),
            ("0xDEAD_beef", .integer(0xDEAD_BEEF)), ("0o755", .integer(0o755)), ("0b1101", .integer(13)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("3.14", .number(3.14)), ("-0.5", .number(-0.5)), ("5e+22", .number(5e22)), ("1e06", .number(1e6)),
            ("6.626e-3_4", .number(6.626e-34)), ("-inf", .number(-.infinity)), ("true", .boolean(true)),
            ("false", .boolean(false)),
        ])
    func words(word: String, value: Plain) throws { #expect(try self.value("a = \(word) # b\r\n") == value) }

    @Test(
        "texts of four kinds",
        arguments: [
            (#""a \"b\" \\ \t \u00e9 \U0001F3B5""#, "a \"b\" \\ \t é 🎵"), (#"'C:\a "b"'"#, #"C:\a "b""#), ("\"\"", ""),
            ("\"\"\"\n a\nb\"\" \"\"\"\"\"", " a\nb\"\" \"\""), ("'''\r\na\\\n''c'''", "a\\\n''c"),
            ("\"\"\"a \\\n\n   b\\  \r\n c\"\"\"", "a bc"), ("''''a'''''", "'a''"),
        ])
    func texts(text: String, value: String) throws {
        #expect(try self.value("a = \(text)") == .string(value))
        #expect(try self.value("a = [ \(text) ]\nb = 1") == .list([.string(value)]))
    }

    @Test("lists and tables in braces go over lines, with comments and a comma at the end")
    func nested() throws {
        let text = "a = [ # [\n 1, # ]\n [ ], {b.c = 'x', d = [true,],}, \n]"
        let table = Plain.table(["b": .table(["c": .string("x")]), "d": .list([.boolean(true)])])
        #expect(try value(text) == .list([.integer(1), .list([]), table]))
    }

    @Test("sections, lists of sections and names with dots fill one tree")
    func tree() throws {
        let text = """
            x.y = 1
            "quoted key" . 'z' = 2
            [ b . "c" ]
            d = 3
            [b]
            [[list]]
            e = 4
            [list.sub]
            [[list.deep]]
            [[list]]
            [x.z]
            """
        let first = Plain.table(["e": .integer(4), "sub": .table([:]), "deep": .list([.table([:])])])
        #expect(
            try read(text)
                == .table([
                    "x": .table(["y": .integer(1), "z": .table([:])]), "quoted key": .table(["z": .integer(2)]),
                    "b": .table(["c": .table(["d": .integer(3)])]), "list": .list([first, .table([:])]),
                ]))
    }

    @Test(
        "what is no TOML is refused with its line",
        arguments: [
            ("a", 1), ("a =", 1), ("= 1", 1), ("\na = 1 b = 2", 2), ("a = 1\na = 2", 2), ("[a]\n[a]", 2),
            ("a = 1\n[a]", 2), ("[a]\n[[a]]", 2), ("[[a]]\n[a]", 2), ("a = []\n[[a]]", 2), ("a = {}\n[a.b]", 2),
            ("a = {}\na.b = 1", 2), ("a.b = 1\n[a]", 2), ("[a.b]\n[a]\nb.c = 1", 3), ("[a]\nb.c = 1\n[a.b]", 3),
            ("[a", 1), ("[[a]", 1), ("[a] b", 1), ("[]", 1), ("[*name]", 1), ("[\n", 1), ("a..b = 1", 1), ("é = 1", 1),
            ("a = [}", 1), ("a = [1 2]", 1), ("a = [\n[1]", 2), ("a = { b = 1 ", 1), ("a = {,}", 1), ("a = [,]", 1),
            ("a = 01", 1), ("a = 1__0", 1), ("a = _1", 1), ("a = 1.", 1), ("a = .5", 1), ("a = 1e", 1), ("a = 0x", 1),
            ("a = -0x1", 1), ("a = 9223372036854775808", 1), ("a = True", 1), ("a = b", 1), ("a = --1", 1),
            ("a = \"b", 1), ("a = 'b\n'", 1), ("a = '''\nb''", 2), (#"a = "\q""#, 1), (#"a = "\u00g0""#, 1),
            (#"a = "\ud800""#, 1), (#"a = "\u+0ff""#, 1), (#"a = "\"#, 1), ("a = \"\u{1}\"", 1),
            ("\"\"\"a\"\"\" = 1", 1),
            ("\u{FEFF}\u{FEFF}a = 1", 1), ("a = 2026-01-01T\"", 1), ("a = [\n2026-01-01 07:00]", 2),
            ("a = 1_979-05-27", 1), ("# a\n\u{0}", 2),
        ])
    func refused(text: String, line: Int) {
        #expect { try Node(toml: text, file: "a.toml") } throws: { ($0 as? ConfigurationError)?.line == line }
    }

    @Test("nesting has an end, and what is in its limits doesn't")
    func depth() throws {
        let most = TOMLReader.maxDepth
        func list(_ depth: Int) -> String {
            "a = " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        func name(_ parts: Int) -> String { Array(repeating: "a", count: parts).joined(separator: ".") }
        for text in [list(most), name(most) + " = 1", "[\(name(most))]"] { _ = try read(text) }
        for text in [
            list(most + 1), name(most + 1) + " = 1", "[\(name(most + 1))]", String(repeating: "a = {", count: 100_000),
        ] {
            #expect(throws: ConfigurationError.self) { try read(text) }
        }
    }

    @Test("every value knows its line and its path, a list of sections that of its first one")
    func lines() throws {
        let text =
            "top = 1\n\n[server]\nlisten = [\n'a',\n'b']\nlog.level = '''\n\n'''\n[[output]]\n[[output]]\nx = {\ny = 1}"
        var found: [String] = []
        func visit(_ node: Node) {
            found.append("\(node.path) \(node.line ?? 0)")
            switch node.value {
            case .table(let nodes): nodes.sorted { $0.key < $1.key }.forEach { visit($0.value) }
            case .array(let nodes): nodes.forEach(visit)
            default: break
            }
        }
        visit(try Node(toml: text, file: "a.toml"))
        #expect(
            found == [
                " 1", "output 10", "output 10", "output 11", "output.x 12", "output.x.y 13", "server 3",
                "server.listen 4", "server.listen 5", "server.listen 6", "server.log 7", "server.log.level 7", "top 1",
            ])
    }

    @Test("what the program writes is read back")
    func written() throws {
        let text = "a\"b\\c\n\t\u{1}\u{7F}é"
        #expect(try TOMLText.read(TOMLText.write(["key": text, "b": ""]), file: "a.toml") == ["key": text, "b": ""])
    }
}

@testable import SegueConfiguration
import Testing

@Suite("Lines of a TOML text")
struct SourceLinesTests {
    private let lines: SourceLines

    init() throws { lines = try SourceLines(Self.text) }

    private static let text = """
        # [comment]
        top = 1
        "quoted key" = "a # no comment"
        [server] # after
        listen = [
            "a", # ] no end
            "b",
        ]
        log.level = '''
        key = "in a string"
        \\'''
        after = \"\"\"x \\\"\"\" [y]
        \"\"\"\"\"
        [[output]]
        type = "a"
          [output.sub]
          deep = { x = 1, y = [ { z = "}" } ] }
        [[output]]
        type = "b"
        [[ server . "password" ]]
        hash = 1
        """

    @Test(
        "are found for keys, sections and list elements",
        arguments: [
            ("top", 2), ("quoted key", 3), ("server", 4), ("server.listen", 5), ("server.log.level", 9),
            ("server.after", 12), ("output", 14), ("output[0]", 14), ("output[0].type", 15), ("output[0].sub", 16),
            ("output[0].sub.deep", 17), ("output[1]", 18), ("output[1].type", 19), ("server.password[0].hash", 21),
        ])
    func found(place: String, line: Int) { #expect(lines.line(of: place) == line) }

    @Test("fall back to what encloses the place")
    func enclosing() {
        #expect(lines.line(of: "output[0].sub.deep.y[0].z") == 17)
        #expect(lines.line(of: "server.missing") == 4)
        #expect(lines.line(of: "nothing") == nil)
    }

    @Test(
        "are not looked for in what the parser would end the process for",
        arguments: [
            ("[*name]", 1), ("a = 1\n  [\t*]", 2), ("[\n", 1), ("[[\"a\".b]]\n[[=", 2), ("a = [}", 1),
            ("a = [\n[ 1, }", 2), ("a = { b = [} }", 1), ("a = 2026-01-01T\"", 1), ("a = [2026-01-01 2 , 1]", 1),
            ("a = { b = 1_979-05-27 }", 1),
            ("a = " + String(repeating: "[", count: 17), 1), (String(repeating: "a.", count: 17) + "a = 1", 1),
            ("a = { " + String(repeating: "a.", count: 17) + "a = 1 }", 1),
        ])
    func refused(text: String, line: Int) {
        #expect { try SourceLines(text) } throws: { ($0 as? SourceLines.Refusal)?.line == line }
    }

    @Test(
        "are looked for where that stands in a text or a comment",
        arguments: [
            "a = \"\"\"\n[*name]\n[}\n\"\"\"\n[b]", "a = '''\n[*]\n2026-01-01T\n''' # [*\n[b]",
            "# [*]\na = 1 # [}\n[b] # [*]\nc = 1e-5", "a = [ # [*]\n'[}', # ]\n]\n[ b ]",
            "a = [1.5, 2.5]\n[b]\nc = -1.5E-5", "[ b ] \n", "\"[*]\" = 1\n[b]", "'a\\' = '['\n[b]",
        ])
    func accepted(text: String) throws {
        #expect(try SourceLines(text).line(of: "b") != nil)
        _ = try TOMLDocument(text, file: "a.toml")
    }

    @Test(
        "are looked for to the end of every text, however wrong",
        arguments: [
            "a", "a\nb\n", "= =", "]", "a = ]", "\"", "\"\"\"", "'\n", "a = \"\\", "[a", "[[a]", "a.\n.b", "\r",
        ])
    func ends(text: String) { _ = try? SourceLines(text) }
}

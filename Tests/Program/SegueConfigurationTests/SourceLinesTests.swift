@testable import SegueConfiguration
import Testing

@Suite("Lines of a TOML text")
struct SourceLinesTests {
    private let lines = SourceLines(
        """
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
        """)

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
}

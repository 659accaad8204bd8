import SegueConfiguration
import Testing

@testable import Extensions

@Suite("Sections of extensions")
struct ExtensionSectionTests {
    private struct Greeting: ExtensionSection {
        static let name = "greeting"
        var word = "hello"

        init?(reading section: inout SectionReader) { section.read("word", .text("a word"), into: &word) }
    }

    private enum Greeter: Extension {
        static var sections: [any ExtensionSection.Type] { [Greeting.self] }
    }

    private func parse(
        _ text: String, _ environment: [String: String] = [:],
        _ sections: [any ExtensionSection.Type] = Greeter.sections
    ) throws -> Configuration {
        try Configuration.parse(text, file: "segue.toml", environment: environment, extensions: sections)
    }

    @Test("are read from the file and the environment, and have their defaults without either")
    func values() throws {
        #expect(try parse("")[Greeting.self]?.word == "hello")
        #expect(try parse("[greeting]\nword = \"hi\"")[Greeting.self]?.word == "hi")
        #expect(try parse("", ["SEGUE_GREETING_WORD": "hi"])[Greeting.self]?.word == "hi")
    }

    @Test("are unknown where the extension is left out")
    func leftOut() throws {
        let error = try #require(throws: ConfigurationError.self) { try parse("[greeting]", [:], []) }
        #expect(error.message.hasPrefix("unknown key"))
        #expect(try parse("", [:], [])[Greeting.self] == nil)
    }

    @Test("wait for a restart where they differ from those of the running server")
    func changes() throws {
        let changed = try parse("[greeting]\nword = \"hi\"")
        #expect(changed.sectionsThatWaitForRestart(of: try parse("")) == ["[greeting]"])
        #expect(changed.sectionsThatWaitForRestart(of: changed).isEmpty)
    }
}

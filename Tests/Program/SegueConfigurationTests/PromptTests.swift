import Foundation
import MusicModel
import SegueConfiguration
import Testing
import Wishes

@Suite("[dj.prompt]")
struct PromptTests {
    private static let section = "[dj.prompt]\nurl = \"http://127.0.0.1:11434/v1/\"\n"

    @Test("is nothing unless it is written")
    func absent() throws {
        #expect(try parse("").prompt == nil && parse("[dj]\nswitch = true").prompt == nil)
    }

    @Test("has an address, and may have a model, a key and a limit of time")
    func values() throws {
        var prompt = try #require(try parse(Self.section).prompt)
        #expect(prompt.url == "http://127.0.0.1:11434/v1" && prompt.timeout == .seconds(30))
        #expect(prompt.model == nil && prompt.key == nil)
        prompt.model = "small"
        prompt.key = Secret("k")
        prompt.timeout = .milliseconds(2500)
        let whole = Self.section + "model = \"small\"\napi_key = \"k\"\ntimeout = 2.5"
        #expect(try parse(whole).prompt == prompt)
        let environment = [
            "SEGUE_DJ_PROMPT_URL": prompt.url, "SEGUE_DJ_PROMPT_MODEL": "small", "SEGUE_DJ_PROMPT_API_KEY": "k",
            "SEGUE_DJ_PROMPT_TIMEOUT": "2.5",
        ]
        #expect(try parse("", environment).prompt == prompt)
        #expect(!"\(try parse(whole))".contains("\"k\""))
    }

    @Test("takes the key out of a file, and warns where others can read that")
    func keyFile() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "segue-key-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (mode, isOpen) in [(0o644, true), (0o600, false)] {
            #expect(
                FileManager.default.createFile(
                    atPath: path, contents: Data("secret\nmore".utf8), attributes: [.posixPermissions: mode]))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let configuration = try parse(Self.section + "api_key_file = \"\(path)\"")
            #expect(configuration.prompt?.key?.reveal() == "secret")
            #expect(configuration.securityWarnings().contains { $0.hasPrefix(path) } == isOpen)
            let lidarr = try parse("[lidarr]\nurl = \"http://127.0.0.1:8686\"\napi_key_file = \"\(path)\"")
            #expect(lidarr.securityWarnings().contains { $0.hasPrefix(path) } == isOpen)
        }
    }

    @Test(
        "is encrypted where it leaves the private network",
        arguments: [
            ("http://127.0.0.1:11434/v1", false), ("http://192.168.1.7/v1", false), ("http://model.lan/v1", false),
            ("https://models.example.org/v1", false), ("http://models.example.org/v1", true),
            ("http://203.0.113.1/v1", true),
        ])
    func exposure(url: String, isExposed: Bool) throws {
        let warnings = try parse("[dj.prompt]\nurl = \"\(url)\"").warnings
        #expect(warnings.contains { $0.hasPrefix("dj.prompt.url is not encrypted") } == isExposed)
    }

    @Test(
        "says what is wrong without what may be secret",
        arguments: [
            Wrong("[dj.prompt]\nmodel = \"small\"", "dj.prompt.url: missing; write url = "),
            Wrong(section + "api_key = \"k\"\napi_key_file = \"/k\"", "dj.prompt.api_key_file"),
            Wrong(section + "timeout = 0", "seconds from 1 to 120"), Wrong(section + "modle = \"x\"", "did you mean"),
            Wrong("[dj.prompt]\nurl = \"http://me:secret@host/v1\"", "contains a user or password"),
            Wrong("[dj.prompt]\nurl = \"http://host/v1?key=secret\"", "has a ? or # part"),
            Wrong("[dj]\nprompt = \"http://host\"", "expected one section, [dj.prompt]"),
        ])
    func complaints(_ wrong: Wrong) throws {
        let text = try #require(complaint(wrong.text))
        #expect(text.contains(wrong.says) && !text.contains("secret"), "\(text)")
    }
}

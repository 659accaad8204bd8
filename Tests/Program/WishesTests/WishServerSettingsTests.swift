import Diagnosis
import Foundation
import MusicModel
import SegueConfiguration
import TestSupport
import Testing
@testable import Wishes

@Suite("[dj.prompt]", .enabled(if: testsEverything))
struct WishServerSettingsTests {
    private static let section = "[dj.prompt]\nurl = \"http://127.0.0.1:11434/v1/\"\n"

    private func parse(_ text: String, _ environment: [String: String] = [:]) throws -> Configuration {
        try Configuration.parse(
            text, file: "segue.toml", environment: environment.merging(["HOME": "/home/me"]) { given, _ in given },
            extensions: [WishServerSettings.self])
    }

    private func settings(_ text: String, _ environment: [String: String] = [:]) throws -> WishServerSettings? {
        try parse(text, environment)[WishServerSettings.self]
    }

    @Test("is nothing unless it is written")
    func absent() throws {
        #expect(try settings("") == nil && settings("[dj]\nswitch = true") == nil)
    }

    @Test("has an address, and may have a model, a key and a limit of time")
    func values() throws {
        var prompt = try #require(try settings(Self.section))
        #expect(prompt.url == "http://127.0.0.1:11434/v1" && prompt.timeout == .seconds(30))
        #expect(prompt.model == nil && prompt.key == nil)
        prompt.model = "small"
        prompt.key = Secret("k")
        prompt.timeout = .milliseconds(2500)
        let whole = Self.section + "model = \"small\"\napi_key = \"k\"\ntimeout = 2.5"
        #expect(try settings(whole) == prompt)
        let environment = [
            "SEGUE_DJ_PROMPT_URL": prompt.url, "SEGUE_DJ_PROMPT_MODEL": "small", "SEGUE_DJ_PROMPT_API_KEY": "k",
            "SEGUE_DJ_PROMPT_TIMEOUT": "2.5",
        ]
        #expect(try settings("", environment) == prompt)
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
            #expect(configuration[WishServerSettings.self]?.key?.reveal() == "secret")
            #expect(configuration.securityWarnings().contains { $0.hasPrefix(path) } == isOpen)
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
            ("[dj.prompt]\nmodel = \"small\"", "dj.prompt.url: missing; write url = "),
            (section + "api_key = \"k\"\napi_key_file = \"/k\"", "dj.prompt.api_key_file"),
            (section + "timeout = 0", "seconds from 1 to 120"), (section + "modle = \"x\"", "did you mean"),
            ("[dj.prompt]\nurl = \"http://me:secret@host/v1\"", "contains a user or password"),
            ("[dj.prompt]\nurl = \"http://host/v1?key=secret\"", "has a ? or # part"),
            ("[dj]\nprompt = \"http://host\"", "expected one section, [dj.prompt]"),
        ] as [(String, String)])
    func complaints(text: String, says: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try parse(text) }
        #expect("\(error)".contains(says) && !"\(error)".contains("secret"), "\(error)")
    }

    @Test("a server that is away is a warning, as rules read wishes then, and one without the model too")
    func check() async throws {
        let server = try await RawServer.start()
        let text = "[dj.prompt]\nurl = \"\(server.url)\"\nmodel = \"small\""
        func line() async throws -> String? {
            var report = CheckReport()
            report.isPrinting = false
            await WishesExtension.check(try parse(text), SystemChecks(SystemPlaces(environment: [:])), &report)
            return report.findings.map(CheckReport.line).first
        }
        server.answer(.page(Array(#"{"data":[{"id":"large"}]}"#.utf8)))
        #expect(try await line()?.hasSuffix("has no model small") == true)
        server.answer(.page(Array(#"{"data":[{"id":"small:latest"}]}"#.utf8)))
        #expect(try await line()?.hasPrefix("ok   dj.prompt: wishes in words go to") == true)
        await server.stop()
        #expect(try await line()?.hasPrefix("warn dj.prompt: the prompt server can't be reached at ") == true)
    }
}

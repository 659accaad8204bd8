import Foundation
import MusicModel
import Outputs
import SegueConfiguration
import Testing

@Suite("Loading")
struct LoadingTests {
    @Test("without any file the places that were tried are named, and the demo")
    func nothingFound() throws {
        let environment = ["HOME": "/nonexistent/home", "XDG_CONFIG_HOME": "/nonexistent/xdg"]
        let error = try #require(throws: ConfigurationError.self) {
            _ = try ConfigurationLoader(path: nil, environment: environment).load().configuration
        }
        #expect(
            error.description.contains(
                "/nonexistent/xdg/segue/segue.toml, /nonexistent/home/.config/segue/segue.toml, "
                    + "/etc/segue/segue.toml, /etc/segue.toml"))
        #expect(error.description.contains("segue demo"))
    }

    @Test("the user's folder is searched")
    func userFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: ".config/segue/segue.toml")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("[cache]\nprefetch = 7".utf8).write(to: file)
        let configuration = try ConfigurationLoader(path: nil, environment: ["HOME": folder.path]).load().configuration
        #expect(configuration.cache.prefetch == 7)
        #expect(configuration.file == file.path)
    }

    @Test("a missing file, a folder and a file in another encoding are told apart")
    func unreadable() throws {
        #expect(failure("/nonexistent/segue.toml").contains("there is no such file"))
        #expect(failure("/tmp").contains("is a folder"))
        let url = FileManager.default.temporaryDirectory.appending(path: "segue-\(UUID().uuidString)")
        try Data([0x23, 0xFF, 0xFE]).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(failure(url.path).contains("not UTF-8"))
    }

    @Test("a password comes from the service manager's credentials when the configuration has none")
    func credential() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("from systemd\n".utf8).write(to: folder.appending(path: "navidrome-password"))
        try Data("source\n".utf8).write(to: folder.appending(path: "icecast-password.On air"))
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        let text = "[navidrome]\nurl = \"http://127.0.0.1:1\"\nusername = \"me\"\n"
        #expect(try parse(text, environment).navidrome?.password?.reveal() == "from systemd")
        #expect(try parse(text + "password = \"own\"", environment).navidrome?.password?.reveal() == "own")
        #expect(try parse("", environment).navidrome == nil)
        let icecast = "[[output]]\ntype = \"shout\"\nname = \"On air\"\nmount = \"/a.ogg\"\n"
        #expect(try parse(icecast, environment).outputs.first?.shout.password?.reveal() == "source")
        try Data().write(to: folder.appending(path: "navidrome-password"))
        let error = #expect(throws: ConfigurationError.self) { try parse(text, environment) }
        #expect(error?.description.contains("navidrome-password has nothing on its first line") == true)
    }

    private func failure(_ path: String) -> String {
        do {
            _ = try ConfigurationLoader(path: path, environment: [:]).load().configuration
            return "loaded"
        } catch {
            return error.description
        }
    }
}

@Suite("Secrets")
struct SecretTests {
    @Test("are in no description, dump or error")
    func hidden() throws {
        let text = """
            [navidrome]
            url = "http://127.0.0.1:1"
            username = "me"
            password = "hunter2"
            [[server.password]]
            password = "hunter2"
            permissions = []
            """
        let configuration = try parse(text)
        var dumped = ""
        dump(configuration, to: &dumped)
        for shown in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!shown.contains("hunter2"))
        }
        #expect("\(configuration)".contains("<secret>"))
    }

    @Test(
        "are not repeated by complaints",
        arguments: [
            "[navidrome]\nurl = \"http://me:hunter2@a\"", "[navidrome]\nurl = \"me:hunter2@a\"",
            "[[station]]\nname = \"a\"\nurl = \"http://me:hunter2@a\"", "[navidrome]\npassword = [\"hunter2\"]",
            "[[server.password]]\npermissions = []\nhash = \"hunter2\"",
        ])
    func notRepeated(text: String) throws {
        #expect(try #require(complaint(text)).contains("hunter2") == false)
    }
}

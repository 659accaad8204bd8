import Foundation
import Logging
import MusicModel
import SegueConfiguration
import Subsonic
import Testing

@Suite("The login at the server")
struct ServerLoginTests {
    private struct WrongCredential: Error {}

    private let stored = CredentialsFile(url: "https://a", username: "ada", salt: "s", token: "t")

    private func navidrome(_ url: String? = nil, _ username: String? = nil, password: String? = nil)
        -> Configuration.Navidrome
    {
        var navidrome = Configuration.Navidrome()
        (navidrome.url, navidrome.username, navidrome.password) = (url, username, password.map { Secret($0) })
        return navidrome
    }

    @Test("a password of the configuration counts before a token that was kept")
    func password() throws {
        let login = try SubsonicSettings(navidrome("https://a", "ada", password: "p"), stored: stored)
        guard case .password("p") = login.credential else { throw WrongCredential() }
    }

    @Test("the file says what the configuration leaves out")
    func kept() throws {
        for section in [navidrome(), navidrome("https://a"), navidrome(nil, "ada"), navidrome("https://a", "ada")] {
            let login = try SubsonicSettings(section, stored: stored)
            #expect(login.url == "https://a" && login.username == "ada")
            guard case .token("s", "t") = login.credential else { throw WrongCredential() }
        }
    }

    @Test("a token is for its server and user alone, and the error names the cure")
    func others() {
        for section in [navidrome("https://b"), navidrome("https://a", "bob")] {
            let error = #expect(throws: StateFileError.self) { try SubsonicSettings(section, stored: stored) }
            #expect(error?.message.contains("segue login https://") == true)
            #expect(error?.message.contains("\"t\"") == false)
        }
        let error = #expect(throws: StateFileError.self) { try SubsonicSettings(navidrome("https://a"), stored: nil) }
        #expect(error?.message.contains("url and username") == true)
    }

    @Test("a login that is kept later counts where it is for the same server and user")
    func later() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-login-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let state = try StateDirectory(creating: folder.path)
        try stored.write(to: state.credentials)
        let reader = { StoredLogin.reader($0, state: state, log: Logger(label: "test")) }
        let (login, ownPassword) = (reader(navidrome()), reader(navidrome("https://a", "ada", password: "p")))
        var newer = stored
        newer.token = "newer"
        try newer.write(to: state.credentials)
        guard case .token("s", "newer") = login() else { throw WrongCredential() }
        #expect(ownPassword() == nil)
        newer.username = "bob"
        try newer.write(to: state.credentials)
        #expect(login() == nil)
        try FileManager.default.removeItem(atPath: state.credentials)
        #expect(login() == nil)
    }

    @Test("a stored address without encryption beyond the private network is warned about")
    func exposed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-login-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = try Configuration.parse(
            "[server]\nstate_directory = \"\(folder.path)\"\n[navidrome]\n", file: "segue.toml",
            environment: ["HOME": "/home/me"])
        #expect(!CredentialsFile.exists(in: folder.path) && CredentialsFile.warning(for: configuration) == nil)
        var file = stored
        file.url = "http://music.example.com"
        try file.write(to: folder.path + "/credentials.toml")
        #expect(CredentialsFile.exists(in: folder.path))
        #expect(CredentialsFile.warning(for: configuration)?.contains("not encrypted") == true)
        configuration.navidrome?.url = "https://music.example.com"
        #expect(CredentialsFile.warning(for: configuration) == nil)
    }
}

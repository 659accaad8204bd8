import Foundation
import InProcessServer
import Logging
import MPDProtocol
import MPDSessions
import MusicModel
import NIOCore
import NIOHTTP1
import ServerLoop
import Testing
import WebServer

@testable import WebAPI

/// What clients may take of codes, sessions and bodies, asked of the interface itself.
@Suite("Codes and sessions of the interface")
struct SharedAccessTests {
    @Test("one who has shown nothing, and may do what all may, gets an address and no code")
    func nothingShown() async throws {
        try await Desk.run(default: [.read]) { (desk) async throws in
            let answer = try await desk.send(.POST, "/api/pair", "{}")
            #expect(answer.status == .ok && answer.json["code"] == nil && answer.json["expires"] == nil)
            #expect(answer.json["url"]?.text?.contains("#") == false)
            #expect(try await desk.send(.POST, "/api/pair", "{}", cookie: desk.owner).json["code"]?.text != nil)
        }
    }

    @Test("one who is thrown out comes in no more: its codes are forgotten, and those that it let in go along")
    func thrownOut() async throws {
        try await Desk.run(default: []) { (desk) async throws in
            let guest = try await desk.letIn(by: desk.owner)
            let friend = try await desk.letIn(by: guest.cookie)
            let code = try await desk.send(.POST, "/api/pair", "{}", cookie: guest.cookie).json["code"]?.text ?? ""
            #expect(try await desk.send(.DELETE, "/api/sessions/\(guest.id)", cookie: desk.owner).status == .noContent)
            #expect(try await desk.send(.POST, "/api/pair", "{\"code\":\"\(code)\"}").status == .unauthorized)
            for cookie in [guest.cookie, friend.cookie] {
                #expect(try await desk.send(.POST, "/api/pair", "{}", cookie: cookie).status == .unauthorized)
            }
        }
    }

    @Test("a code begins nothing after the password of the one who shows it is gone")
    func changedPassword() async throws {
        try await Desk.run(default: []) { (desk) async throws in
            let code = try await desk.send(.POST, "/api/pair", "{}", cookie: desk.owner).json["code"]?.text ?? ""
            await desk.passwords.replace([])
            #expect(try await desk.send(.POST, "/api/pair", "{\"code\":\"\(code)\"}").status == .unauthorized)
        }
    }

    @Test("the body of one who may do nothing is 4 KiB at most, and of a password or code at any time")
    func bodies() async throws {
        try await Desk.run(default: []) { (desk) async throws in
            let large = "[" + String(repeating: "[],", count: 2000) + "0]"
            for path in ["/api/mpd", "/api/session", "/api/pair"] {
                #expect(try await desk.send(.POST, path, large).status == .payloadTooLarge)
            }
            #expect(try await desk.send(.POST, "/api/session", large, cookie: desk.owner).status == .payloadTooLarge)
            let commands = "[" + String(repeating: "[\"ping\"],", count: 2000) + "[\"ping\"]]"
            #expect(try await desk.send(.POST, "/api/mpd", commands, cookie: desk.owner).status == .ok)
        }
    }

    @Test("an open connection of a token ends soon after a command has taken the token back")
    func revokedToken() async throws {
        try await Desk.run(default: []) { (desk) async throws in
            let made = try desk.issued.add(name: "door bell", permissions: Permission.everything.rawValue)
            var headers: HTTPHeaders = ["authorization": "Bearer \(made.secret)"]
            let client = try await WebClient.sender(
                of: HTTPRequest(.GET, "/listen/x", headers: headers), desk.web.parts)
            headers = ["authorization": "Bearer \(try desk.issued.add(name: "other", permissions: 1).secret)"]
            let other = try await WebClient.sender(of: HTTPRequest(.GET, "/listen/x", headers: headers), desk.web.parts)
            let (connection, lasting) = (Connection(), Connection())
            await desk.web.feed.watch(connection, client) { connection.end.yield() }
            await desk.web.feed.watch(lasting, other) { Issue.record("a token that is still good") }
            // Another process writes the file.
            #expect(try IssuedSecrets(path: desk.tokens).remove(id: made.id))
            for await _ in connection.ended { break }
            await desk.web.feed.remove(connection)
            await desk.web.feed.remove(lasting)
        }
    }
}

/// A connection that is none.
private final class Connection: Sendable {
    let (ended, end) = AsyncStream<Void>.makeStream()
}

/// An interface in memory, with one password, and an owner who has shown it.
private struct Desk {
    let web: WebInterface
    let passwords: PasswordGate
    let issued: IssuedSecrets
    let tokens: String
    private(set) var owner = ""

    @ServerActor
    static func run(default permission: Permission, _ body: (Desk) async throws -> Void) async throws {
        let library = try await TemporaryLibrary(songs: 0)
        let inside = InProcessServer(library: library.library)
        inside.server.access = AccessRules(defaultPermission: permission)
        let tokens = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: tokens) }
        let (passwords, issued) = (
            PasswordGate([PasswordEntry(check: .plain("sesame"), permission: .everything)]), IssuedSecrets(path: tokens)
        )
        let web = WebInterface(
            WebParts(
                context: inside.context, server: inside.server, passwords: passwords, sessions: SessionStore(path: nil),
                issued: issued, files: PageFiles(), facts: WebFacts()),
            hub: IdleHub(), log: Logger(label: "test"))
        var desk = Desk(web: web, passwords: passwords, issued: issued, tokens: tokens)
        desk.owner = try await desk.send(.POST, "/api/session", "{\"password\":\"sesame\"}").cookie
        try await body(desk)
        await inside.server.shutDown()
        inside.close()
        try library.close()
    }

    struct Answer {
        var status: HTTPResponseStatus
        var json: JSONValue
        var cookie: String
    }

    func send(_ method: HTTPMethod, _ path: String, _ body: String = "", cookie: String = "") async throws -> Answer {
        let headers: HTTPHeaders = cookie.isEmpty ? [:] : ["cookie": cookie]
        let response = await web.answer(
            to: try HTTPRequest(method, path, headers: headers, body: ByteBuffer(string: body)))
        guard case .bytes(let bytes) = response.body else { throw CancellationError() }
        let set = response.headers.first(name: "set-cookie")?.split(separator: ";").first.map(String.init)
        return Answer(status: response.status, json: try JSONValue(bytes), cookie: set ?? "")
    }

    /// Lets a guest in with a code that another shows.
    func letIn(by cookie: String) async throws -> (cookie: String, id: String) {
        let before = Set(web.parts.sessions.all.map(\.id))
        let code = try await send(.POST, "/api/pair", "{}", cookie: cookie).json["code"]?.text ?? ""
        let answer = try await send(.POST, "/api/pair", "{\"code\":\"\(code)\"}")
        let new = web.parts.sessions.all.first { !before.contains($0.id) }
        return (answer.cookie, new?.id ?? "")
    }
}

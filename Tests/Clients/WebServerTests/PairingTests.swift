import Foundation
import Testing

@testable import WebServer

@Suite("Codes, tokens and sessions")
struct PairingTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test("a code is good once, however it is typed")
    func once() throws {
        let codes = PairingCodes()
        let code = codes.make(permissions: 3)
        let typed = try #require(PairingCode.normalized(" " + code.lowercased().replacing("-", with: " ")))
        #expect(codes.take(typed) == 3)
        #expect(codes.take(typed) == nil)
        #expect(PairingCode.normalized("O0I1-LL00") == "0011-1100")
        #expect(PairingCode.normalized("K7QF-93X") == nil)
        #expect(PairingCode.normalized("K7QF-93XU") == nil)
    }

    @Test("wrong codes have an end")
    func misses() {
        let codes = PairingCodes()
        let allowed = (0..<100).filter { _ in codes.countMiss() }.count
        #expect(allowed == 20)
    }

    @Test("what the commands write a running server knows, until it is taken back; no file has the secret")
    func handed() throws {
        let path = folder.appending(path: "tokens.json").path
        let (server, command) = (HandedSecrets(path: path), HandedSecrets(path: path))
        #expect(server.token("x") == nil)
        let made = try command.add(name: "door bell", permissions: 5)
        #expect(server.token(made.secret)?.permissions == 5)
        #expect(server.takeCode(made.secret) == nil)
        let code = try command.add(name: "pair", permissions: 1, lifetime: 300).secret
        #expect(server.token(code) == nil)
        #expect(server.takeCode(code)?.permissions == 1)
        #expect(server.takeCode(code) == nil)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains(made.secret) && !text.contains(code))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try command.remove(id: made.id))
        #expect(server.token(made.secret) == nil)
    }

    @Test("a session ends with its password, and one that isn't used after 90 days")
    func sessions() throws {
        let path = folder.appending(path: "sessions.json").path
        let clock = TestClock()
        let store = SessionStore(path: path) { clock.seconds }
        let first = try store.add(permissions: 1, origin: "old password", name: "phone")
        let second = try store.add(permissions: 2, origin: "new password", name: "tablet")
        #expect(SessionStore(path: path).session(of: second.secret) == nil || clock.seconds > 0)
        #expect(store.session(of: first.secret)?.permissions == 1)
        store.keep(origins: ["new password"])
        #expect(store.session(of: first.secret) == nil)
        clock.seconds += 89 * 86_400
        #expect(store.session(of: second.secret)?.permissions == 2)
        clock.seconds += 91 * 86_400
        #expect(store.session(of: second.secret) == nil)
        #expect(store.session(of: "") == nil)
    }

    @Test("a QR code has its quiet zone and an odd number of modules")
    func picture() throws {
        let code = try #require(QRCode("http://192.168.1.10:6610/#pair=K7QF-93XD"))
        #expect(code.size >= 21 && code.size % 4 == 1)
        #expect(code.svg.hasPrefix("<svg") && code.svg.contains("viewBox=\"0 0 \(code.size + 8) \(code.size + 8)\""))
        #expect(code.halfBlocks.split(separator: "\n").count == (code.size + 9) / 2)
        #expect(QRCode(String(repeating: "x", count: 2000)) == nil)
    }
}

/// A clock that a test turns.
private final class TestClock: @unchecked Sendable {
    // Turned and read by one test, on one thread at a time.
    var seconds: Int64 = 1_790_000_000
}

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
        let grant = PairingCodes.Grant(permissions: 3, origin: "password")
        let code = try #require(codes.make(grant))
        let typed = try #require(PairingCode.normalized(" " + code.lowercased().replacing("-", with: " ")))
        #expect(codes.take(typed) == grant)
        #expect(codes.take(typed) == nil)
        #expect(PairingCode.normalized("O0I1-LL00") == "0011-1100")
        #expect(PairingCode.normalized("K7QF-93X") == nil)
        #expect(PairingCode.normalized("K7QF-93XU") == nil)
    }

    @Test("one who shows codes pushes out its own, and one of fewer permissions none of more")
    func crowdedCodes() throws {
        let codes = PairingCodes()
        let owner = try #require(codes.make(PairingCodes.Grant(permissions: 31, origin: "a", makers: ["owner"])))
        let own = try (0..<5).map { _ in
            try #require(codes.make(PairingCodes.Grant(permissions: 1, origin: "b", makers: ["desk", "guest"])))
        }
        #expect(codes.take(own[0]) == nil && codes.take(own[4]) != nil)
        // Guests of many names fill all places with their own.
        for number in 0..<1000 {
            #expect(codes.make(PairingCodes.Grant(permissions: 1, origin: "b", makers: ["guest \(number)"])) != nil)
        }
        #expect(codes.take(owner)?.permissions == 31)
        let strong = (0..<1000).compactMap {
            codes.make(PairingCodes.Grant(permissions: 31, origin: "a", makers: ["owner \($0)"]))
        }
        #expect(strong.count == 1000)
        #expect(codes.make(PairingCodes.Grant(permissions: 3, origin: "b", makers: ["guest"])) == nil)
    }

    @Test("the codes of one that is thrown out, and of those that it let in, are good no more")
    func forgottenCodes() throws {
        let codes = PairingCodes()
        let grants = [["desk"], ["desk", "guest"], ["desk", "guest", "friend"], ["other"]].map {
            PairingCodes.Grant(permissions: 1, origin: "a", makers: $0)
        }
        let made = try grants.map { try #require(codes.make($0)) }
        codes.forget(madeBy: "guest")
        #expect(made.map { codes.take($0) } == [grants[0], nil, nil, grants[3]])
    }

    @Test("wrong codes have an end")
    func misses() throws {
        let codes = PairingCodes()
        #expect((0..<100).count { _ in codes.mayTry(from: [192, 168, 1, 2]) } == 20)
        // Another machine of the house still gets in, and right codes are not counted.
        for _ in 0..<30 {
            #expect(codes.mayTry(from: [192, 168, 1, 3]))
            codes.wasRight(from: [192, 168, 1, 3])
        }
        #expect((0..<1000).count { codes.mayTry(from: [10, 0, UInt8($0 / 256), UInt8($0 % 256)]) } == 180)
        let code = try #require(codes.make(PairingCodes.Grant(permissions: 1, origin: "password")))
        codes.forget()
        #expect(codes.take(code) == nil)
    }

    @Test("what the commands write a running server knows, until it is taken back; no file has the secret")
    func handed() throws {
        let path = folder.appending(path: "tokens.json").path
        let (server, command) = (IssuedSecrets(path: path), IssuedSecrets(path: path))
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

    @Test("a session that began with a code ends with the password of who showed it; one of a terminal after 90 days")
    func paired() throws {
        let clock = TestClock()
        let store = SessionStore(path: folder.appending(path: "paired.json").path) { clock.seconds }
        let guest = try store.add(permissions: 1, origin: "old password", name: "guest", isPaired: true)
        let terminal = try store.add(permissions: 1, origin: SessionStore.madeHere, name: "phone", isPaired: true)
        store.keep(origins: ["new password"])
        #expect(store.session(of: guest.secret) == nil)
        #expect(store.session(of: terminal.secret) != nil)
        clock.seconds += 91 * 86_400
        #expect(store.session(of: terminal.secret) == nil)
    }

    @Test("all that began with codes end at once, but for the one that asks")
    func guests() throws {
        let store = SessionStore(path: folder.appending(path: "guests.json").path)
        let owner = try store.add(permissions: 31, origin: "password", name: "desk")
        let phone = try store.add(permissions: 31, origin: "password", name: "phone", isPaired: true)
        let guest = try store.add(permissions: 3, origin: "password", name: "guest", isPaired: true)
        let old = try store.add(permissions: 3, origin: SessionStore.madeHere, name: "old", isPaired: true)
        #expect(try store.removePaired(except: phone.session) == 2)
        #expect(store.session(of: owner.secret) != nil && store.session(of: phone.secret) != nil)
        #expect(store.session(of: guest.secret) == nil && store.session(of: old.secret) == nil)
    }

    @Test("sessions that one lets in make room for each other, and one of fewer permissions for none of more")
    func crowded() throws {
        let clock = TestClock()
        let store = SessionStore(path: nil) { clock.seconds }
        func add(_ permissions: UInt8, makers: [String] = []) throws -> String {
            clock.seconds += 1
            return try store.add(
                permissions: permissions, origin: "a", name: "x", isPaired: !makers.isEmpty, makers: makers
            ).secret
        }
        let owner = try add(31)
        let phone = try add(31, makers: ["desk"])
        let first = try add(3, makers: ["desk", "guest"])
        for _ in 0..<15 { _ = try add(3, makers: ["desk", "guest"]) }
        // Of sixteen the one that was not used for longest among those of no more permissions has gone.
        #expect(store.session(of: first) == nil && store.session(of: phone) != nil && store.all.count == 17)
        for number in 0..<1000 { _ = try add(3, makers: ["maker \(number)"]) }
        #expect(store.all.count(where: \.isPaired) == 128 && store.all.count == 129)
        for _ in 0..<1000 { _ = try add(3) }
        #expect(store.all.count == 500)
        #expect(store.session(of: owner) != nil && store.session(of: phone) != nil)
        for _ in 0..<600 { _ = try add(31) }
        #expect(throws: SessionStore.Full.self) { try add(3) }
        #expect(throws: SessionStore.Full.self) { try add(1, makers: ["desk"]) }
    }

    @Test("a session that is ended takes those along that it let in, and those that these let in")
    func descendants() throws {
        let store = SessionStore(path: folder.appending(path: "line.json").path)
        let desk = try store.add(permissions: 31, origin: "a", name: "desk")
        let guest = try store.add(
            permissions: 3, origin: "a", name: "guest", isPaired: true, makers: [desk.session.id])
        let friend = try store.add(
            permissions: 3, origin: "a", name: "friend", isPaired: true, makers: [desk.session.id, guest.session.id])
        let other = try store.add(permissions: 3, origin: "a", name: "other", isPaired: true, makers: [desk.session.id])
        #expect(try SessionStore(path: folder.appending(path: "line.json").path).remove(id: guest.session.id))
        #expect(try store.remove(id: guest.session.id))
        #expect(try !store.remove(id: guest.session.id))
        #expect(store.session(of: guest.secret) == nil && store.session(of: friend.secret) == nil)
        #expect(store.session(of: other.secret) != nil && store.session(of: desk.secret) != nil)
    }

    @Test("a name of one letter with many accents fills no file, and everyone stays signed in")
    func longNames() throws {
        let letter = "e" + String(repeating: "\u{301}", count: 250_000)
        let path = folder.appending(path: "sessions.json").path
        let store = SessionStore(path: path)
        let first = try store.add(permissions: 1, origin: "password", name: "phone")
        for _ in 0..<20 { _ = try store.add(permissions: 1, origin: "password", name: letter) }
        #expect(store.all.allSatisfy { $0.name.utf8.count <= 240 })
        #expect(try Data(contentsOf: URL(filePath: path)).count < 20_000)
        #expect(SessionStore(path: path).session(of: first.secret) != nil)
        let tokens = IssuedSecrets(path: folder.appending(path: "tokens.json").path)
        let token = try tokens.add(name: letter, permissions: 1)
        #expect(tokens.all.first?.name.utf8.count == 239)
        #expect(tokens.token(token.secret) != nil)
    }

    @Test("a file that is too large is as good as none, for either kind")
    func largeFiles() throws {
        let path = folder.appending(path: "large.json").path
        try Data(repeating: UInt8(ascii: " "), count: DigestFile.maxSize + 1).write(to: URL(filePath: path))
        #expect(SessionStore(path: path).all.isEmpty)
        #expect(IssuedSecrets(path: path).all.isEmpty)
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

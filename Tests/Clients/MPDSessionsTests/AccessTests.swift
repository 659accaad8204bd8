import Foundation
import Logging
import MPDCommands
import MPDProtocol
@testable import MPDSessions
import NetworkAddresses
import NIOCore
import NIOEmbedded
import NetworkAddresses
import ServerLoop
import TestSupport
import Testing

extension PeerAddress {
    /// A client of an address, as text.
    fileprivate static func at(_ text: String) -> PeerAddress { IPAddress(text).map { .network($0) } ?? .unknown }
}

@Suite("Who may what")
struct AccessRuleTests {
    private static func address(_ text: String) throws -> PeerAddress {
        PeerAddress(try SocketAddress(ipAddress: text, port: 1))
    }

    private static func host(_ text: String, _ bits: Int, _ permission: Permission) throws -> AccessRules.Host {
        AccessRules.Host(try #require(AddressRange("\(text)/\(bits)")), permission)
    }

    private static let clients: [(String, Permission)] = [
        ("192.168.0.7", .everything), ("192.168.0.8", [.read, .add]), ("192.168.1.1", .read), ("10.1.2.3", .player),
        ("11.0.0.1", .read), ("::ffff:192.168.0.7", .everything), ("2001:db8::1", .admin), ("2001:db9::1", .read),
    ]

    @Test("the narrowest network counts, then the default", arguments: clients)
    func hosts(text: String, expected: Permission) throws {
        let rules = AccessRules(
            defaultPermission: .read,
            hosts: [
                try Self.host("192.168.0.0", 24, [.read, .add]), try Self.host("192.168.0.7", 32, .everything),
                try Self.host("10.0.0.0", 9, [.player]), try Self.host("2001:db8::", 32, [.admin]),
            ])
        #expect(rules.permission(for: try Self.address(text)) == expected)
    }

    @Test("a network of no bits has every address of its kind")
    func everything() throws {
        let rules = AccessRules(defaultPermission: [], hosts: [try Self.host("0.0.0.0", 0, .read)])
        #expect(rules.permission(for: try Self.address("203.0.113.9")) == .read)
        #expect(rules.permission(for: try Self.address("2001:db8::1")) == [])
    }

    @Test("clients of Unix sockets have permissions of their own, or else the default's")
    func local() {
        #expect(AccessRules(defaultPermission: .read).permission(for: .localUser(7)) == .read)
        #expect(AccessRules(defaultPermission: .read, localPermission: .admin).permission(for: .localUser(7)) == .admin)
        #expect(AccessRules(defaultPermission: .read, localPermission: []).permission(for: .localUser(nil)) == [])
    }
}

@Suite("Wrong passwords")
struct FailureThrottleTests {
    private let start = ContinuousClock.now
    private let stranger = PeerAddress.at("203.0.113.5")
    private let neighbour = PeerAddress.at("127.0.0.1")

    @Test("an address has five a minute, then it is refused until the first of them is a minute old")
    func five() {
        var throttle = FailureThrottle()
        for second in 0..<5 {
            let admission = throttle.admission(of: stranger, at: start + .seconds(second))
            #expect(admission == .now)
            throttle.fail(stranger, at: start + .seconds(second))
        }
        let sixth = throttle.admission(of: stranger, at: start + .seconds(5))
        #expect(sixth == .refused(isFirst: true))
        let seventh = throttle.admission(of: stranger, at: start + .seconds(6))
        #expect(seventh == .refused(isFirst: false))
        let other = throttle.admission(of: .at("203.0.113.6"), at: start + .seconds(6))
        #expect(other == .now)
        let later = throttle.admission(of: stranger, at: start + .seconds(61))
        #expect(later == .now)
        throttle.fail(stranger, at: start + .seconds(61))
        // The other four of the first minute have ended one after the other, too.
        let next = throttle.admission(of: stranger, at: start + .milliseconds(60_500))
        #expect(next == .refused(isFirst: false))
    }

    @Test("addresses of one IPv6 network count together")
    func networks() {
        var throttle = FailureThrottle()
        for last in 0..<5 {
            throttle.fail(.at("2001:db8:0:1:909:909:909:\(last)"), at: start)
        }
        let same = throttle.admission(of: .at("2001:db8:0:1::7"), at: start)
        #expect(same == .refused(isFirst: true))
        let other = throttle.admission(of: .at("2001:db8:0:2::7"), at: start)
        #expect(other == .now)
    }

    @Test("on this machine no client is locked out, but one a second is checked")
    func neighbours() {
        var throttle = FailureThrottle()
        for _ in 0..<5 { throttle.fail(neighbour, at: start) }
        let first = throttle.admission(of: neighbour, at: start)
        #expect(first == .now)
        let second = throttle.admission(of: neighbour, at: start)
        #expect(second == .at(start + .seconds(1)))
        for _ in 0..<29 { _ = throttle.admission(of: neighbour, at: start) }
        let beyond = throttle.admission(of: neighbour, at: start)
        #expect(beyond == .refused(isFirst: true))
    }

    @Test("what was counted too early is taken back")
    func takenBack() {
        var throttle = FailureThrottle()
        for number in 0..<5 { throttle.fail(stranger, at: start + .seconds(number)) }
        throttle.takeBack(stranger, at: start + .seconds(2))
        let admission = throttle.admission(of: stranger, at: start + .seconds(5))
        #expect(admission == .now)
    }

    @Test("no more addresses are remembered than there is room for, and old ones make it")
    func capacity() {
        var throttle = FailureThrottle()
        for number in 0..<(FailureThrottle.capacity + 500) {
            throttle.fail(.at("10.0.\(number >> 8).\(number & 255)"), at: start + .milliseconds(number))
        }
        #expect(throttle.count == FailureThrottle.capacity)
        throttle.fail(stranger, at: start + .seconds(700))
        #expect(throttle.count == 1)
    }
}

@Suite("Checking passwords", .serialized)
struct PasswordGateTests {
    private static let stranger = PeerAddress.at("203.0.113.5")
    /// Little cost, so that tests don't take long.
    private static let cheap = ScryptKey(
        logCost: 10, blockSize: 8, parallelism: 16, salt: Array("NaCl".utf8),
        key: [
            0xfd, 0xba, 0xbe, 0x1c, 0x9d, 0x34, 0x72, 0x00, 0x78, 0x56, 0xe7, 0x19, 0x0d, 0x01, 0xe9, 0xfe,
            0x7c, 0x6a, 0xd7, 0xcb, 0xc8, 0x23, 0x78, 0x30, 0xe7, 0x73, 0x76, 0x63, 0x4b, 0x37, 0x31, 0x62,
            0x2e, 0xaf, 0x30, 0xd9, 0x2e, 0x22, 0xa3, 0x88, 0x6f, 0xf1, 0x09, 0x27, 0x9d, 0x98, 0x30, 0xda,
            0xc7, 0x27, 0xaf, 0xb9, 0x4a, 0x83, 0xee, 0x6d, 0x83, 0x60, 0xcb, 0xdf, 0xa2, 0xcc, 0x06, 0x40,
        ])

    @ServerActor
    private static func gate(
        _ checks: [PasswordEntry.Check], delay: Duration = .zero, clock: VirtualClock = VirtualClock()
    ) -> PasswordGate {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let gate = PasswordGate(delay: delay, trusted: [7], clock: clock, logger: silent)
        let permissions: [Permission] = [.read, .player, .admin]
        gate.replace(zip(checks, permissions).map { PasswordEntry(check: $0, permission: $1) })
        return gate
    }

    @Test("scrypt is that of RFC 7914, and a new key fits its password alone")
    func vectors() async throws {
        let gate = await Self.gate([.scrypt(Self.cheap), .scrypt(try ScryptKey(password: "new one"))])
        #expect(try await gate.entry(for: "password", from: Self.stranger)?.permission == .read)
        #expect(try await gate.entry(for: "new one", from: Self.stranger)?.permission == .player)
        #expect(try await gate.entry(for: "other", from: Self.stranger)?.permission == nil)
    }

    @Test("the three forms stand side by side, and the first that fits counts")
    func forms() async throws {
        let salted = PasswordEntry.Check.sha256(
            salt: Array("SALT".utf8),
            digest: [
                0xe8, 0xcf, 0x82, 0x78, 0x40, 0xa8, 0x7e, 0xbb, 0x3e, 0x6e, 0x81, 0x54, 0x37, 0x7c, 0x81, 0xc0,
                0x83, 0xf4, 0x2b, 0x6a, 0x15, 0x8e, 0xce, 0x16, 0x83, 0x97, 0xb0, 0x49, 0xc6, 0x0c, 0x19, 0xdf,
            ])
        let gate = await Self.gate([.plain("plain"), salted, .scrypt(Self.cheap)])
        #expect(try await gate.entry(for: "plain", from: Self.stranger)?.permission == .read)
        #expect(try await gate.entry(for: "open sesame", from: Self.stranger)?.permission == .player)
        #expect(try await gate.entry(for: "password", from: Self.stranger)?.permission == .admin)
        #expect(try await gate.entry(for: "", from: Self.stranger)?.permission == nil)
    }

    @Test("after one success a password costs nothing, until the passwords change")
    func remembered() async throws {
        let gate = await Self.gate([.scrypt(Self.cheap)])
        for _ in 0..<20 { #expect(try await gate.entry(for: "password", from: Self.stranger)?.permission == .read) }
        #expect(await gate.derivations == 1)
        await gate.replace([PasswordEntry(check: .scrypt(Self.cheap), permission: .admin)])
        #expect(try await gate.entry(for: "password", from: Self.stranger)?.permission == .admin)
        #expect(await gate.derivations == 2)
        await gate.replace([])
        #expect(try await gate.entry(for: "password", from: Self.stranger)?.permission == nil)
    }

    @Test("a client that opens many connections at once is let in on all of them")
    func manyAtOnce() async throws {
        let gate = await Self.gate([.scrypt(Self.cheap)])
        let results = try await withThrowingTaskGroup(of: Permission?.self) { group in
            for _ in 0..<30 { group.addTask { try await gate.entry(for: "password", from: Self.stranger)?.permission } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == [Permission?](repeating: .read, count: 30))
        #expect(await gate.derivations == 1)
    }

    @Test("guesses at the same time don't get by the five a minute")
    func parallelGuesses() async throws {
        let gate = await Self.gate([.scrypt(Self.cheap)])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                group.addTask { _ = try? await gate.entry(for: "guess \(number)", from: Self.stranger)?.permission }
            }
        }
        #expect(await gate.derivations == 5)
        // The right one is refused too, or the guessing would go on.
        #expect(try await gate.entry(for: "password", from: Self.stranger)?.permission == nil)
        #expect(try await gate.entry(for: "password", from: .at("203.0.113.6"))?.permission == .read)
    }

    @Test("the owner's scripts on the socket are never refused")
    func trusted() async throws {
        let gate = await Self.gate([.plain("right")])
        for _ in 0..<50 { #expect(try await gate.entry(for: "wrong", from: .localUser(7))?.permission == nil) }
        #expect(try await gate.entry(for: "right", from: .localUser(7))?.permission == .read)
    }

    @Test("no more answers are held back than there is memory for")
    func heldBack() async throws {
        let gate = await Self.gate([.plain("right")], delay: .seconds(3600))
        let refused = try await withThrowingTaskGroup(of: Permission?.self) { group in
            for _ in 0..<1_100 {
                group.addTask { try await gate.entry(for: "wrong", from: Self.stranger)?.permission }
            }
            // Those beyond the limit are refused at once; the others would take an hour.
            var refused = 0
            while refused < 100, let permission = try await group.next(), permission == nil { refused += 1 }
            group.cancelAll()
            return refused
        }
        #expect(refused == 100)
        let result = try await gate.entry(for: "right", from: .at("203.0.113.6"))?.permission
        #expect(result == .read)
    }

    @Test("a wrong password takes its time, a right one does not")
    func delay() async throws {
        let clock = VirtualClock()
        let gate = await Self.gate([.plain("right")], delay: .seconds(1), clock: clock)
        let wrong = Task { try await gate.entry(for: "wrong", from: Self.stranger)?.permission }
        try await eventually("the pause") { clock.sleeperCount == 1 }
        #expect(try await gate.entry(for: "right", from: Self.stranger)?.permission == .read)
        #expect(try await clock.passPause() == .seconds(1))
        #expect(try await wrong.value == nil)
    }
}

@Suite("Clients that are connected while passwords and rules change")
struct RenewedPermissionTests {
    @Test("lose what their password gave with it, and have what their address gives from then on")
    func renewed() async throws {
        try await TestServer.with { server in
            let peers: [PeerAddress] = [.at("10.0.0.1"), .at("10.0.0.2"), .at("10.0.0.3")]
            let kept = PasswordEntry(check: .plain("kept"), permission: .everything)
            try await server.renewed(peers, kept)
        }
    }
}

extension TestServer {
    /// Three clients: of an address, of a password that goes, and of one that stays.
    fileprivate func renewed(_ peers: [PeerAddress], _ kept: PasswordEntry) async throws {
        let clients = peers.compactMap { server.makeSession(on: EmbeddedChannel(), isLocal: false, peer: $0)?.client }
        try #require(clients.count == 3)
        (clients[1].permission, clients[1].claim) = (.everything, .password("gone"))
        (clients[2].permission, clients[2].claim) = (.everything, .password(kept.fingerprint))
        server.access = AccessRules(defaultPermission: .read)
        server.renewPermissions(passwords: [kept.fingerprint])
        #expect(clients.map(\.permission) == [.read, .read, .everything])
        clients[0].claim = .elsewhere
        server.access = AccessRules(defaultPermission: [])
        server.renewPermissions(passwords: [])
        #expect(clients.map(\.permission) == [.read, [], []])
    }
}

@Suite("Places of clients")
struct ClientPlaceTests {
    @Test("an address has a quarter once three quarters are taken, and the last are for users of this machine")
    func shares() async throws {
        try await TestServer.with {
            $0.maximumConnections = 100
        } _: { server in
            try await server.fillPlaces()
        }
    }
}

extension TestServer {
    fileprivate func fillPlaces() async throws {
        func come(_ peer: PeerAddress) -> Bool {
            server.makeSession(on: EmbeddedChannel(), isLocal: false, peer: peer) != nil
        }
        let flood = PeerAddress.at("10.0.0.1")
        #expect((0..<100).count { _ in come(flood) } == 75)
        let household = (0..<30).map {
            PeerAddress.at("2001:db8::\($0 + 1)")
        }
        #expect(household.count(where: come) == 17)
        #expect(!come(.at("10.0.0.3")))
        #expect((0..<10).count { _ in come(.localUser(1000)) } == 8)
    }
}

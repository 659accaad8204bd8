import MPDProtocol
import ServerLoop
import Testing

@testable import MPDCommands

@Suite("Permissions and argument counts")
struct PermissionTests {
    @Test("Without a permission a command is refused in MPD's words, whatever its arguments")
    func refused() async throws {
        let desk = try await Desk(permission: .read)
        #expect(await desk.ask("play") == ["ACK [4@0] {play} you don't have permission for \"play\""])
        #expect(await desk.ask("kill a b c") == ["ACK [4@0] {kill} you don't have permission for \"kill\""])
        #expect(await desk.ask("ping") == ["OK"])
        try await desk.close()
    }

    @Test("commands and notcommands divide the table between them")
    func divided() async throws {
        let desk = try await Desk(permission: .read)
        let usable = await desk.ask("commands").dropLast().map { $0.dropFirst("command: ".count) }
        let others = await desk.ask("notcommands").dropLast().map { $0.dropFirst("command: ".count) }
        #expect(usable.contains("status") && usable.contains("password") && !usable.contains("play"))
        #expect(others.contains("play") && others.contains("add") && others.contains("setvol"))
        // Commands that this server can't do at all stand in neither.
        let impossible: Set<Substring> = ["getfingerprint", "listneighbors", "readlyrics"]
        let names = CommandTable.commands.map { $0.name[...] }
        #expect((usable + others).sorted() == names.filter { !impossible.contains($0) })
        try await desk.close()
    }

    @Test("kill is listed only where it works")
    func kill() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("commands").contains("command: kill") == false)
        #expect(await desk.ask("kill") == ["ACK [4@0] {kill} you don't have permission for \"kill\""])
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        await desk.reassemble { _, facts in facts.shutDown = { continuation.yield() } }
        #expect(await desk.ask("commands").contains("command: kill"))
        _ = await desk.ask("kill")
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        try await desk.close()
    }

    @Test("Too few, too many and the wrong number of arguments")
    func counts() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("addid") == ["ACK [2@0] {addid} too few arguments for \"addid\""])
        #expect(await desk.ask("addid a 1 2") == ["ACK [2@0] {addid} too many arguments for \"addid\""])
        #expect(await desk.ask("status x") == ["ACK [2@0] {status} wrong number of arguments for \"status\""])
        #expect(await desk.ask("sticker get") == ["ACK [2@0] {sticker} too few arguments for \"sticker\""])
        #expect(await desk.ask("nosuch a b") == ["ACK [5@0] {} unknown command \"nosuch\""])
        try await desk.close()
    }

    @Test("A password brings its permissions, a wrong one takes none")
    func password() async throws {
        let desk = try await Desk(permission: .none)
        let passwords = OnePassword()
        await desk.reassemble { parts, _ in parts.passwords = passwords }
        #expect(await desk.ask("status") == ["ACK [4@0] {status} you don't have permission for \"status\""])
        #expect(await desk.ask("password closed") == ["ACK [3@0] {password} incorrect password"])
        #expect(await desk.ask("password open") == ["OK"])
        #expect(await desk.ask("getvol") == ["volume: 100", "OK"])
        #expect(await desk.ask("password closed") == ["ACK [3@0] {password} incorrect password"])
        #expect(await desk.ask("stop") == ["OK"])
        try await desk.close()
    }
}

/// Knows that `open` allows reading and playing.
private final class OnePassword: PasswordChecking {
    func grant(for password: String, from peer: PeerAddress) async throws -> (permission: Permission, entry: String)? {
        password == "open" ? ([.read, .player], "entry") : nil
    }
}

extension ServerActor {
    /// Runs `body` on the loop.
    @ServerActor
    static func run<T: Sendable>(_ body: @ServerActor () throws -> T) async rethrows -> T { try body() }
}

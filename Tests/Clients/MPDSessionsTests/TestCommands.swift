import MPDProtocol
import MusicModel
import Playback
import ServerLoop

@testable import MPDCommands

/// Answers with its arguments.
struct EchoCommand: Command {
    static let name: StaticString = "echo"
    static let permission = Permission.none
    static let argumentCount = 0...Int.max
    static let usage: StaticString = "[TEXT...]"
    static let origin = CommandOrigin.segue
    let arguments: [String]

    init(parsing arguments: inout Arguments) throws(AckError) { self.arguments = Array(arguments.remaining) }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        for argument in arguments { response.line("argument: ", argument) }
    }
}

/// Fails after its first line.
struct FailCommand: Command {
    static let name: StaticString = "fail"
    static let permission = Permission.none
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.segue

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        throw AckError(.noExist, "No such song")
    }
}

/// Needs the admin permission and one or two arguments.
struct SecretCommand: Command {
    static let name: StaticString = "secret"
    static let permission = Permission.admin
    static let argumentCount = 1...2
    static let usage: StaticString = "{A} [B]"
    static let origin = CommandOrigin.segue

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {}
}

/// Gives all permissions; takes exactly one argument.
struct UnlockCommand: Command {
    static let name: StaticString = "unlock"
    static let permission = Permission.none
    static let argumentCount = 1...1
    static let usage: StaticString = "{WORD}"
    static let origin = CommandOrigin.segue

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) { context.client.permission = .everything }
}

/// Writes so many lines of 100 bytes, handing them on as they fill a chunk.
struct PourCommand: Command {
    static let name: StaticString = "pour"
    static let permission = Permission.none
    static let argumentCount = 1...1
    static let usage: StaticString = "{LINES}"
    static let origin = CommandOrigin.segue
    let count: Int

    init(parsing arguments: inout Arguments) throws(AckError) { count = try arguments.unsigned() }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let filling = String(repeating: "x", count: 85)
        for number in 0..<count {
            response.text("line: ")
            response.number(100_000_000 + number)
            response.text(filling)
            response.endLine()
            try await response.flushIfFull()
        }
    }
}

/// Reports a change of the client's partition, or of everything with `all`.
struct TouchCommand: Command {
    static let name: StaticString = "touch"
    static let permission = Permission.none
    static let argumentCount = 1...9
    static let usage: StaticString = "{SUBSYSTEM...}"
    static let origin = CommandOrigin.segue
    let subsystems: Subsystem

    init(parsing arguments: inout Arguments) throws(AckError) { subsystems = try arguments.subsystems() }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        let partition = subsystems.contains(.database) ? nil : context.client.partition
        context.server.notify(subsystems, partition)
    }
}

/// Moves the client to a partition without other clients.
struct LeaveCommand: Command {
    static let name: StaticString = "leave"
    static let permission = Permission.none
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.segue

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.client.partition = Partition(name: "elsewhere", player: context.client.partition.player)
    }
}

/// Counts how often it ran and waits until the gate is open.
struct WaitCommand: Command {
    static let name: StaticString = "wait"
    static let permission = Permission.none
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.segue

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        await Task.yield()
        try await Task.sleep(for: .milliseconds(1))
        response.line("waited: ", 1)
    }
}

/// Holds the loop for a millisecond, as a command with much to do would; outside of `whileBurning` for no time.
struct BurnCommand: ImmediateCommand {
    static let name: StaticString = "burn"
    static let permission = Permission.none
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.segue
    /// How often it ran, in all tests.
    @ServerActor static var count = 0
    @ServerActor private static var time = Duration.zero

    /// Runs a part of a test in which the command takes its time.
    ///
    /// - Parameter body: gets how often it ran before.
    static func whileBurning(_ body: (_ before: Int) async throws -> Void) async throws {
        let before = await begin()
        do { try await body(before) } catch {
            await end()
            throw error
        }
        await end()
    }

    @ServerActor
    private static func begin() -> Int {
        time = .milliseconds(1)
        return count
    }

    @ServerActor
    private static func end() { time = .zero }

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        let end = ContinuousClock.now + Self.time
        while ContinuousClock.now < end {}
        Self.count += 1
    }
}

/// Answers after an hour, unless it is cancelled.
struct HangCommand: Command {
    static let name: StaticString = "hang"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.segue
    /// How many wait at the moment, in all tests.
    @ServerActor static var waiting = 0

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        Self.waiting += 1
        defer { Self.waiting -= 1 }
        try await Task.sleep(for: .seconds(3600))
    }
}

/// The commands of the tests by their words.
let testCommands = Dictionary(uniqueKeysWithValues: testTypes.map { ($0.word, $0) })

private let testTypes: [any Command.Type] = [
    BurnCommand.self, CloseCommand.self, EchoCommand.self, FailCommand.self, HangCommand.self, IdleCommand.self,
    LeaveCommand.self, PingCommand.self, PourCommand.self, SecretCommand.self, TouchCommand.self, UnlockCommand.self,
    WaitCommand.self,
]

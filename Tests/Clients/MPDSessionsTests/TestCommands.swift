import MPDProtocol
import MusicModel
import Playback
import ServerLoop

@testable import MPDCommands

extension Command {
    /// Answers with its arguments.
    fileprivate static let echo = Command("echo", .none, 0...Int.max) { arguments in
        let words = Array(arguments.remaining)
        return .suspending { _, response in for word in words { response.line("argument: ", word) } }
    }

    /// Fails.
    fileprivate static let fail = Command("fail", .none) { _ in
        .suspending { _, _ in throw AckError(.noExist, "No such song") }
    }

    /// Needs the admin permission and one or two arguments.
    fileprivate static let secret = Command("secret", .admin, 1...2) { _ in .suspending { _, _ in } }

    /// Gives all permissions; takes exactly one argument.
    fileprivate static let unlock = Command("unlock", .none, 1...1) { _ in
        .suspending { context, _ in context.client.permission = .everything }
    }

    /// Writes lines of 100 bytes, handing them on as they fill a chunk.
    fileprivate static let pour = Command("pour", .none, 1...1) { arguments in
        let count = try arguments.unsigned()
        return .suspending { _, response in
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

    /// Reports a change of the client's partition, or of everything with `database`.
    fileprivate static let touch = Command("touch", .none, 1...9) { arguments in
        let subsystems = try arguments.subsystems()
        return .suspending { context, _ in
            let partition = subsystems.contains(.database) ? nil : context.client.partition
            context.server.notify(subsystems, partition)
        }
    }

    /// Moves the client to a partition without other clients.
    fileprivate static let leave = Command("leave", .none) { _ in
        .suspending { context, _ in
            context.client.partition = Partition(name: "elsewhere", player: context.client.partition.player)
        }
    }

    /// Takes a millisecond, in which it suspends.
    fileprivate static let wait = Command("wait", .none) { _ in
        .suspending { _, response in
            await Task.yield()
            try await Task.sleep(for: .milliseconds(1))
            response.line("waited: ", 1)
        }
    }

    /// Holds the loop for a millisecond, as a command with much to do would; outside of `whileBurning` for no time.
    fileprivate static let burn = Command("burn", .none) { _ in
        .immediate { _, _ in
            let end = ContinuousClock.now + BurnCommand.time
            while ContinuousClock.now < end {}
            BurnCommand.count += 1
        }
    }

    /// Answers after an hour, unless it is cancelled.
    fileprivate static let hang = Command("hang", .read) { _ in
        .suspending { _, _ in
            HangCommand.waiting += 1
            defer { HangCommand.waiting -= 1 }
            try await Task.sleep(for: .seconds(3600))
        }
    }
}

/// How `burn` is used.
@ServerActor
enum BurnCommand {
    /// How often it ran, in all tests.
    static var count = 0
    fileprivate static var time = Duration.zero

    /// Runs a part of a test in which the command takes its time.
    ///
    /// - Parameter body: gets how often it ran before.
    nonisolated static func whileBurning(_ body: (_ before: Int) async throws -> Void) async throws {
        let before = await begin()
        do { try await body(before) } catch {
            await end()
            throw error
        }
        await end()
    }

    private static func begin() -> Int {
        time = .milliseconds(1)
        return count
    }

    private static func end() { time = .zero }
}

/// How `hang` is used.
@ServerActor
enum HangCommand {
    /// How many wait at the moment, in all tests.
    static var waiting = 0
}

/// The commands of the tests by their words.
let testCommands = Dictionary(
    uniqueKeysWithValues: [
        Command.burn, .close, .echo, .fail, .hang, .idle, .leave, .ping, .pour, .secret, .touch, .unlock, .wait,
    ].map { ($0.name, $0) })

import ArgumentParser
import AudioOutputs
import Extensions
import Foundation
import LibraryIndex
import Logging
import SegueConfiguration
import Supervision
import Synchronization

@main
struct Segue: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "segue",
        abstract: "A music server for MPD clients, with your Navidrome as its library.",
        discussion: """
            Start with `segue demo`, which needs no setup, or with
              segue login http://127.0.0.1:4533 me
              segue serve
            and point any MPD client (ncmpcpp, mpc, Cantata, M.A.L.P., ...) at port 6600.
            """,
        version: "segue \(version) (speaks MPD protocol 0.24.0)",
        subcommands: [
            ServeCommand.self, LoginCommand.self, HashPasswordCommand.self, CheckCommand.self, SyncCommand.self,
            ExportCommand.self, ForgetCommand.self, ShowStatusCommand.self, AnalyseCommand.self, TokenCommand.self,
            PairCommand.self,
        ] + extensions.flatMap { $0.commands }
    )

    /// Runs the program; usage errors end with status 2, what the system refuses with 71, everything else that fails
    /// with 1. It begins on the main thread: where no other can be made, nothing that is asynchronous ever runs.
    @MainActor
    static func main() async {
        OutputFileMode.userMask.store(ProcessSetup.prepare(), ordering: .relaxed)
        HeapArenas.share()
        var isParsed = false
        do {
            var command = try parseAsRoot(Array(ProcessArguments.all.dropFirst()))
            isParsed = true
            let added = command as? any ExtensionCommand
            let isServer = command is ServeCommand || added.map { type(of: $0).isServer } == true
            let threads = isServer ? ThreadRoom.neededToServe : ThreadRoom.neededToRun
            if let problem = ThreadRoom.refusal(of: threads) {
                throw CommandFailure("It can't run: \(problem)", status: CommandFailure.refusedBySystem)
            }
            if let added {
                try await added.run(Program())
            } else if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            // Help, and wrong arguments: the parser gives all other errors the same status.
            if !isParsed || error is ExitCode || exitCode(for: error) != .failure { end(with: error) }
            let failure = CommandFailure(error)
            let priority = JournalPrefix.isUsed ? JournalPrefix.text(for: .error) : ""
            FileHandle.standardError.write(Data("\(priority)segue: \(failure.message)\n".utf8))
            Foundation.exit(failure.status)
        }
    }

    /// Prints what the argument parser says and ends with MPD's and our habit: 0 for help, 2 for usage errors.
    private static func end(with error: any Error) -> Never {
        let isUsage = exitCode(for: error) == .validationFailure
        let text = fullMessage(for: error)
        if !text.isEmpty {
            let handle = exitCode(for: error).isSuccess ? FileHandle.standardOutput : FileHandle.standardError
            handle.write(Data((text + "\n").utf8))
        }
        Foundation.exit(isUsage ? 2 : exitCode(for: error).rawValue)
    }
}

/// A failure whose message already names the cause and the cure, in one line.
struct CommandFailure: Error {
    var message: String
    var status: Int32 = 1

    /// The status that tells the service manager that starting again won't help: `EX_CONFIG`, which the units name.
    static let uselessToRepeat: Int32 = 78
    /// The status that says that the system lacks what is needed: `EX_OSERR`.
    static let refusedBySystem: Int32 = 71

    init(_ message: String, status: Int32 = 1) {
        self.message = message
        self.status = status
    }

    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as LibraryError:
            self.init(error.message, status: error.code == .otherVersion ? Self.uselessToRepeat : 1)
        case let error as StateFileError: self.init(error.message)
        case let error as ProcessError: self.init(error.message)
        default: self.init("\(error)")
        }
    }
}

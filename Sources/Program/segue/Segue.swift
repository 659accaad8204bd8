import ArgumentParser
import AudioOutputs
import Foundation
import Logging
import Supervision
import Synchronization

/// The program: `segue serve`, `demo`, `login`, `password`, `check`, `sync`, `export`, `import`, `forget`,
/// `status`, `analyse`, `token`, `pair`.
@main
struct Segue: AsyncParsableCommand {
    /// The version that `--version` prints.
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
            ServeCommand.self, DemoCommand.self, LoginCommand.self, HashPasswordCommand.self, CheckCommand.self,
            SyncCommand.self, ExportCommand.self, ImportCommand.self, ForgetCommand.self, ShowStatusCommand.self,
            AnalyseCommand.self, TokenCommand.self, PairCommand.self,
        ]
    )

    /// Runs the program; usage errors end with status 2, what the system refuses with 71, everything else that fails
    /// with 1.
    ///
    /// It begins on the main thread: where no other can be made, nothing that is asynchronous ever runs.
    @MainActor
    static func main() async {
        OutputFileMode.userMask.store(ProcessSetup.prepare(), ordering: .relaxed)
        HeapArenas.share()
        do {
            var command = try parseAsRoot(Array(ProcessArguments.all.dropFirst()))
            let isServer = command is ServeCommand || command is DemoCommand
            let threads = isServer ? ThreadRoom.neededToServe : ThreadRoom.neededToRun
            if let problem = ThreadRoom.refusal(of: threads) {
                throw CommandFailure("It can't run: \(problem)", status: CommandFailure.refusedBySystem)
            }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = Failures.known(error) else { end(with: error) }
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
    /// The error and the cure.
    var message: String
    /// The process's exit status.
    var status: Int32 = 1

    /// The status that tells the service manager that starting again won't help: `EX_CONFIG`, which the units name.
    static let uselessToRepeat: Int32 = 78
    /// The status that says that the system lacks what is needed: `EX_OSERR`.
    static let refusedBySystem: Int32 = 71

    init(_ message: String, status: Int32 = 1) {
        self.message = message
        self.status = status
    }
}

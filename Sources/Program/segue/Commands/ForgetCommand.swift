import ArgumentParser
import Foundation
import SegueConfiguration

/// `segue forget`: removes what Segue has stored on this machine.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove the stored credentials, the index and the cache from this machine.",
        discussion: """
            The configuration and everything on your Navidrome stay. Data that only Segue has is lost: playlists \
            of its own, stickers, the queue, the history, and changes not sent to Navidrome yet. `segue export` \
            saves the first of these.
            """)

    @Flag(name: .shortAndLong, help: "Don't ask.") var yes = false
    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let configuration = try options.load()
        let server = configuration.server
        let stored = StoredData(stateDirectory: server.stateDirectory, cacheDirectory: server.cacheDirectory)
        guard !stored.items.isEmpty else {
            print("Nothing is stored in \(server.stateDirectory) and \(server.cacheDirectory).")
            return
        }
        let state = try StateDirectory(creating: server.stateDirectory)
        guard try state.takeLock() else {
            throw CommandFailure("a server runs on \(state.path). Stop it first.")
        }
        print("This removes:")
        for item in stored.items { print("  \(item.path) (\(item.shownSize))") }
        print(
            """
            Everything on your Navidrome and the configuration stay. Data only in Segue is lost: playlists of its own,
            stickers, the queue, the history of plays, and changes not sent to Navidrome yet. `segue export FILE` saves
            playlists, stickers, ratings and the history.
            """)
        guard try yes || isConfirmed() else { throw CommandFailure("nothing was removed.") }
        try stored.remove()
        print("Removed.")
        if stored.hasCredentials {
            print(
                """
                The token that `segue login` stored stays valid until the password is changed on the server. If \
                someone else may have it, change the password.
                """)
        }
    }

    private func isConfirmed() throws -> Bool {
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure("there is no terminal to confirm on. Use --yes.")
        }
        try FileHandle.standardOutput.write(contentsOf: Data("Remove all of it? Type yes: ".utf8))
        return readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes"
    }
}

import ArgumentParser
import Diagnosis
import Foundation
import SegueConfiguration
import UserLibrary

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write playlists, stickers, ratings and the history of plays as JSON.",
        discussion: """
            Works while the server runs. docs/export.md describes the format. The file contains no secrets except what \
            you put into stickers and playlists yourself.
            """)

    @Argument(help: "The file to write; - is standard output.", completion: .file(extensions: ["json"]))
    var file: String
    @Flag(name: .shortAndLong, help: "Replace the file if it exists.") var force = false
    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let configuration = try options.load()
        let state = configuration.server.stateDirectory
        let database = state + "/segue.db"
        guard FileManager.default.fileExists(atPath: database) else {
            throw CommandFailure(
                "there is nothing to export in \(state). Name the configuration of your server with --config.")
        }
        if file != "-", !force, FileManager.default.fileExists(atPath: file) {
            throw CommandFailure("\(file) exists. Choose another name, or replace it with --force.")
        }
        let snapshot = try LibraryExport.read(path: database)
        let data = Data((try PrettyJSON.text(of: snapshot) + "\n").utf8)
        if file == "-" {
            try FileHandle.standardOutput.write(contentsOf: data)
            return
        }
        do {
            // Into another file first, so that a full disk leaves an older export as it was.
            try data.write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch { throw CommandFailure("can't write \(file): \(systemMessage(error))") }
        print(
            "\(file): \(snapshot.playlists.count) playlists, \(snapshot.stickers.count) stickers, "
                + "\(snapshot.ratings.count) ratings, \(snapshot.history.count) plays of \(snapshot.songs.count) songs")
    }
}

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
        guard try state.takeLock() else { throw CommandFailure("a server runs on \(state.path). Stop it first.") }
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
        guard isatty(STDIN_FILENO) == 1 else { throw CommandFailure("there is no terminal to confirm on. Use --yes.") }
        try FileHandle.standardOutput.write(contentsOf: Data("Remove all of it? Type yes: ".utf8))
        return readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes"
    }
}

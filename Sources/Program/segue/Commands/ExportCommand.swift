import ArgumentParser
import Foundation
import SegueConfiguration
import UserLibrary

/// `segue export`: writes what only Segue knows into a file.
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(snapshot) + Data("\n".utf8)
        if file == "-" {
            try FileHandle.standardOutput.write(contentsOf: data)
            return
        }
        do {
            // Into another file first, so that a full disk leaves an older export as it was.
            try data.write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw CommandFailure("can't write \(file): \(systemMessage(error))")
        }
        print(
            "\(file): \(snapshot.playlists.count) playlists, \(snapshot.stickers.count) stickers, "
                + "\(snapshot.ratings.count) ratings, \(snapshot.history.count) plays of \(snapshot.songs.count) songs")
    }
}

import ArgumentParser
import Foundation
import SegueConfiguration
import StateFiles

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

    /// The files that Segue puts into its state directory; the lock goes last.
    private static let stateFiles = [
        "credentials.toml", "credentials.toml.new", "session", "session.new", "segue.db", "segue.db-wal",
        "segue.db-shm", "segue.lock",
    ]
    /// The folders that Segue puts into its cache directory.
    private static let cacheFolders = ["tracks", "covers", "lyrics", "pictures", "demo"]

    func run() async throws {
        let configuration = try Failures.inOneLine { try options.load() }
        let server = configuration.server
        let items =
            Self.stateFiles.map { StoredItem(server.stateDirectory + "/" + $0) }.filter(\.exists)
            + Self.cacheFolders.map { StoredItem(server.cacheDirectory + "/" + $0) }.filter(\.exists)
        guard !items.isEmpty else {
            print("Nothing is stored in \(server.stateDirectory) and \(server.cacheDirectory).")
            return
        }
        let state = try StateDirectory(creating: server.stateDirectory)
        guard try state.takeLock() else {
            throw CommandFailure("a server runs on \(state.path). Stop it first.")
        }
        print("This removes:")
        for item in items { print("  \(item.path) (\(item.shownSize))") }
        print(
            """
            Everything on your Navidrome and the configuration stay. Data only in Segue is lost: playlists of its own,
            stickers, the queue, the history of plays, and changes not sent to Navidrome yet. `segue export FILE` saves
            playlists, stickers, ratings and the history.
            """)
        guard try yes || isConfirmed() else { throw CommandFailure("nothing was removed.") }
        let hadCredentials = StoredItem(server.stateDirectory + "/credentials.toml").exists
        for item in items { try item.remove() }
        // Folders with something else inside stay.
        rmdir(server.cacheDirectory)
        rmdir(server.stateDirectory)
        print("Removed.")
        if hadCredentials {
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

/// A file or a folder of Segue's.
private struct StoredItem {
    let path: String

    init(_ path: String) { self.path = path }

    /// Also for a link to nowhere, which has to go as well.
    var exists: Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

    var shownSize: String {
        let size = byteCount
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        guard let (name, unit) = units.first(where: { size >= $0.1 }) else { return "\(size) bytes" }
        return String(format: "%.1f %@", Double(size) / Double(unit), name)
    }

    private var byteCount: Int {
        let files = FileManager.default
        guard let attributes = try? files.attributesOfItem(atPath: path) else { return 0 }
        guard attributes[.type] as? FileAttributeType == .typeDirectory else { return attributes[.size] as? Int ?? 0 }
        return (files.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).reduce(0) { sum, name in
            sum + ((try? files.attributesOfItem(atPath: "\(path)/\(name)"))?[.size] as? Int ?? 0)
        }
    }

    func remove() throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw CommandFailure("can't remove \(path): \(systemMessage(error))")
        }
    }
}

package import ArgumentParser
package import Extensions
import Foundation
import LibraryIndex
import Logging
import MPDSessions
import MusicModel
import SegueConfiguration
import ServerLoop
import UserLibrary

/// The server with music of its own.
package enum DemonstrationExtension: Extension {
    package static var commands: [any ParsableCommand.Type] { [DemoCommand.self] }

    /// Makes the playlists as soon as their songs are there.
    @ServerActor
    package static func extend(_ server: ServerAccess, _ additions: inout ServerAdditions) {
        guard server.configuration.isDemo else { return }
        let (playlists, hub) = (DemoPlaylists(server.library), server.hub)
        hub.watch { [weak hub] everywhere, _ in
            guard everywhere.contains(.database) else { return }
            Task {
                do {
                    if try await playlists.make() { hub?.notify(.storedPlaylist, partition: nil) }
                } catch {
                    Logger(label: "segue").warning("can't create the demonstration's playlists: \(chain: error)")
                }
            }
        }
    }
}

struct DemoCommand: ExtensionCommand {
    static let isServer = true

    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Try Segue without any setup: generates albums and serves them.",
        discussion: """
            Generates three albums in the cache directory, once. While it runs, two stations play on this machine, and \
            a browser can play its second room. SEGUE_SERVER_LISTEN sets the server's address, \
            SEGUE_SERVER_CACHE_DIRECTORY the albums' folder.
            """)

    func run(_ program: any ProgramAccess) async throws {
        var configuration = try Configuration.demo(
            environment: ProcessInfo.processInfo.environment, extensions: program.sections)
        guard let folder = configuration.local?.musicDirectory else { return }
        say("Generating the demo albums in \(folder), unless they exist ...")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        configuration.local?.musicDirectory = try DemoAlbum.make(in: folder)
        let house = try DemoHouse()
        try house.furnish(&configuration, picturesIn: folder)
        defer { house.stations.forEach { $0.stop() } }
        let addresses = configuration.server.listen.map(\.description).joined(separator: " and ")
        let port = configuration.server.listen.lazy.compactMap { if case .tcp(_, let port) = $0 { port } else { nil } }
            .first
        let noPage =
            configuration.web.listen.isEmpty
            ? "There is no page." : "There is no page; the log says why. SEGUE_WEB_LISTEN sets its address."
        try await program.serve(configuration) { [self] pages in
            let option = port.map { $0 == 6600 ? "" : " -p \($0)" } ?? ""
            say(
                """
                Serving the demo albums on \(addresses). In another terminal:
                    mpc\(option) add / && mpc\(option) play     plays them
                    mpc\(option) status                  shows what plays
                    ncmpcpp\(option)                     is a full player
                \(pages.first.map { "In a browser: \($0)" } ?? noPage)
                Ctrl-C stops it.
                """)
        }
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

struct DemoPlaylists: Sendable {
    private static let lists: [(name: String, titles: [String])] = [
        ("Sunday morning", ["Before Dawn", "First Light", "Dew", "Paper Boats", "Lantern"]),
        ("On the road", ["Platform Nine", "Market Square", "Ferry", "Over the Hills", "Border"]),
        ("Lights out", ["Evening Star", "Sleeper", "Good Night"]),
    ]

    private let library: Library

    init(_ library: Library) { self.library = library }

    /// Makes those whose songs are all there and that don't exist; true if there was one to make.
    @concurrent
    func make() async throws -> Bool {
        let existing = Set(try await library.storedPlaylists().map(\.name))
        var isChanged = false
        for (name, titles) in Self.lists where !existing.contains(name) {
            var items: [QueueItem] = []
            for title in titles {
                let filter = SongFilter.text(.tag(.title), StringTest(.equals, title))
                guard let song = try await library.index.findQueueable(SongQuery(filter)).first else { break }
                items.append(.song(song.id))
            }
            guard items.count == titles.count else { continue }
            try await library.saveStoredPlaylist(name, items, mode: .create)
            isChanged = true
        }
        return isChanged
    }
}

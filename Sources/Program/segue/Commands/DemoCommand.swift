import ArgumentParser
import Demonstration
import Foundation
import MPDSessions
import SegueConfiguration

/// `segue demo`: the server with music of its own, for a first look.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Try Segue without any setup: generates albums and serves them.",
        discussion: """
            Generates three albums in the cache directory, once. While it runs, two stations play on this machine, and \
            a browser can play its second room. SEGUE_SERVER_LISTEN sets the server's address, \
            SEGUE_SERVER_CACHE_DIRECTORY the albums' folder.
            """)

    func run() async throws {
        var configuration = try Failures.inOneLine {
            try Configuration.demo(environment: ProcessInfo.processInfo.environment)
        }
        guard let folder = configuration.local?.musicDirectory else { return }
        say("Generating the demo albums in \(folder), unless they exist ...")
        configuration.local?.musicDirectory = try Failures.inOneLine {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try DemoAlbum.make(in: folder)
        }
        let house = try Failures.inOneLine { try DemoHouse() }
        try Failures.inOneLine { try house.furnish(&configuration, picturesIn: folder) }
        defer { house.stations.forEach { $0.stop() } }
        let addresses = configuration.server.listen.map(\.description).joined(separator: " and ")
        let port = configuration.server.listen.lazy.compactMap { if case .tcp(_, let port) = $0 { port } else { nil } }
            .first
        let noPage =
            configuration.web.listen.isEmpty
            ? "There is no page." : "There is no page; the log says why. SEGUE_WEB_LISTEN sets its address."
        try await Serving.run(configuration) { [self] pages in
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

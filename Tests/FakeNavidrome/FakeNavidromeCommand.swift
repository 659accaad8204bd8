import ArgumentParser
import Foundation
import TestSupport

/// A fake Navidrome as a program, for tests from outside and for measuring.
@main
struct FakeNavidromeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fake-navidrome",
        abstract: "Serves a generated library on 127.0.0.1 as a Navidrome would.",
        discussion:
            "Steer it by GET /_control/touch?n=3, add, remove, restore, move, rebuild, scan, fault, scrobbles, requests."
    )

    @Option(help: "How many songs to generate.") var songs = 1000
    @Option(help: "Another seed makes another library.") var seed: UInt64 = 1
    @Flag(help: "Generate songs as in a large collection, for measuring, and not of many kinds, for tests.")
    var catalogue = false
    @Option(help: "Also write the library to this file, in the format of MPD's database.") var mpdDatabase: String?
    @Option(help: "The port; 0 takes any free one.") var port = 0
    @Option(help: "The user's name.") var user = "admin"
    @Option(help: "The user's password.") var password = "secret"
    @Option(help: "A folder whose files are served as sound.") var audioFolder: String?
    @Option(help: "The length of generated sound, in milliseconds.") var audioMilliseconds = 3000
    @Flag(help: "Say that every song is as long as the generated sound, and not some minutes.") var trueLengths = false
    @Flag(help: "Have the extension sonicSimilarity.") var hearsSound = false

    func run() async throws {
        var options = FakeOptions()
        options.port = port
        options.user = user
        options.password = password
        options.audioMilliseconds = audioMilliseconds
        options.hearsSound = hearsSound
        if let audioFolder {
            options.audioFiles = try FileManager.default.contentsOfDirectory(atPath: audioFolder).sorted()
                .map { "\(audioFolder)/\($0)" }
        }
        var library =
            catalogue ? FakeLibrary(catalogue: songs, seed: seed) : FakeLibrary(songs: songs, seed: seed)
        if trueLengths {
            let seconds = max(1, audioMilliseconds / 1000)
            for place in library.songs.indices { library.edit(place) { $0.duration = seconds } }
        }
        if let mpdDatabase, !library.writeMPDDatabase(to: mpdDatabase) {
            throw ValidationError("cannot write \(mpdDatabase)")
        }
        let server = try await FakeNavidrome.start(library: library, options: options)
        // Not by print, which keeps the line back where there is no terminal.
        FileHandle.standardOutput.write(Data("fake-navidrome: \(songs) songs on \(server.url)\n".utf8))
        // Runs until it is killed.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

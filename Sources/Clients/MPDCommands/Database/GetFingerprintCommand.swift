import Coordination
import LibraryIndex
import MPDProtocol
package import MusicModel
import ServerLoop
import UserLibrary

/// Computes a song's acoustic fingerprint.
///
/// - Wire: `getfingerprint {URI}` → `chromaprint: FINGERPRINT`. The answer takes as long as fetching and decoding the
///   song.
/// - Shape: where GStreamer has no chromaprint, `commands` doesn't list it and it is unknown.
/// - Errors: ACK 52 for what isn't a song or can't be decoded, 2 for a malformed path or an unsupported scheme, 4 for a
///   file path over TCP, 5 without chromaprint.
/// - Source: MPD v0.24.13 src/command/FingerprintCommands.cxx. Differs: streams have no fingerprints.
struct GetFingerprintCommand: Command {
    static let name: StaticString = "getfingerprint"
    static let permission = Permission.read
    static let argumentCount = 1...1
    static let usage: StaticString = "{URI}"
    static let origin = CommandOrigin.mpd(since: "0.22")

    static func isAvailable(in server: ServerContext) -> Bool { server.fingerprints != nil }

    private let uri: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        uri = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        guard let fingerprints = context.server.fingerprints else {
            throw AckError(.unknown, "unknown command \"getfingerprint\"")
        }
        guard case .relative(let path) = try LocatedURI(uri, for: .input, in: context) else {
            throw AckError(.system, "Streams have no fingerprints")
        }
        guard let song = try await context.server.library.index.songID(at: path) else {
            throw AckError(.system, "Failed to open \(path.quoted): No such file or directory")
        }
        let turns = context.server.fingerprinting
        try await turns.acquire()
        defer { turns.release() }
        let room = try await context.server.memoryBudget.reserve(32 << 20, for: "a fingerprint")
        defer { room.release() }
        response.line("chromaprint: ", try await fingerprints.fingerprint(of: song))
    }
}

/// Computes acoustic fingerprints; implemented in the program.
package protocol Fingerprinting: AnyObject, Sendable {
    /// The Chromaprint fingerprint of a song.
    ///
    /// - Throws: `AckError` or `TrackError` for a song that can't be fetched or decoded; `CancellationError` soon after
    ///   the task was cancelled.
    func fingerprint(of song: SongID) async throws -> String
}

import MPDProtocol
import ServerLoop

/// Sets how large the chunks of pictures may be.
///
/// - Wire: `binarylimit {SIZE}` → `OK`; 64 bytes to 8 MiB less 4 KiB, MPD's default output buffer.
/// - Errors: ACK 2 below and above that.
/// - Source: MPD v0.24.13 src/command/ClientCommands.cxx `handle_binary_limit`, src/client/Config.cxx.
struct BinaryLimitCommand: Command {
    static let name: StaticString = "binarylimit"
    static let permission = Permission.none
    static let argumentCount = 1...1
    static let usage: StaticString = "{SIZE}"
    static let origin = CommandOrigin.mpd(since: "0.22.4")

    private let bytes: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        bytes = try arguments.unsigned(maximum: 8192 * 1024 - 4096)
        guard bytes >= 64 else { throw AckError(.argument, "Value too small") }
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.client.binaryLimit = bytes
    }
}

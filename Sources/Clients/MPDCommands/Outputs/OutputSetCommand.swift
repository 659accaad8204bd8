import MPDProtocol
import Playback
import ServerLoop

/// Sets a run-time attribute of an output, such as its own volume.
///
/// - Wire: `outputset {ID} {NAME} {VALUE}` → `OK`. Example: `outputset 2 volume 40`.
/// - Errors: ACK 50 for an output that isn't there, 2 for a name that can't be one or that the output doesn't have, and
///   for a value that the attribute can't have.
/// - Source: MPD v0.24.13 src/command/OutputCommands.cxx `handle_outputset`, src/output/Interface.cxx,
///   src/output/plugins/AlsaOutputPlugin.cxx. docs/protocol.md has the attributes.
struct OutputSetCommand: Command {
    static let name: StaticString = "outputset"
    static let permission = Permission.admin
    static let argumentCount = 3...3
    static let usage: StaticString = "{ID} {NAME} {VALUE}"
    static let origin = CommandOrigin.mpd(since: "0.21")

    private let output: Int
    private let attribute: String
    private let value: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        output = try arguments.unsigned()
        attribute = try arguments.string()
        value = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        guard let found = context.player.outputs.first(where: { $0.id == output }) else {
            throw AckError(.noExist, "No such audio output")
        }
        let isName = attribute.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        guard isName, !attribute.isEmpty else { throw AckError(.argument, "Illegal attribute name") }
        guard !found.isMovedAway else { throw AckError(.unknown, "Cannot set attribute on dummy output") }
        do throws(OutputAttributeError) {
            try await context.player.checkOutput(output, attribute: attribute, value: value)
            try context.player.setOutput(output, attribute: attribute, to: value)
        } catch {
            switch error {
            case .unsupported: throw AckError(.argument, "Unsupported attribute")
            case .badValue: throw AckError(.argument, "Invalid value for attribute \(attribute)")
            case .refused(let reason): throw AckError(.argument, reason)
            }
        }
    }
}

import MPDProtocol
import Playback

extension Command {
    static let disableOutput = switching("disableoutput", to: false, since: "0.12")
    static let enableOutput = switching("enableoutput", to: true, since: "0.12")
    static let toggleOutput = switching("toggleoutput", to: nil, since: "0.18")

    private static func switching(_ name: String, to isEnabled: Bool?, since version: String) -> Command {
        Command(name, .admin, 1...1, "{ID}", since: version) { arguments in
            let output = try arguments.unsigned()
            return .immediate { context, _ in
                guard context.player.setOutput(output, enabled: isEnabled) else {
                    throw AckError(.noExist, "No such audio output")
                }
            }
        }
    }

    static let outputs = immediate("outputs", .read, since: "0.12") { context, response in
        for output in context.player.outputs {
            response.line("outputid: ", output.id)
            response.line("outputname: ", output.name)
            response.line("plugin: ", output.plugin)
            response.line("outputenabled: ", output.isEnabled)
            for (name, value) in output.attributes.sorted(by: { $0.key < $1.key }) {
                response.line("attribute: ", "\(name)=\(value)")
            }
        }
    }

    /// Sets a run-time attribute of an output, as in `outputset 2 volume 40`; docs/protocol.md has all of them.
    static let outputSet = Command("outputset", .admin, 3...3, "{ID} {NAME} {VALUE}", since: "0.21") { arguments in
        let output = try arguments.unsigned()
        let attribute = try arguments.string()
        let value = try arguments.string()
        return .suspending { context, _ in
            guard let found = context.player.outputs.first(where: { $0.id == output }) else {
                throw AckError(.noExist, "No such audio output")
            }
            let isName = attribute.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
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
}

import MusicModel
package import ServerLoop

/// A switch that clients see and use as an output, as every client can switch these, though no sound goes through it.
@ServerActor
package protocol OutputSwitch: AnyObject {
    func status(of player: Player, id: Int) -> OutputStatus?
    func set(_ player: Player, enabled: Bool)
    func set(_ player: Player, attribute: String, to value: String) throws(OutputAttributeError)
}

extension Player {
    /// The outputs as clients see them: the engine's, and behind them a switch where there is one.
    package var outputs: [OutputStatus] {
        let outputs = engine.outputs
        guard let status = outputSwitch?.status(of: self, id: Self.switchID(behind: outputs)) else { return outputs }
        return outputs + [status]
    }

    /// Tells clients that the switch shows something else.
    package func outputSwitchChanged() { announce(.output) }

    /// The switch behind these outputs, if that is the one with the number.
    func outputSwitch(_ id: Int, behind outputs: [OutputStatus]) -> (any OutputSwitch, OutputStatus)? {
        guard let outputSwitch, id == Self.switchID(behind: outputs), let status = outputSwitch.status(of: self, id: id)
        else { return nil }
        return (outputSwitch, status)
    }

    private static func switchID(behind outputs: [OutputStatus]) -> Int { (outputs.map(\.id).max() ?? -1) + 1 }
}

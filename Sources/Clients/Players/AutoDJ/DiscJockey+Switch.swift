import Discovery
import MusicModel
package import Playback
import UserLibrary

extension DiscJockey: OutputSwitch {
    package func status(of player: Player, id: Int) -> OutputStatus? {
        guard settings.showsSwitch, let session = session(of: player) else { return nil }
        var attributes = ["mode": session.saved.mode, "adventure": Self.text(session.saved.adventure)]
        if !session.why.isEmpty { attributes["why"] = session.why }
        if let seed = session.namedSeed, session.saved.seeds == [seed.song] { attributes["seed"] = seed.path }
        return OutputStatus(
            id: id, name: Self.outputName, plugin: "dj", isEnabled: session.saved.isOn, attributes: attributes)
    }

    package func set(_ player: Player, enabled: Bool) {
        if let session = session(of: player) { set(session, on: enabled) }
    }

    package func set(_ player: Player, attribute: String, to value: String) throws(OutputAttributeError) {
        guard let session = session(of: player) else { throw .unsupported }
        switch attribute {
        case "mode":
            guard let mode = PickMode(rawValue: value) else { throw .badValue }
            set(session, mode: mode)
        case "adventure":
            guard let share = Double(value), (0...1).contains(share) else { throw .badValue }
            set(session, adventure: share)
        case "seed":
            if value.isEmpty { throw .badValue }
            seed(value, session)
        default: throw .unsupported
        }
    }

    func session(of player: Player) -> DJSession? { sessions.values.first { $0.player === player } }

    private static func text(_ share: Double) -> String {
        let hundredths = Int((share.clamped(to: 0...1) * 100).rounded())
        return hundredths == 100 ? "1" : hundredths == 0 ? "0" : "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}

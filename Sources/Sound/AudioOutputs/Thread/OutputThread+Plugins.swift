import AudioFiles
import Coordination
import Outputs
package import Playback

/// Plug-ins that clients name.
extension OutputThread {
    /// Finds out whether the effects or the graph that a client names can be made.
    ///
    /// - Throws: `OutputAttributeError.refused` with the reason.
    package func check(_ attribute: String, _ value: String) async throws(OutputAttributeError) {
        guard !FilterSettings.isOff(value) else { return }
        do throws(EffectProblem) {
            switch attribute {
            case "effects":
                let chain = try specification.presets.effects(value)
                try await PluginCheck.run { () throws(EffectProblem) in try chain.check() }
            case "graph":
                let graph = try specification.presets.graph(value)
                try await PluginCheck.run { () throws(EffectProblem) in try graph.check() }
            default: return
            }
        } catch { throw .refused("Invalid value for attribute \(attribute): \(error.description)") }
    }
}

/// Makes plug-ins to see whether that works, on a thread that may wait for their libraries.
private enum PluginCheck {
    static func run(_ check: @escaping @Sendable () throws(EffectProblem) -> Void) async throws(EffectProblem) {
        let problem = await withCheckedContinuation { (found: CheckedContinuation<EffectProblem?, Never>) in
            let isStarted = BlockingThread.start("plug-ins") {
                if let failure = GStreamerLibrary.failure { return found.resume(returning: EffectProblem(failure)) }
                do throws(EffectProblem) {
                    try check()
                    found.resume(returning: nil)
                } catch { found.resume(returning: error) }
            }
            if !isStarted { found.resume(returning: EffectProblem(BlockingThread.missing)) }
        }
        if let problem { throw problem }
    }
}

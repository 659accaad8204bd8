import CSound
import MusicModel
package import Outputs

/// A graph of FFmpeg's filters, at work.
final class GraphFilter: PluginFilter {
    private let graph: OpaquePointer

    let name = "the graph"

    /// Makes a graph for floats of a rate and a number of channels.
    init(_ graph: FilterGraph, rate: Int, channels: Int) throws(PluginFailure) {
        let mask = Speaker.waveMask(channels: channels)
        var reason = ""
        let made = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> OpaquePointer? in
            buffer.initialize(repeating: 0)
            let made = segue_graph_new(
                graph.text, Int32(clamping: rate), Int32(clamping: channels), mask, buffer.baseAddress, buffer.count)
            if made == nil, let start = buffer.baseAddress { reason = String(cString: start) }
            return made
        }
        guard let made else { throw PluginFailure(reason) }
        self.graph = made
    }

    deinit { segue_graph_free(graph) }

    func process(_ samples: [Float], into output: inout [Float]) throws(PluginFailure) {
        guard segue_graph_push(graph, samples, samples.count) != 0 else {
            throw PluginFailure(segue_graph_error(graph).map { String(cString: $0) } ?? "it failed")
        }
        var count = 0
        guard let result = segue_graph_output(graph, &count) else { return }
        output.append(contentsOf: UnsafeBufferPointer(start: result, count: count))
    }
}

extension FilterGraph {
    /// Makes the graph once, for the usual sound.
    ///
    /// - Throws: `EffectProblem` with FFmpeg's own words, or the package that is missing.
    /// - Isolation: blocks while FFmpeg is loaded.
    package func check() throws(EffectProblem) {
        do throws(PluginFailure) { _ = try GraphFilter(self, rate: 48_000, channels: 2) } catch {
            throw EffectProblem(error.reason)
        }
    }
}

extension Speaker {
    /// FFmpeg's mask of the speakers of a number of channels, which is WAVE's.
    static func waveMask(channels: Int) -> UInt64 {
        layout(channels: channels).reduce(0) { mask, speaker in
            switch speaker {
            case .sideLeft: mask | 1 << 9
            case .sideRight: mask | 1 << 10
            default: mask | 1 << UInt64(speaker.rawValue)
            }
        }
    }
}

import AudioFiles
package import MusicModel
import Outputs

/// The one-bit sound that the outputs that play take as it is.
///
/// All of them get the same samples, as DoP, from which a device that takes DSD natively gets the bits. So one that
/// takes a rate neither way has all of them get it decoded.
package struct DoPAcceptance: Hashable, Sendable {
    private struct Output: Hashable, Sendable {
        var specification: OutputSpecification
        var refused: Set<AudioFormat>
    }

    private let outputs: [Output]

    /// Asks the outputs that play now.
    package init(_ threads: [OutputThread]) {
        outputs = threads.compactMap { thread in
            let report = thread.report
            // One that plays nowhere doesn't count.
            guard report.isEnabled, !thread.isSilent else { return nil }
            return Output(specification: thread.currentSpecification, refused: report.refusedDoP)
        }
    }

    /// True if one-bit sound of that format is to go to them bit by bit.
    package func takes(_ format: AudioFormat) -> Bool {
        guard format.channels <= 2 || !SoundLimits.isTooFast(rate: format.sampleRate / 2) else { return false }
        return !outputs.isEmpty
            && outputs.allSatisfy { $0.specification.takesDSD(format) && !$0.refused.contains(format) }
    }

    /// True if one of them could not be given such one-bit sound, and has played silence in its place.
    package func wasRefused(_ format: AudioFormat) -> Bool { outputs.contains { $0.refused.contains(format) } }
}

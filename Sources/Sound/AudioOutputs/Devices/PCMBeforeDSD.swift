import AudioFiles
import MusicModel
import Outputs

/// Says when a device has to be given a little PCM before one-bit sound, for receivers that keep the rate of what came
/// before (`thesycon_dsd_workaround`).
///
/// The drivers that share a device share this.
///
/// - Source: MPD v0.24.13 src/output/plugins/AlsaOutputPlugin.cxx `AlsaOutput::Open`.
final class PCMBeforeDSD {
    private let isOn: Bool
    private var isNeeded = true

    init(_ specification: OutputSpecification) { isOn = specification.dsd.beginsWithPCM }

    /// True if the caller has to play PCM now, before one-bit sound with the bits of a layout of DoP.
    func beginsNow(before layout: SampleLayout) -> Bool {
        guard isOn, isNeeded, layout.rate <= Self.fastest else { return false }
        fulfil()
        return true
    }

    /// The device got the PCM.
    func fulfil() { isNeeded = false }

    /// The device gets sound: what is not one-bit, or faster than the driver of such receivers takes, makes it due.
    func note(_ block: SampleBlock) {
        if !block.isDoP || block.layout.rate > Self.fastest { isNeeded = true }
    }

    /// The rate of DoP with the bits of DSD256.
    private static let fastest = 705_600
}

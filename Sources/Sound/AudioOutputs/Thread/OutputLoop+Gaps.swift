import Coordination
import Logging
import Outputs

/// Moments in which the device had nothing to play.
extension OutputLoop {
    /// Checks whether the device has played everything before a block that joins on. One that need not join on, or
    /// whose gap is counted, is marked so for the driver, which looks as well.
    func watchForUnderrun(_ block: inout SampleBlock) {
        if block.followsWait { underruns.interrupt() }
        if !underruns.isWatching { block.followsWait = true }
        let range = block.start..<max(block.start, block.end)
        guard underruns.isGap(before: range, playedTo: driver.playedTo, at: output.clock.now) else { return }
        block.followsWait = true
        let (missing, late) = (block.missing.milliseconds, (output.clock.now - block.mixedAt).milliseconds)
        countUnderrun(["missing": "\(missing) ms", "late": "\(late) ms"])
    }

    /// Counts a gap that the driver has seen.
    func countGapOfDevice() {
        guard let lost = driver.takeGap() else { return }
        countUnderrun(["lost": "\(lost.milliseconds) ms"])
    }

    private func countUnderrun(_ facts: Logger.Metadata) {
        guard underruns.isAnotherGap(at: output.clock.now) else { return }
        output.state.withLock { $0.report.underruns += 1 }
        output.log.info(
            "Output \"\(output.specification.name)\" had nothing to play for a moment", metadata: facts)
    }
}

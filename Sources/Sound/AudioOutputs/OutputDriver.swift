package import AudioFiles
package import Coordination
package import MusicModel

/// The driver of an output, on the output's own thread: one per type of output, driven by an `OutputThread`.
///
/// The type alone says that an output is live and so paces the engine.
/// - Isolation: only ever used on the output's thread; every call may block.
package protocol OutputDriver: AnyObject {
    /// Does what can be done before there is sound, as making a named pipe.
    func prepare() throws(OutputProblem)
    /// Opens the device or file for sound of that layout.
    func open(_ layout: SampleLayout) throws(OutputProblem)
    /// How many channels it takes of sound of a layout, once it is open: as many, unless its device has others.
    func channels(for layout: SampleLayout) -> Int
    /// True if the next block can be given already; what was given can't be made louder or softer any more.
    var wantsMore: Bool { get }
    /// How long it needs no looking after while it is open and no block comes, in milliseconds.
    var restMilliseconds: Int { get }
    /// Applies the volume itself, which is sooner than scaling what it is given.
    var scalesItself: Bool { get }
    /// Sets the factor of the volume, for those that apply it themselves.
    func setVolume(_ factor: Float)
    /// True if the bits of DoP of that layout reach the open device as they are.
    func takesDoP(_ layout: SampleLayout) -> Bool
    /// Takes the next block.
    func write(_ block: SampleBlock) throws(OutputProblem)
    /// Discards what was written but not played; the next block need not join on.
    func flush()
    /// Holds, or continues.
    func setPaused(_ isPaused: Bool)
    /// Looks after the device between blocks; throws what went wrong with it.
    func poll() throws(OutputProblem)
    /// The position in the timeline up to which the sound has been played; nil while that isn't known.
    var playedTo: Nanoseconds? { get }
    /// How much sound was missing in gaps since this was asked last: zero if that isn't known, nil without a gap.
    func takeGap() -> Nanoseconds?
    /// The format that the device gets in place of the wanted one, for a person; nil while it gets that.
    var compromise: String? { get }
    /// Finishes the file, or closes the device.
    func close()
    /// Gives up what `prepare` did: the output is disabled, or the program ends.
    func release()
    /// True if it is given silence while nothing plays, so that its listeners stay.
    var takesSilence: Bool { get }
    /// True if sound that comes late is of no use any more.
    var isPerishable: Bool { get }
    /// How long it stays open while nothing plays; nil is some seconds for outputs that are live, else no limit.
    var idleLimit: Nanoseconds? { get }
}

extension OutputDriver {
    func prepare() throws(OutputProblem) {}
    func flush() {}
    func setPaused(_ isPaused: Bool) {}
    func poll() throws(OutputProblem) {}
    var playedTo: Nanoseconds? { nil }
    func channels(for layout: SampleLayout) -> Int { layout.channels }
    var scalesItself: Bool { false }
    var wantsMore: Bool { true }
    var restMilliseconds: Int { 3_600_000 }
    var takesSilence: Bool { false }
    var isPerishable: Bool { false }
    var idleLimit: Nanoseconds? { nil }
    func takesDoP(_ layout: SampleLayout) -> Bool { true }
    func takeGap() -> Nanoseconds? { nil }
    var compromise: String? { nil }
    func setVolume(_ factor: Float) {}
    func release() {}
}

/// Why an output doesn't play; for a person.
package struct OutputProblem: ChainedError, Hashable {
    var message: String
    package let origin: ErrorOrigin

    init(_ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    package var description: String { message }
}

/// A driver that lets one of several others play.
protocol DelegatingDriver: OutputDriver {
    /// The one that plays; nil while none does.
    var active: (any OutputDriver)? { get }
}

extension DelegatingDriver {
    func channels(for layout: SampleLayout) -> Int { active?.channels(for: layout) ?? layout.channels }
    var scalesItself: Bool { active?.scalesItself ?? false }
    var wantsMore: Bool { active?.wantsMore ?? true }
    var restMilliseconds: Int { active?.restMilliseconds ?? 25 }
    var playedTo: Nanoseconds? { active?.playedTo }
    var compromise: String? { active?.compromise }
    func takeGap() -> Nanoseconds? { active?.takeGap() }
    func setVolume(_ factor: Float) { active?.setVolume(factor) }
    func write(_ block: SampleBlock) throws(OutputProblem) { try active?.write(block) }
    func flush() { active?.flush() }
    func setPaused(_ isPaused: Bool) { active?.setPaused(isPaused) }
    func poll() throws(OutputProblem) { try active?.poll() }
}

/// Plays nothing and takes no time.
final class DiscardDriver: OutputDriver {
    func open(_ layout: SampleLayout) throws(OutputProblem) {}
    func write(_ block: SampleBlock) throws(OutputProblem) {}
    func close() {}
}

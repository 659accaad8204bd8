import Outputs

enum OutputCommand: Sendable {
    /// Prepares the device, or writes what is heard and closes it.
    case setEnabled(Bool)
    case setPaused(Bool)
    /// Discards what the device has not played, or leaves it to the device, as the music is over.
    case flush(discards: Bool)
    case adopt(OutputSpecification)
    /// Brings the volume to a device that applies it itself.
    case applyVolume
    /// Reopens the device: the engine continues without it, as it takes no sound.
    case stall
    /// Writes what is heard, closes the device, and ends the thread.
    case close

    private var kind: Int {
        switch self {
        case .setEnabled: 0
        case .setPaused: 1
        case .flush: 2
        case .adopt: 3
        case .applyVolume: 4
        case .stall: 5
        case .close: 6
        }
    }

    fileprivate func isLike(_ other: OutputCommand) -> Bool { kind == other.kind }
}

/// The commands that wait for an output's thread, in their order, the last of each kind: a thread that is held up in
/// its device gets no more than it can carry out.
struct OutputCommands: Sendable {
    private var waiting: [OutputCommand]

    init(_ first: OutputCommand...) { waiting = first }

    var next: OutputCommand? { waiting.first }
    /// True if the output is to close; nothing follows that.
    var isClosing: Bool { waiting.contains { $0.isLike(.close) } }
    /// True if what the device tells is of sound that is discarded, or of a device that is given up.
    var awaitsFlush: Bool { waiting.contains { $0.isLike(.flush(discards: true)) } }
    var awaitsStall: Bool { waiting.contains { $0.isLike(.stall) } }

    mutating func post(_ command: OutputCommand) {
        var command = command
        if case .flush = command, mustDiscard { command = .flush(discards: true) }
        waiting.removeAll { $0.isLike(command) }
        waiting.append(command)
    }

    private var mustDiscard: Bool { waiting.contains { if case .flush(discards: true) = $0 { true } else { false } } }

    /// Takes the command that comes next; the end of the thread stays the last one.
    mutating func take() -> OutputCommand? {
        guard let next, !next.isLike(.close) else { return next }
        return waiting.removeFirst()
    }
}

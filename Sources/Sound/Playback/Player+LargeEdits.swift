public import MusicModel
import ServerLoop

/// An edit that may touch every entry of the queue.
public enum QueueEdit: Hashable, Sendable {
    /// Inserts songs, at the end without a position.
    case insert([QueueCandidate], at: QueuePosition?)
    /// Removes a range, whose end is clipped.
    case delete(Range<Int>)
    /// Moves a range so that it begins at a position.
    case move(Range<Int>, to: Int)
    /// Shuffles a range.
    case shuffle(Range<Int>)
    /// Sets the priority of a range, 0 to 255.
    case prioritise(Range<Int>, Int)

    /// Applies the edit; returns the ids of new entries.
    func apply(to machine: inout PlayerStateMachine) throws(PlayerError) -> [QueueEntryID] {
        switch self {
        case .insert(let songs, let position): return try machine.insert(songs, at: position)
        case .delete(let range): try machine.delete(range)
        case .move(let range, let position): try machine.move(range, to: .absolute(position))
        case .shuffle(let range): try machine.shuffle(range)
        case .prioritise(let range, let priority): try machine.setPriority(priority, range: range)
        }
        return []
    }

    /// How many entries it handles itself; the others only change their places.
    fileprivate var handledCount: Int {
        switch self {
        case .insert(let songs, _): songs.count
        case .delete(let range), .move(let range, _), .shuffle(let range), .prioritise(let range, _): range.count
        }
    }
}

extension Player {
    /// From so many entries on, an edit that handles all of them holds the event loop for milliseconds.
    public nonisolated static let manyEntries = 10_000
    /// From so many entries on, even an edit of one among them does: all behind it change their places.
    private static let hugeQueue = 200_000
    /// How often an edit is made anew because something else changed the queue meanwhile.
    private static let mostTries = 4

    /// Whether this edit may hold the event loop for long.
    public func isLarge(_ edit: QueueEdit) -> Bool {
        edit.handledCount >= Self.manyEntries || count >= Self.hugeQueue
    }

    /// Carries out an edit; one of a large queue on a copy beside the event loop, which goes on meanwhile.
    ///
    /// - Returns: the ids of new entries.
    /// - Throws: `PlayerError` as the functions of the same names.
    /// - Isolation: ServerActor; suspends for a large queue, and other clients' commands may run before the edit takes
    ///   effect, which it does as a whole.
    @discardableResult
    public func edit(_ edit: QueueEdit) async throws -> [QueueEntryID] {
        guard isLarge(edit) else { return try apply(edit) }
        for _ in 0..<Self.mostTries {
            let basis = machine.basis
            let edited = try await Self.edited(machine.copy(), edit)
            guard machine.basis == basis else { continue }
            // A million entries take milliseconds to be freed.
            let old = (machine.queue, machine.order)
            perform { $0.adopt(edited.machine) }
            Task.detached { withExtendedLifetime(old) {} }
            return edited.ids
        }
        return try apply(edit)
    }

    /// Carries out an edit at once.
    ///
    /// - Throws: `PlayerError` as the functions of the same names.
    @discardableResult
    public func apply(_ edit: QueueEdit) throws(PlayerError) -> [QueueEntryID] {
        try attempt { machine throws(PlayerError) in try edit.apply(to: &machine) }
    }

    private struct Edited: ~Copyable, Sendable {
        let machine: PlayerStateMachine
        let ids: [QueueEntryID]
    }

    @concurrent
    private nonisolated static func edited(
        _ machine: consuming PlayerStateMachine, _ edit: QueueEdit
    ) async throws -> Edited {
        var machine = machine
        let ids = try edit.apply(to: &machine)
        return Edited(machine: machine, ids: ids)
    }
}

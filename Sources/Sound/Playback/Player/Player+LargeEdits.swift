import MusicModel
import ServerLoop

/// How many entries an edit handles itself; the others only change their positions.
package enum EditExtent: Hashable, Sendable {
    /// So many, of those that are there or of new ones.
    case entries(Int)
    /// All that are there, and so many new ones.
    case all(and: Int = 0)
}

/// The edits of one player that are made beside the event loop: one at a time, in the order in which they came.
struct LargeEdits {
    let turns = ConcurrencyLimit(1)
    /// How many are under way or wait.
    var count = 0
    /// Whether a random order that was put off is being made.
    var isRenewingOrder = false
}

extension Player {
    /// From so many entries on, an edit that handles all of them holds the event loop for milliseconds.
    package nonisolated static let manyEntries = 10_000
    /// From so many entries on, even an edit of one among them does in a random order, in which all are numbered anew.
    nonisolated static let hugeQueue = 100_000
    /// How often an edit is made anew because what is played has changed meanwhile.
    private static let maxTries = 16

    /// Whether an edit of this extent may hold the event loop for long, or has to wait for one that does.
    func isLarge(_ extent: EditExtent) -> Bool { largeEdits.count > 0 || isLargeItself(extent) }

    private func isLargeItself(_ extent: EditExtent) -> Bool {
        let handled =
            switch extent {
            case .entries(let some): some
            case .all(let more): max(count, more)
            }
        return handled >= Self.manyEntries || count >= Self.hugeQueue && machine.turns.order.isRandom
    }

    /// Edits the queue by the machine's rules; a large one on a copy beside the event loop, which goes on meanwhile.
    ///
    /// - Throws: what `edit` throws; `CancellationError` before anything has changed.
    /// - Isolation: ServerActor; suspends for a large queue, and other clients' commands may run before the edit takes
    ///   effect, which it does as a whole.
    @discardableResult
    package func edit<Value: Sendable>(
        _ extent: EditExtent = .entries(1),
        _ edit: consuming @escaping @Sendable (inout PlayerStateMachine) throws -> Value
    ) async throws -> Value {
        guard isLarge(extent) else { return try editAtOnce(edit) }
        // However this ends, the songs of the edit are not freed on the loop.
        let held = FreedOffLoop(consume edit)
        defer { withExtendedLifetime(held) {} }
        largeEdits.count += 1
        defer { largeEdits.count -= 1 }
        let turns = largeEdits.turns
        try await turns.acquire()
        defer { turns.release() }
        return isLargeItself(extent) ? try await editBeside(held.value) : try editAtOnce(held.value)
    }

    /// Edits the queue at once, which holds the event loop for as long as that takes.
    @discardableResult
    package func editAtOnce<Value>(_ edit: (inout PlayerStateMachine) throws -> Value) throws -> Value {
        try perform { machine -> Result<Value, any Error> in
            do { return .success(try edit(&machine)) } catch { return .failure(error) }
        }.get()
    }

    /// Carries out a large edit on copies, until what is played has not changed meanwhile.
    private func editBeside<Value: Sendable>(
        _ edit: @escaping @Sendable (inout PlayerStateMachine) throws -> Value
    ) async throws -> Value {
        for _ in 0..<Self.maxTries {
            let basis = machine.basis
            let edited = try await Self.edited(copyOfMachine(), edit)
            guard machine.basis == basis, hasRoom(forQueueOf: edited.machine.queue.extraSize) else {
                ServerActor.freeOffLoop(consume edited)
                continue
            }
            take(edited.machine)
            return edited.value
        }
        return try editAtOnce(edit)
    }

    /// Makes the new random order of a huge queue that the machine has put off, beside the event loop.
    ///
    /// One at a time: a client that plays and stops all the while asks for more of them than can be made.
    func renewOrderIfDue() {
        guard machine.turns.isOutdated, !largeEdits.isRenewingOrder else { return }
        largeEdits.isRenewingOrder = true
        Task { [weak self] in await self?.renewOrder() }
    }

    /// How often a new order is made because what is played has changed meanwhile; then the former one stays in use
    /// until the next is due.
    private static let maxOrders = 3

    private func renewOrder() async {
        for _ in 0..<Self.maxOrders where machine.turns.isOutdated {
            do { try await tryToRenewOrder() } catch { break }
        }
        perform { $0.turns.isOutdated = false }
        largeEdits.isRenewingOrder = false
    }

    /// Makes the order once, in a turn of its own, so that other edits have theirs between two tries.
    ///
    /// - Throws: `CancellationError`.
    private func tryToRenewOrder() async throws {
        largeEdits.count += 1
        defer { largeEdits.count -= 1 }
        let turns = largeEdits.turns
        try await turns.acquire()
        defer { turns.release() }
        let basis = machine.basis
        let edited = try await Self.edited(machine.copy()) { $0.renewOrder() }
        if machine.basis == basis { take(edited.machine) } else { ServerActor.freeOffLoop(consume edited) }
    }

    /// Takes over what was edited on a copy, and has what it replaces freed beside the loop: a million entries take
    /// milliseconds.
    private func take(_ edited: borrowing PlayerStateMachine) {
        let (queue, turns) = (machine.queue, machine.turns)
        perform { $0.adopt(edited) }
        ServerActor.freeOffLoop(consume queue)
        ServerActor.freeOffLoop(consume turns)
    }

    private struct Edited<Value: Sendable>: ~Copyable, Sendable {
        let machine: PlayerStateMachine
        let value: Value
    }

    @concurrent
    private nonisolated static func edited<Value: Sendable>(
        _ machine: consuming PlayerStateMachine,
        _ edit: @Sendable (inout PlayerStateMachine) throws -> Value
    ) async throws -> Edited<Value> {
        var machine = machine
        let value = try edit(&machine)
        return Edited(machine: machine, value: value)
    }
}

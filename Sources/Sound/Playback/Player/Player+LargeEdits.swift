import Coordination
import MusicModel
import ServerLoop

/// How many entries an edit handles itself; the others only change their positions.
package enum EditExtent: Hashable, Sendable {
    case entries(Int)
    /// All that are there, and this number of new ones.
    case all(and: Int = 0)
}

/// The edits of one player that are made off the event loop: one at a time, in the order in which they came.
struct LargeEdits {
    let limit = ConcurrencyLimit(1)
    var count = 0
    var isRenewingOrder = false
}

extension Player {
    /// With more entries, an edit that handles all of them holds the event loop for milliseconds.
    package nonisolated static let manyEntries = 10_000
    /// With more entries, even an edit of one does so in a random order, in which all are renumbered.
    nonisolated static let hugeQueue = 100_000
    /// How often an edit is made again because what is played has changed meanwhile.
    private static let maxTries = 16

    func isLarge(_ extent: EditExtent) -> Bool { largeEdits.count > 0 || isLargeItself(extent) }

    private func isLargeItself(_ extent: EditExtent) -> Bool {
        let handled =
            switch extent {
            case .entries(let some): some
            case .all(let more): max(count, more)
            }
        return handled >= Self.manyEntries || count >= Self.hugeQueue && machine.ordering.order.isRandom
    }

    /// Edits the queue by the machine's rules; a large one on a copy off the event loop, which continues meanwhile.
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
        let held = ReleasedOffLoop(consume edit)
        defer { withExtendedLifetime(held) {} }
        largeEdits.count += 1
        defer { largeEdits.count -= 1 }
        let limit = largeEdits.limit
        try await limit.acquire()
        defer { limit.release() }
        return isLargeItself(extent) ? try await editBeside(held.value) : try editAtOnce(held.value)
    }

    /// Edits the queue at once, which holds the event loop for as long as that takes.
    @discardableResult
    package func editAtOnce<Value>(_ edit: (inout PlayerStateMachine) throws -> Value) throws -> Value {
        try perform { machine -> Result<Value, any Error> in
            do { return .success(try edit(&machine)) } catch { return .failure(error) }
        }.get()
    }

    private func editBeside<Value: Sendable>(
        _ edit: @escaping @Sendable (inout PlayerStateMachine) throws -> Value
    ) async throws -> Value {
        for _ in 0..<Self.maxTries {
            let basis = machine.basis
            let edited = await Self.edited(copyOfMachine(), edit)
            guard machine.basis == basis, hasRoom(forQueueOf: edited.machine.queue.extraSize) else {
                ServerActor.releaseOffLoop(consume edited)
                continue
            }
            take(edited.machine)
            return try edited.value.get()
        }
        return try editAtOnce(edit)
    }

    /// Makes the new random order of a huge queue that the machine has put off, off the event loop. One at a time: a
    /// client that plays and stops all the while asks for more of them than can be made.
    func renewOrderIfDue() {
        guard machine.ordering.isOutdated, !largeEdits.isRenewingOrder else { return }
        largeEdits.isRenewingOrder = true
        Task { [weak self] in await self?.renewOrder() }
    }

    /// How often a new order is made as what is played has changed meanwhile; then the former one stays in use.
    private static let maxOrders = 3

    private func renewOrder() async {
        for _ in 0..<Self.maxOrders where machine.ordering.isOutdated {
            do { try await tryToRenewOrder() } catch { break }
        }
        perform { $0.ordering.isOutdated = false }
        largeEdits.isRenewingOrder = false
    }

    /// Makes the order once, in a turn of its own, so that other edits have theirs between two tries.
    private func tryToRenewOrder() async throws {
        largeEdits.count += 1
        defer { largeEdits.count -= 1 }
        let limit = largeEdits.limit
        try await limit.acquire()
        defer { limit.release() }
        let basis = machine.basis
        let edited = await Self.edited(machine.copy()) { $0.renewOrder() }
        if machine.basis == basis { take(edited.machine) } else { ServerActor.releaseOffLoop(consume edited) }
    }

    /// Takes over what was edited on a copy, and frees what it replaces off the loop, which may take milliseconds.
    private func take(_ edited: borrowing PlayerStateMachine) {
        let (queue, ordering) = (machine.queue, machine.ordering)
        perform { $0.adopt(edited) }
        ServerActor.releaseOffLoop(consume queue)
        ServerActor.releaseOffLoop(consume ordering)
    }

    private struct Edited<Value: Sendable>: ~Copyable, Sendable {
        let machine: PlayerStateMachine
        /// Also after a failure the machine counts: what was done before it stays, as in edits at once.
        let value: Result<Value, any Error>
    }

    @concurrent
    private nonisolated static func edited<Value: Sendable>(
        _ machine: consuming PlayerStateMachine,
        _ edit: @Sendable (inout PlayerStateMachine) throws -> Value
    ) async -> Edited<Value> {
        var machine = machine
        let value = Result { try edit(&machine) }
        return Edited(machine: machine, value: value)
    }
}

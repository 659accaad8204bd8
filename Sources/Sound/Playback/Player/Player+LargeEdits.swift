package import MusicModel
import ServerLoop

/// An edit that may touch every entry of the queue.
package enum QueueEdit: Hashable, Sendable {
    /// Inserts songs, at the end without a position.
    case insert([QueueCandidate], at: QueuePosition?)
    /// Puts songs in place of all there are, with their priorities; where they don't fit nothing changes.
    case replace([QueueCandidate], priorities: [Int])
    /// Removes a range, whose end is clipped.
    case delete(Range<Int>)
    /// Removes the entry with an id.
    case deleteID(QueueEntryID)
    /// Removes the entries with these ids, as far as they are there.
    case deleteIDs([QueueEntryID])
    /// Removes songs that left the library, but for the one that is being played.
    case removeSongs(Set<SongID>)
    /// Brings entries back whose songs have returned to the library, each to its place.
    case bringBack([SongID: QueueCandidate])
    /// Marks entries of these songs as changed (tags were edited), so that plchanges lists them.
    case touchSongs(Set<SongID>)
    /// Empties the queue and stops.
    case clear
    /// Moves a range so that it begins at a position.
    case move(Range<Int>, to: Int)
    /// Moves the entry with an id to a position.
    case moveID(QueueEntryID, to: Int)
    /// Swaps two positions.
    case swap(Int, Int)
    /// Swaps the entries with two ids.
    case swapID(QueueEntryID, QueueEntryID)
    /// Brings the entries of a range into a random order.
    case shuffle(Range<Int>)
    /// Sets the priority of a range, 0 to 255.
    case prioritise(Range<Int>, Int)
    /// Sets the priority of the entries with these ids, 0 to 255.
    case prioritiseIDs([QueueEntryID], Int)
    /// Plays in random order, or not.
    case random(Bool)
    /// Makes the new random order that was put off because the queue is huge.
    case renewOrder

    /// Applies the edit; returns the ids of new entries.
    func apply(to machine: inout PlayerStateMachine) throws(PlayerError) -> [QueueEntryID] {
        switch self {
        case .insert(let songs, let position): return try machine.insert(songs, at: position)
        case .replace(let songs, let priorities): return try machine.replace(songs, priorities)
        case .delete(let range): try machine.delete(range)
        case .deleteID(let id):
            let position = try machine.requirePosition(of: id)
            try machine.delete(position..<position + 1)
        case .deleteIDs(let ids): machine.delete(ids)
        case .removeSongs(let songs): machine.removeSongs(songs)
        case .bringBack(let songs): machine.bringBack(songs)
        case .touchSongs(let songs): machine.songsChanged(songs)
        case .clear: machine.clear()
        case .move(let range, let position): try machine.move(range, to: .absolute(position))
        case .moveID(let id, let target):
            let position = try machine.requirePosition(of: id)
            try machine.move(position..<position + 1, to: .absolute(target))
        case .swap(let first, let second): try machine.swap(first, second)
        case .swapID(let first, let second):
            try machine.swap(machine.requirePosition(of: first), machine.requirePosition(of: second))
        case .shuffle(let range): try machine.shuffle(range)
        case .prioritise(let range, let priority): try machine.setPriority(priority, range: range)
        case .prioritiseIDs(let ids, let priority): try machine.setPriority(priority, ids: ids)
        case .random(let isRandom): machine.setRandom(isRandom)
        case .renewOrder: machine.renewOrder()
        }
        return []
    }

    /// How many of so many entries it handles itself; the others only change their places.
    fileprivate func handledCount(of count: Int) -> Int {
        switch self {
        case .insert(let songs, _): songs.count
        case .replace(let songs, _): max(count, songs.count)
        case .delete(let range), .move(let range, _), .prioritise(let range, _): range.count
        // It costs a sixth of what the others do with each.
        case .shuffle(let range): range.count / 6
        case .removeSongs, .bringBack, .touchSongs, .clear, .random, .renewOrder: count
        case .prioritiseIDs(let ids, _): ids.count
        // Many that are scattered have what stands behind the first put together anew.
        case .deleteIDs(let ids): ids.count > 1 ? count : 1
        case .deleteID, .moveID, .swap, .swapID: 1
        }
    }
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
    private static let mostTries = 16

    /// Whether this edit may hold the event loop for long, or has to wait for one that does.
    package func isLarge(_ edit: QueueEdit) -> Bool { largeEdits.count > 0 || isLargeItself(edit) }

    private func isLargeItself(_ edit: QueueEdit) -> Bool {
        let count = count
        return edit.handledCount(of: count) >= Self.manyEntries
            || count >= Self.hugeQueue && machine.turns.order.isRandom
    }

    /// Carries out an edit; one of a large queue on a copy beside the event loop, which goes on meanwhile.
    ///
    /// - Returns: the ids of new entries.
    /// - Throws: `PlayerError` as the functions of the same names; `CancellationError` before anything has changed.
    /// - Isolation: ServerActor; suspends for a large queue, and other clients' commands may run before the edit takes
    ///   effect, which it does as a whole.
    @discardableResult
    package func edit(_ edit: consuming QueueEdit) async throws -> [QueueEntryID] {
        guard isLarge(edit) else { return try apply(edit) }
        // However this ends, the songs of the edit are not freed on the loop.
        let held = FreedBeside(consume edit)
        defer { withExtendedLifetime(held) {} }
        largeEdits.count += 1
        defer { largeEdits.count -= 1 }
        let turns = largeEdits.turns
        try await turns.acquire()
        defer { turns.release() }
        return isLargeItself(held.value) ? try await editBeside(held.value) : try apply(held.value)
    }

    /// Carries out a large edit on copies, until what is played has not changed meanwhile.
    private func editBeside(_ edit: QueueEdit) async throws -> [QueueEntryID] {
        for _ in 0..<Self.mostTries {
            let basis = machine.basis
            let edited = try await Self.edited(copyOfMachine(), edit)
            guard machine.basis == basis, hasRoom(forQueueOf: edited.machine.queue.extraSize) else {
                ServerActor.freeBeside(consume edited)
                continue
            }
            take(edited.machine)
            return edited.ids
        }
        return try apply(edit)
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
    private static let mostOrders = 3

    private func renewOrder() async {
        for _ in 0..<Self.mostOrders where machine.turns.isOutdated {
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
        let edited = try await Self.edited(machine.copy(), .renewOrder)
        if machine.basis == basis { take(edited.machine) } else { ServerActor.freeBeside(consume edited) }
    }

    /// Takes over what was edited on a copy, and has what it replaces freed beside the loop: a million entries take
    /// milliseconds.
    private func take(_ edited: borrowing PlayerStateMachine) {
        let (queue, turns) = (machine.queue, machine.turns)
        perform { $0.adopt(edited) }
        ServerActor.freeBeside(consume queue)
        ServerActor.freeBeside(consume turns)
    }

    /// Carries out an edit at once.
    ///
    /// - Throws: `PlayerError` as the functions of the same names.
    @discardableResult
    package func apply(_ edit: QueueEdit) throws(PlayerError) -> [QueueEntryID] {
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

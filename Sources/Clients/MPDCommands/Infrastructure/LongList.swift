import ServerLoop

/// Work on lists that may be too long for the event loop.
enum LongList {
    /// Lists of at least this size are processed off the loop: a million elements take 10 to 50 ms, and some more to be
    /// freed.
    private static let length = 1_000

    /// Transforms a list: at once, or off the event loop, where a long list is also freed. Hand the list over with
    /// `consume`; a copy that the caller keeps is freed on the loop.
    @ServerActor
    static func handle<Element: Sendable, Result: Sendable>(
        _ list: consuming [Element], _ work: @Sendable ([Element]) -> Result
    ) async -> Result {
        if list.count < length { return work(list) }
        return await handleBeside(list, work)
    }

    /// Joins lists: at once, or off the event loop, where they are also freed.
    @ServerActor
    static func join<Element: Sendable>(_ lists: consuming [[Element]]) async -> [Element] {
        if lists.count == 1 { return lists.removeLast() }
        if lists.reduce(0, { $0 + $1.count }) < length { return Array(lists.joined()) }
        return await handleBeside(lists) { Array($0.joined()) }
    }

    @concurrent
    private static func handleBeside<Element: Sendable, Result: Sendable>(
        _ list: consuming [Element], _ work: @Sendable ([Element]) -> Result
    ) async -> Result {
        work(list)
    }
}

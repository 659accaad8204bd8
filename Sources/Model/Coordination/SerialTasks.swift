import Synchronization

/// Runs asynchronous work one piece after the other, in the order in which it was added.
/// - Isolation: any; the work itself runs on Swift's own threads.
package final class SerialTasks: Sendable {
    private struct State {
        var last: Task<Void, Never>?
        var unfinished: [UInt64: Task<Void, Never>] = [:]
        var count: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Makes a queue with nothing in it.
    package init() {}

    /// Adds a piece of work behind all that was added before.
    /// - Returns: its task, which is done when the work is.
    @discardableResult
    package func add(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            state.count += 1
            let (number, before) = (state.count, state.last)
            let task = Task {
                await before?.value
                await work()
                self.remove(number)
            }
            state.last = task
            state.unfinished[number] = task
            return task
        }
    }

    /// Waits until everything that has been added so far is done.
    package func finish() async { await state.withLock { $0.last }?.value }

    /// Cancels everything that is not done: what runs, and what waits behind it.
    package func cancel() { for task in state.withLock({ Array($0.unfinished.values) }) { task.cancel() } }

    private func remove(_ number: UInt64) { state.withLock { _ = $0.unfinished.removeValue(forKey: number) } }
}

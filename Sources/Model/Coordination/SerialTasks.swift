import Synchronization

/// Runs asynchronous work one piece after the other, in the order in which it was added, on any thread.
package final class SerialTasks: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Makes a queue with nothing in it.
    package init() {}

    /// Adds a piece of work behind all that was added before; the task is done when the work is.
    @discardableResult
    package func add(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        last.withLock { last in
            let task = Task { [before = last] in
                await before?.value
                await work()
            }
            last = task
            return task
        }
    }

    /// Waits until everything that has been added so far is done.
    package func finish() async { await last.withLock { $0 }?.value }
}

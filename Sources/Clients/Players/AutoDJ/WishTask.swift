import ServerLoop

/// The wish of a partition that is being read: one at a time, and a newer one replaces an older one.
@ServerActor
final class WishTask {
    private var task: Task<Void, Never>?
    private var count: UInt64 = 0
    /// True if a wish is being read, or waits for an older one that was cancelled and has not ended yet.
    private(set) var isRunning = false

    /// Cancels what runs, and runs this once it has ended.
    @discardableResult
    func replace(with body: @escaping @ServerActor @Sendable () async -> Void) -> Task<Void, Never> {
        task?.cancel()
        let earlier = task
        count &+= 1
        let number = count
        isRunning = true
        let latest = Task {
            await earlier?.value
            if !Task.isCancelled { await body() }
            guard number == count else { return }
            (task, isRunning) = (nil, false)
        }
        task = latest
        return latest
    }

    @discardableResult
    func cancel() -> Bool {
        task?.cancel()
        defer { isRunning = false }
        return isRunning
    }
}

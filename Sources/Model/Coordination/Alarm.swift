import Synchronization

/// Wakes one waiting task when it rings or a time comes; rings that come while nothing waits count as one.
package final class Alarm: Sendable {
    private struct State {
        var isRung = false
        var waits: UInt64 = 0
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let clock: any ServiceClock

    /// Makes an alarm that has not rung; `clock` tells when times have come.
    package init(clock: any ServiceClock = ContinuousClock()) { self.clock = clock }

    /// Wakes the waiting task, or the next one that waits.
    package func ring() {
        let waiting = state.withLock { state in
            if state.waiting == nil { state.isRung = true }
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Waits until the alarm rings, `limit` has passed (nil is never), or the task is cancelled.
    package func wait(atMost limit: Duration? = nil) async {
        await wait(until: limit.map { clock.now.advanced(by: $0) })
    }

    /// Waits until the alarm rings, `deadline` has come (nil is never), or the task is cancelled.
    package func wait(until deadline: ContinuousClock.Instant?) async {
        let number = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        let timer = deadline.map { deadline in
            Task {
                do {
                    try await clock.sleep(until: deadline, tolerance: nil)
                    end(number)
                } catch {
                    // It rang before the time.
                }
            }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { suspend($0, number) }
        } onCancel: {
            end(number)
        }
        timer?.cancel()
    }

    private func suspend(_ continuation: CheckedContinuation<Void, Never>, _ number: UInt64) {
        let isOver = state.withLock { state in
            precondition(state.waiting == nil, "one task waits for an alarm at a time")
            let isOver = state.isRung || state.waits != number
            state.isRung = false
            if !isOver { state.waiting = continuation }
            return isOver
        }
        if isOver { continuation.resume() }
    }

    private func end(_ number: UInt64) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waits == number else { return nil }
            // A wait that has not suspended yet must find out as well.
            state.waits += 1
            return state.waiting.take()
        }
        waiting?.resume()
    }
}

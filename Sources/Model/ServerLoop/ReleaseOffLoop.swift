import Synchronization

/// The owner of a value that is to be freed: a task that captured the value could end before the one that began it.
final class LastOwner<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value?>
    init(_ value: consuming Value) { self.value = Mutex(consume value) }

    func letGo() { value.withLock { $0 = nil } }
}

/// Holds a value that may be large, and frees it on another thread, whichever way its owner lets go.
package final class ReleasedOffLoop<Value: Sendable>: Sendable {
    /// Changes only in `deinit`, when no other code can look.
    private nonisolated(unsafe) var held: Value?

    /// Holds a value; hand it over with `consume`.
    package init(_ value: consuming Value) { held = consume value }

    /// The value, which stays for as long as its holder.
    package var value: Value {
        guard let held else { preconditionFailure("it holds its value for as long as it is") }
        return held
    }

    deinit {
        guard let last = held.take() else { return }
        ServerActor.releaseOffLoop(consume last)
    }
}

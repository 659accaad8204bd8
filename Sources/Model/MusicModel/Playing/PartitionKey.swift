import Synchronization

/// The name by which the database has a partition. It changes with the commit of a renaming, and is read within writes.
package final class PartitionKey: Sendable, ExpressibleByStringLiteral {
    private let current: Mutex<String>

    /// Begins with the name that the partition has.
    package init(_ name: String) { current = Mutex(name) }

    /// Begins with the name that the partition has.
    package convenience init(stringLiteral name: String) { self.init(name) }

    /// The name as of the last commit.
    package var name: String { current.withLock { $0 } }

    /// Takes in that the database has it under another name.
    package func becomes(_ name: String) { current.withLock { $0 = name } }
}

import Coordination
import Logging
import MusicModel
package import Playback
import ServerLoop
import UserLibrary

/// Renaming.
extension PartitionPlayers {
    /// Gives a partition a name that no other has; playback continues.
    ///
    /// The name is shown at once, and kept in one transaction with everything that is saved: a process that ends
    /// meanwhile finds the partition whole, under one name or the other.
    /// - Returns: ends when the name is kept, or throws `LibraryError`; the partition has its old name again then.
    package func rename(_ partition: Partition, to name: String) -> Task<Void, any Error> {
        show(partition, as: name)
        return Task {
            do { try await keep(partition, as: name) } catch {
                log.error("The partition \(partition.key.name) could not be renamed to \(name): \(chain: error)")
                if partition.name == name { show(partition, as: partition.key.name) }
                throw error
            }
        }
    }

    /// True if the configuration describes a partition of this name.
    package func isConfigured(_ name: String) -> Bool { settings.plans.contains { $0.name == name } }

    /// Writes the name behind the changes to the list that wait.
    private func keep(_ partition: Partition, as name: String) async throws {
        let key = partition.key
        try await withCheckedThrowingContinuation { (written: CheckedContinuation<Void, any Error>) in
            writing.add { [library] in
                do {
                    try await library.renamePartition(key, to: name)
                    written.resume()
                } catch {
                    written.resume(throwing: error)
                }
            }
        }
    }

    private func show(_ partition: Partition, as name: String) {
        let earlier = partition.name
        partition.rename(to: name)
        for observer in observers { observer.renamed(partition, from: earlier) }
    }
}

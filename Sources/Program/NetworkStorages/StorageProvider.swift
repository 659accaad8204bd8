import LibraryIndex

/// Mounts network storages in the system.
protocol StorageProvider: Sendable {
    /// Mounts a storage, or finds it mounted.
    ///
    /// It may take any time, and ends early when its task is cancelled.
    func mount(_ address: StorageAddress) async throws(StorageFailure) -> ProvidedFolder
    /// Unmounts the volume of a storage, unless another program uses it; one that isn't mounted is fine.
    func unmount(_ address: StorageAddress) async throws(StorageFailure)
}

/// The folder of a storage that is mounted.
struct ProvidedFolder: Hashable, Sendable {
    /// Its absolute path.
    var path: String
    /// Whether it was mounted by this call, and by no one else before.
    var isNew: Bool
}

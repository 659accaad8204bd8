import LibraryIndex

/// Mounts network storages in the system.
protocol StorageProvider: Sendable {
    /// Mounts a storage, or finds it mounted.
    ///
    /// It may take any time, and ends early when its task is cancelled; a volume that it has mounted by then stays, and
    /// is told.
    func mount(_ address: StorageAddress) async throws(StorageFailure) -> ProvidedFolder
    /// Unmounts the volume of a storage, unless another program uses it; one that isn't mounted is fine.
    func unmount(_ address: StorageAddress) async throws(StorageFailure)
}

/// The folder of a storage that is mounted.
struct ProvidedFolder: Hashable, Sendable {
    /// Its absolute path; nil when the system shows the volume as no folder.
    var path: String?
    /// The absolute path of the folder of all that the server shows there.
    var volume: String?
    /// True if this call mounted it, and no other program had before.
    var isNew: Bool
}

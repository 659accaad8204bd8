/// The operations of `mount` and `unmount`; implemented by the sync.
package protocol LibraryMounting: Sendable {
    /// Why a folder may not be mounted; nil if it may. Off the event loop, because a disk may take its time.
    /// - Parameter isLocal: whether the client is on a Unix socket, and so has an account of this machine.
    func refusal(of folder: String, isLocal: Bool) async -> MountRefusal?
    /// Adds a folder of music below the mount `name`; it is scanned when it is updated, and kept across restarts.
    /// - Parameter storage: the network storage whose folder it is; nil for one of this machine.
    func mount(_ folder: String, at name: String, of storage: NetworkStorage?) async throws
    /// Takes a mounted folder and its songs out of the library again; false if nothing was mounted by that name.
    func unmount(_ name: String) async throws -> Bool
}

/// Why a folder may not be mounted.
package enum MountRefusal: Hashable, Sendable {
    case system(Int32)
    /// The client is on the network, and the folder outside of those that the configuration names.
    case outsideOfRoots
    /// The system makes the folder's files up.
    case noFolderOfMusic
}

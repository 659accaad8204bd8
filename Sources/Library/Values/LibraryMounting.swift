/// What `mount` and `unmount` ask for; implemented by the sync.
public protocol LibraryMounting: Sendable {
    /// Adds a folder of music below the mount `name`; it is scanned when it is updated, and kept across restarts.
    func mount(_ folder: String, at name: String) async throws
    /// Takes a mounted folder and its songs out of the library again; false if nothing was mounted by that name.
    func unmount(_ name: String) async throws -> Bool
}

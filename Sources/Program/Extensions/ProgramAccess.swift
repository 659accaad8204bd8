package import LibraryIndex
package import Logging
package import SegueConfiguration
package import Sync
package import UserLibrary

/// The parts of the program that commands of extensions may use.
package struct ProgramAccess: Sendable {
    /// Opens the library of a configuration, with further folders mounted unless their names are taken.
    package typealias Open =
        @Sendable (
            Configuration, StateDirectory, _ mounting: [(name: String, folder: String)], Logger
        ) async throws -> any LibrarySources

    /// Serves a configuration until a signal ends it; `ready` is called once clients are accepted.
    package typealias Serve =
        @Sendable (
            Configuration, _ ready: @Sendable (_ pages: [String]) -> Void
        ) async throws -> Void

    /// The sections of the configuration that extensions declare.
    package let sections: [any ExtensionSection.Type]
    /// Opens the library of a configuration.
    package let open: Open
    /// Serves a configuration.
    package let serve: Serve
    /// Mounts network storages; nil where nothing does.
    package let storages: @Sendable (_ folder: String) -> (any StorageService)?

    /// Collects them.
    package init(
        sections: [any ExtensionSection.Type], open: @escaping Open, serve: @escaping Serve,
        storages: @escaping @Sendable (_ folder: String) -> (any StorageService)?
    ) {
        (self.sections, self.open, self.serve, self.storages) = (sections, open, serve, storages)
    }
}

/// The library with its sources, opened by one process.
package protocol LibrarySources: Sendable {
    /// The index, with what users made of it.
    var library: Library { get }
    /// The configuration's mounts, and the folders that clients mounted.
    var mounts: MountTable { get }
    /// Mounts network storages; nil where nothing does.
    var storages: (any StorageService)? { get }
    /// Makes the service that keeps the index up to date; nothing runs yet.
    func makeSync(observer: SyncObserver, interval: Duration?, log: Logger) -> LibrarySync
    /// Closes the connections, then the index.
    func close() async
}

/// Mounts network storages, and keeps them mounted.
package protocol StorageService: StorageMounting {
    /// Keeps a storage mounted that was attached before a restart.
    func keep(_ uri: String, at name: String) async
    /// Mounts every storage whose time has come.
    func attachDue() async
    /// Mounts storages that are away, until the task is cancelled.
    ///
    /// - Parameter isBack: called with the name of a mount whose storage is there again; it must not block.
    func run(isBack: @escaping @Sendable (_ mount: String) -> Void) async
}

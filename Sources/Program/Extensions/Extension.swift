package import ArgumentParser
package import Diagnosis
package import LibraryIndex
package import Logging
package import SegueConfiguration
import ServerLoop
package import Sync
package import UserLibrary

/// A part that the rest of the program works without: a target of its own, which nothing imports but the list of
/// extensions.
package protocol Extension: Sendable {
    /// The sections of the configuration that it declares.
    static var sections: [any ExtensionSection.Type] { get }
    /// Its commands of the program.
    static var commands: [any ParsableCommand.Type] { get }
    /// Adds what `segue check` finds of it.
    static func check(_ configuration: Configuration, _ system: SystemChecks, _ report: inout CheckReport) async
    /// Mounts network storages, with links to them in `folder`; nil where it mounts none.
    static func storages(in folder: String) -> (any StorageService)?
    /// Adds its parts to a server whose players are not made yet.
    @ServerActor static func extend(_ server: ServerAccess, _ additions: inout ServerAdditions)
}

extension Extension {
    package static var sections: [any ExtensionSection.Type] { [] }
    package static var commands: [any ParsableCommand.Type] { [] }
    package static func check(
        _ configuration: Configuration, _ system: SystemChecks, _ report: inout CheckReport
    ) async {}
    package static func storages(in folder: String) -> (any StorageService)? { nil }
    @ServerActor package static func extend(_ server: ServerAccess, _ additions: inout ServerAdditions) {}
}

/// A command of an extension, which runs with access to the program.
package protocol ExtensionCommand: AsyncParsableCommand {
    /// True where it serves clients, which takes more threads.
    static var isServer: Bool { get }

    /// Does its work; the error it throws is shown as one line.
    func run(_ program: any ProgramAccess) async throws
}

extension ExtensionCommand {
    package static var isServer: Bool { false }
}

/// The parts of the program that commands of extensions may use.
package protocol ProgramAccess: Sendable {
    /// The sections of the configuration that extensions declare.
    var sections: [any ExtensionSection.Type] { get }
    /// Opens the library of a configuration, with further folders mounted unless their names are taken.
    func open(
        _ configuration: Configuration, _ state: StateDirectory, mounting added: [(name: String, folder: String)],
        _ log: Logger
    ) async throws -> any LibrarySources
    /// Serves a configuration until a signal ends it; `ready` is called once clients are accepted.
    func serve(_ configuration: Configuration, ready: @Sendable (_ pages: [String]) -> Void) async throws
    /// Mounts network storages; nil where nothing does.
    func storages(in folder: String) -> (any StorageService)?
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
    func makeSync(observer: SyncObserver, log: Logger) -> LibrarySync
    /// Closes the connections, then the index.
    func close() async
}

/// Mounts network storages, and keeps them mounted.
package protocol StorageService: StorageMounting {
    /// Keeps a storage mounted that was attached before a restart.
    func keep(_ uri: String, at name: String) async
    /// Mounts every storage whose time has come.
    func attachDue() async
    /// Mounts storages that are away, until the task is cancelled; `isBack` gets the name of each mount that is there
    /// again, and must not block.
    func run(isBack: @escaping @Sendable (_ mount: String) -> Void) async
}

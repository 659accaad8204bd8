package import ArgumentParser
package import Diagnosis
package import SegueConfiguration
import ServerLoop

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
    func run(_ program: ProgramAccess) async throws
}

extension ExtensionCommand {
    package static var isServer: Bool { false }
}

package import Discovery
package import LibraryIndex
package import MPDCommands
package import MPDSessions
package import Players
package import SegueConfiguration
package import ServerLoop
package import Supervision
package import UserLibrary
package import WebAPI

/// The parts of a server that extensions may use.
@ServerActor
package struct ServerAccess {
    /// The configuration that it runs with.
    package let configuration: Configuration
    /// The folder for what must not be lost.
    package let state: StateDirectory
    /// The program's version.
    package let version: String
    /// The index, with what users made of it.
    package let library: Library
    /// Starts syncs of the index.
    package let updating: any LibraryUpdating
    /// Tells of changes to clients and other watchers.
    package let hub: IdleHub
    /// Tells pages of events that no subsystem of MPD stands for.
    package let events: PageEvents
    /// The picture of the album of the song at a path; nil without one.
    package let picture: @Sendable (_ uri: String) async -> [UInt8]?

    /// Collects them.
    package init(
        _ configuration: Configuration, _ state: StateDirectory, version: String, _ library: Library,
        updating: any LibraryUpdating, hub: IdleHub, events: PageEvents,
        picture: @escaping @Sendable (_ uri: String) async -> [UInt8]?
    ) {
        (self.configuration, self.state, self.version, self.library) = (configuration, state, version, library)
        (self.updating, self.hub, self.events, self.picture) = (updating, hub, events, picture)
    }
}

/// The server once its clients are accepted.
package struct StartedServer: Sendable {
    /// The state that all clients share.
    package let context: ServerContext
    /// The ports by which other machines reach the server without encryption.
    package let ports: [Int]
    /// The same of the page.
    package let pagePorts: [Int]

    /// Collects what there is.
    package init(_ context: ServerContext, ports: [Int], pagePorts: [Int]) {
        (self.context, self.ports, self.pagePorts) = (context, ports, pagePorts)
    }
}

/// The parts that extensions add to a server.
@ServerActor
package struct ServerAdditions {
    /// Reads wishes in words for the auto-DJ; nil leaves them to rules.
    package var wishes: (any WishReading)?
    /// Takes requests for albums from pages; nil where there are none.
    package var requests: (any AlbumRequesting)?
    /// Follow the players, in this order.
    package var observers: [any PlayerObserver] = []
    private var services: [(name: String, run: @ServerActor @Sendable (StartedServer) async -> Void)] = []

    /// Collects nothing yet.
    package init() {}

    /// Adds a background service, which runs until its task is cancelled.
    package mutating func serve(
        _ name: String, _ run: @escaping @ServerActor @Sendable (StartedServer) async -> Void
    ) { services.append((name, run)) }

    /// Binds what was added by `serve` to a server that has started.
    package func services(of server: StartedServer) -> [BackgroundService] {
        services.map { service in BackgroundService(service.name) { await service.run(server) } }
    }
}

package import Foundation
package import MPDCommands
package import MPDSessions
package import MusicModel
package import NIOCore
package import Players
import ServerLoop
package import UserLibrary
package import WebServer

/// The parts that the HTTP interface works with.
package struct WebParts: Sendable {
    /// The state that all clients share.
    package let context: ServerContext
    /// The clients of MPD's protocol, and what they may do without a password.
    package let server: MPDServer
    /// Tells right passwords from wrong ones.
    package let passwords: PasswordGate
    /// The browsers and programs that signed in.
    package let sessions: SessionStore
    /// The tokens and codes that were made at the machine; nil where there are none.
    package let issued: IssuedSecrets?
    /// The page's files.
    package let files: PageFiles
    /// Facts that the program around it knows.
    package let facts: WebFacts
    /// Events that no subsystem of MPD stands for.
    package let pageEvents: PageEvents
    /// Albums that people request; nil where they can't.
    package let requests: (any AlbumRequesting)?
    /// Takes wishes in words; nil where nothing does.
    package let wishes: DiscJockey?
    /// Changes settings; nil where none are kept.
    package let settings: (any SettingsChanging)?

    /// Collects the parts.
    package init(
        context: ServerContext, server: MPDServer, passwords: PasswordGate, sessions: SessionStore,
        issued: IssuedSecrets? = nil, files: PageFiles, facts: WebFacts, pageEvents: PageEvents = PageEvents(),
        requests: (any AlbumRequesting)? = nil, wishes: DiscJockey? = nil, settings: (any SettingsChanging)? = nil
    ) {
        (self.context, self.server, self.passwords) = (context, server, passwords)
        (self.sessions, self.issued, self.files, self.facts) = (sessions, issued, files, facts)
        (self.pageEvents, self.requests, self.wishes) = (pageEvents, requests, wishes)
        self.settings = settings
    }
}

/// How the server of the library can be reached.
package struct ConnectionReport: Hashable, Sendable {
    /// One of `not_configured`, `checking`, `connected`, `auth_failed` and `unreachable`.
    package var state: String
    /// The message for a person.
    package var sentence: String

    /// Pairs them.
    package init(state: String, sentence: String) { (self.state, self.sentence) = (state, sentence) }
}

/// How far a sync is.
package struct SyncReport: Hashable, Sendable {
    /// The phase that runs; nil while none does.
    package var phase: String?
    /// How much of it is done.
    package var done = 0
    /// How much there is to do; 0 where that isn't known.
    package var total = 0

    /// Reports that none runs.
    package init() {}
}

/// Figures of the parts that fetch and keep music, for those who watch the program.
package struct UpstreamFigures: Sendable {
    /// Songs on disk in bytes, and how many bytes may stay; nil without a cache.
    package var cache: (size: Int64, limit: Int64)?
    /// Songs that were there when they were opened.
    package var cacheHits = 0
    /// Songs that had to be fetched.
    package var cacheMisses = 0
    /// The bytes of songs that came from the server.
    package var downloaded: Int64 = 0
    /// Plays by how they were reported.
    package var plays: (sent: Int, givenUp: Int) = (0, 0)
    /// Syncs by how they ended.
    package var syncs: (successes: Int, failures: Int) = (0, 0)
    /// How long the last successful sync took, in seconds; nil before the first.
    package var syncDuration: Double?
    /// When that was, in seconds since 1970; nil before the first.
    package var lastSync: Double?

    /// Makes empty facts.
    package init() {}
}

/// A picture that belongs to no song of the library.
package enum OutsidePicture: Hashable, Sendable {
    /// A station's, from where its list says.
    case station(StationPicture)
    /// An album's that can be requested, at an address on the internet.
    case album(String)
}

/// The facts that the program around the HTTP interface knows.
package struct WebFacts: Sendable {
    /// The program's version.
    package var version = ""
    /// True if it is the demonstration.
    package var isDemo = false
    /// How the library's server can be reached.
    package var connection: @ServerActor @Sendable () -> ConnectionReport = {
        ConnectionReport(state: "not_configured", sentence: "")
    }
    /// How far the sync is.
    package var sync: @Sendable () -> SyncReport = { SyncReport() }
    /// The names of the playlists that are made for the listener, in their order.
    package var mixes: @Sendable () async -> [String] = { [] }
    /// The names of artists that the library's server finds like the one of a name; none without a server.
    package var similarArtists: @Sendable (String) async -> [String] = { _ in [] }
    /// The edits and plays that wait for the library's server.
    package var waiting: @Sendable () async -> WaitingChanges = { WaitingChanges() }
    /// The figures of the cache and the sync.
    package var figures: @Sendable () -> UpstreamFigures = { UpstreamFigures() }
    /// The configuration without secrets.
    package var settings: @Sendable () -> [SettingsSection] = { [] }
    /// The picture of a song's album by the song's path, scaled to a longer edge in pixels; nil without one.
    package var picture: @Sendable (String, Int) async throws -> (bytes: [UInt8], mimeType: String?)? = { _, _ in nil }
    /// A picture that belongs to no song, scaled to a longer edge in pixels; nil without one.
    package var outsidePicture: @Sendable (OutsidePicture, Int) async throws -> (bytes: [UInt8], mimeType: String?)? = {
        _, _ in nil
    }
    /// Where an output's stream is served on this machine, by the output's name; nil where it has none.
    package var stream: @Sendable (String) -> SocketAddress? = { _ in nil }
    /// The MIME type of an output's stream, by the output's name; nil where it has none.
    package var streamType: @Sendable (String) -> String? = { _ in nil }
    /// When the configuration's file, or that of a secret, was changed last; nil without one.
    package var secretsChanged: @Sendable () -> Date? = { nil }
    /// The addresses by which other machines reach the page.
    package var addresses: @Sendable () -> [String] = { [] }

    /// Makes empty facts.
    package init() {}
}

import AsyncHTTPClient
import Coordination
package import Foundation
package import Logging
import MusicModel
import NIOCore
import NIOHTTP1
import Synchronization

/// Calls of the Subsonic API, as Navidrome and older servers answer them.
///
/// The server's abilities are found out as it goes and remembered: tokens and form posts; extensions and
/// scan status are absent, not errors. Calls that may be repeated are, after errors that pass.
/// Every call throws `SubsonicError`, or `CancellationError` when the calling task was cancelled.
package final class SubsonicClient: Sendable {
    let transport: HTTPTransport
    private let now: @Sendable () -> ContinuousClock.Instant
    private let known = Mutex<(extensions: [String: [Int]], until: ContinuousClock.Instant)?>(nil)

    /// How long the server's extensions are remembered: they change with an upgrade or a plug-in.
    private static let extensionsLast = Duration.seconds(3600)

    /// Makes a client; nothing is sent before the first call.
    /// - Parameter now: the clock by which it forgets what the server can do.
    package init(
        _ settings: SubsonicSettings, log: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        transport = HTTPTransport(settings, log: log)
        self.now = now
    }

    /// Closes every connection. Calls that run fail, and so do later ones.
    package func shutDown() async { await transport.shutDown() }

    /// Closes connections that begin at none of these addresses, without brackets, because this machine lost theirs:
    /// nothing that is sent over them arrives. Calls that wait for an answer over one fail, or are repeated, at once.
    /// - Returns: how many were closed.
    @discardableResult
    package func closeConnections(notFrom addresses: Set<String>) -> Int {
        transport.openConnections.close(notFrom: addresses)
    }

    /// The server's address, free of credentials, for logs.
    package var shownAddress: String { transport.shownAddress }
    /// The name under which our calls are known to the server.
    package var clientName: String { transport.settings.clientName }
    /// The user's name, as it is sent to the server.
    package var username: String { transport.settings.username }
    /// Sends another credential of the same user from now on, because a new one was stored.
    package func use(_ credential: SubsonicSettings.Credential) { transport.use(credential) }
    /// Knows if the server answers, and what waits for it.
    package var reachability: Reachability { transport.reachability }

    // MARK: The server

    /// Checks address and credentials.
    /// - Parameter repeats: whether it is tried again after errors that pass.
    package func ping(repeats: Bool = true) async throws -> ServerIdentity {
        try await perform(SubsonicCall("ping", isRepeatable: repeats))
    }

    /// Checks within a few seconds whether the server answers at all.
    package func pingSoon() async throws {
        _ = try await perform(SubsonicCall("ping", isRepeatable: false, timeout: transport.settings.timeouts.doubt))
    }

    /// The server's time, to the second, by the `Date` of its answers (RFC 9110, 5.6.7); nil where it doesn't say.
    package func serverTime() async throws -> Date? {
        try await transport.send(SubsonicCall("ping")) { response in
            _ = try await response.body.gathered(upTo: HTTPTransport.ordinaryAnswer)
            guard let text = response.headers.first(name: "Date"), text.utf8.count <= 40 else { return nil }
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(identifier: "GMT")
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            return formatter.date(from: text)
        }
    }

    /// The extensions of OpenSubsonic with their versions; empty for servers that don't know the call. Asked for once
    /// an hour.
    package func extensions() async throws -> [String: [Int]] {
        if let known = known.withLock({ $0 }), now() < known.until { return known.extensions }
        let extensions = try await readExtensions()
        known.withLock { $0 = (extensions, now() + Self.extensionsLast) }
        return extensions
    }

    /// True if the server has an extension of OpenSubsonic.
    package func has(_ name: String) async throws -> Bool { try await extensions()[name] != nil }

    /// Asks the server itself.
    func readExtensions() async throws -> [String: [Int]] {
        try await ifKnown {
            try await value(SubsonicCall("getOpenSubsonicExtensions"), "openSubsonicExtensions") as ServerExtensions?
        }?.versions ?? [:]
    }

    /// Where the server's scan is; nil where the server can't tell, as supysonic without its daemon.
    package func scanStatus() async throws -> ScanStatus? {
        // So small an answer comes soon or not at all, and the return of a server that hung is awaited.
        let call = SubsonicCall("getScanStatus", timeout: transport.settings.timeouts.doubt * 4)
        return try await ifTold { try await value(call, "scanStatus") }
    }

    /// The ids of the libraries that the user sees, in one text that is the same for the same ones; nil where the
    /// server can't tell.
    package func libraries() async throws -> String? {
        try await ifTold {
            var ids: Set<String> = []
            _ = try await answer(SubsonicCall("getMusicFolders")) { reader, name in
                guard "musicFolders" ~= name else { return try reader.skip() }
                try reader.member("musicFolder") { reader in ids = Set(try reader.list { try $0.id() }) }
            }
            return ids.sorted().joined(separator: " ")
        }
    }

    /// Has the server scan its files; most servers want an administrator for it.
    /// - Parameter full: scans unchanged files, too.
    package func startScan(full: Bool) async throws {
        _ = try await perform(SubsonicCall("startScan", full ? ["fullScan": "true"] : [:], isRepeatable: false))
    }

    // MARK: Lists

    /// A piece of the list of all songs, in the order in which they came into the library.
    ///
    /// The list may change between two pieces: `scanStatus` before and after tells.
    package func songs(offset: Int, count: Int) async throws -> SubsonicPage<SubsonicSong> {
        try await page("song", offset, count)
    }

    /// A piece of the list of all albums.
    package func albums(offset: Int, count: Int) async throws -> SubsonicPage<SubsonicAlbum> {
        try await page("album", offset, count)
    }

    /// A piece of the list of all artists.
    package func artists(offset: Int, count: Int) async throws -> SubsonicPage<SubsonicArtist> {
        try await page("artist", offset, count)
    }

    /// One song; nil if there is none. Navidrome also returns deleted songs, unmarked.
    package func song(id: String) async throws -> SubsonicSong? {
        try await ifFound { try await value(SubsonicCall("getSong", ["id": id]), "song") }
    }

    /// The items that the user starred.
    package func starred() async throws -> StarredItems {
        try await value(SubsonicCall("getStarred2"), "starred2") ?? StarredItems()
    }

    /// The radio stations; nil where the server doesn't know the call.
    package func radioStations() async throws -> [RadioStation]? {
        try await ifKnown {
            try await list(SubsonicCall("getInternetRadioStations"), "internetRadioStations", "internetRadioStation")
        }?.items
    }

    // MARK: Plays

    /// Reports plays; never repeated here, since the server counts every copy.
    package func scrobble(_ plays: [SubsonicPlay]) async throws {
        if plays.isEmpty { return }
        let call = SubsonicCall("scrobble", ["submission": "true"], isRepeatable: false)
        _ = try await perform(call.with("id", plays.map(\.id)).with("time", plays.map { String($0.time) }))
    }

    /// Says what is being played; never repeated here.
    /// - Parameter room: where, from 1: the server takes each but the first for a client of its own.
    package func nowPlaying(id: String, room: Int = 1) async throws {
        let call = SubsonicCall("scrobble", ["id": id, "submission": "false"], isRepeatable: false, room: room)
        _ = try await perform(call)
    }
}

/// How calls are made and their answers taken apart.
extension SubsonicClient {
    /// Makes a call; nil where there is no such thing.
    func ifFound<Value>(_ call: () async throws -> Value?) async throws -> Value? {
        do { return try await call() } catch let error as SubsonicError where error.code == .notFound { return nil }
    }

    func ifKnown<Value>(_ call: () async throws -> Value?) async throws -> Value? {
        do { return try await call() } catch let error as SubsonicError where error.isAbsence { return nil }
    }

    /// Makes a call; nil where the server doesn't have it, or tells this user nothing.
    private func ifTold<Value>(_ call: () async throws -> Value?) async throws -> Value? {
        do { return try await ifKnown(call) } catch let error as SubsonicError
            where [.notPermitted, .refused(code: 0)].contains(error.code)
        { return nil }
    }

    /// Makes a call of which only the success matters.
    func perform(_ call: SubsonicCall) async throws -> ServerIdentity {
        try await answer(call) { reader, _ in try reader.skip() }
    }

    /// Makes a call and reads one member of the answer; nil where that is missing.
    func value<Value: JSONReadable & Sendable>(_ call: SubsonicCall, _ member: StaticString) async throws -> Value? {
        var value: Value?
        _ = try await answer(call) { reader, name in
            if member ~= name { value = try Value(&reader) } else { try reader.skip() }
        }
        return value
    }

    /// Makes a call and reads `{outer: {inner: [...]}}`, of which only the first entries are read.
    func list<Item: JSONReadable & Hashable & Sendable>(
        _ call: SubsonicCall, _ outer: StaticString, _ inner: StaticString, atMost count: Int = .max
    ) async throws -> SubsonicPage<Item> {
        var page = SubsonicPage<Item>(items: [])
        _ = try await answer(call) { reader, name in
            guard outer ~= name else { return try reader.skip() }
            page = SubsonicPage(items: [])
            try reader.member(inner) { reader in try reader.collect(into: &page, atMost: count) { try Item(&$0) } }
        }
        return page
    }

    /// Reads a piece of a whole list: a search for nothing finds everything.
    private func page<Item: JSONReadable & Hashable & Sendable>(
        _ kind: StaticString, _ offset: Int, _ count: Int
    ) async throws -> SubsonicPage<Item> {
        var call = SubsonicCall("search3", ["query": "", "\(kind)Offset": String(offset)])
        for name in ["artist", "album", "song"] {
            call.parameters.append(("\(name)Count", name == "\(kind)" ? String(count) : "0"))
        }
        // A server that sends more than it was asked for fills no memory with it: the next piece has the rest.
        let page: SubsonicPage<Item> = try await list(call, "searchResult3", kind, atMost: count)
        if page.skipped > 0 {
            transport.log.warning(
                "entries without an id are ignored", metadata: ["kind": "\(kind)", "entries": "\(page.skipped)"])
        }
        return page
    }

    /// Makes a call, checks the frame of its answer, and has every other member read.
    func answer(
        _ call: SubsonicCall, readMember: (inout JSONReader, UnsafeRawBufferPointer) throws -> Void
    ) async throws -> ServerIdentity {
        try await transport.send(call) { response in
            var body = ByteBuffer()
            var count = PieceCount()
            var isLarge = false
            defer { if isLarge { transport.largeAnswers.release() } }
            for try await part in response.body {
                try count.add(part.readableBytes, at: .now)
                let size = body.readableBytes + part.readableBytes
                guard size <= HTTPTransport.maxAnswerSize else {
                    throw NIOTooManyBytesError(maxBytes: HTTPTransport.maxAnswerSize)
                }
                if size > HTTPTransport.ordinaryAnswer, !isLarge {
                    try await transport.largeAnswers.acquire()
                    isLarge = true
                    // The server has no part in how long the answer waited here.
                    count = PieceCount()
                }
                body.writeImmutableBuffer(part)
            }
            return try transport.envelope(response, body, readMember).identity
        }
    }
}

extension HTTPTransport {
    /// Checks an answer's status, reads its frame, and throws the error that it reports.
    func envelope(
        _ response: HTTPClientResponse, _ body: ByteBuffer,
        _ readMember: (inout JSONReader, UnsafeRawBufferPointer) throws -> Void
    ) throws -> AnswerEnvelope {
        let refused = SubsonicError(status: response.status, headers: response.headers, address: shownAddress)
        do {
            let envelope = try body.withUnsafeReadableBytes { try AnswerEnvelope($0, readMember: readMember) }
            if let failure = envelope.failure {
                throw refused.flatMap { failure.code == 0 ? $0 : nil }
                    ?? SubsonicError(failure, credentials: credentials, address: shownAddress)
            }
            if let refused { throw refused }
            return envelope
        } catch let problem as JSONProblem {
            if let refused { throw refused }
            if let failure = body.withUnsafeReadableBytes({ AnswerEnvelope.failure(inXML: $0) }) {
                throw SubsonicError(failure, credentials: credentials, address: shownAddress)
            }
            throw SubsonicError(problem, firstByte: body.readableBytesView.first, address: shownAddress)
        }
    }
}

/// OpenSubsonic's `openSubsonicExtensions`: names with their versions.
struct ServerExtensions: JSONReadable, Sendable {
    var versions: [String: [Int]] = [:]

    init(_ reader: inout JSONReader) throws {
        try reader.elements { reader in
            var (key, numbers): (String?, [Int]) = (nil, [])
            try reader.members { reader, name in
                switch name {
                case "name": key = try reader.nonEmptyText()
                case "versions": numbers = try reader.list { try $0.notNegative() }
                default: try reader.skip()
                }
            }
            if let key { versions[key] = numbers }
        }
    }
}

extension SubsonicError {
    /// True if the server doesn't have this call, as it says itself. Code 0 alone does not say so.
    package var isAbsence: Bool { code == .unsupported || cause == .unknownCall }
}

import AsyncHTTPClient
import Coordination
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
/// - Isolation: any; calls may run side by side, and decode on the global executor.
package final class SubsonicClient: Sendable {
    let transport: HTTPTransport
    private let now: @Sendable () -> ContinuousClock.Instant
    private let known = Mutex<(extensions: [String: [Int]], until: ContinuousClock.Instant)?>(nil)

    /// How long the server's extensions are remembered: they change with an upgrade or a plug-in.
    private static let extensionsLast = Duration.seconds(3600)

    /// Makes a client; nothing is sent before the first call.
    ///
    /// - Parameters:
    ///   - settings: which server, and as whom.
    ///   - log: what happens is noted here, without credentials.
    ///   - now: the clock by which it forgets what the server can do.
    package init(
        _ settings: SubsonicSettings, log: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        transport = HTTPTransport(settings, log: log)
        self.now = now
    }

    /// Closes every connection. Calls that run fail, and so do later ones.
    package func shutDown() async { await transport.shutDown() }

    /// Closes connections that begin at none of this machine's addresses, because it lost theirs: nothing that is sent
    /// over them arrives. Calls that wait for an answer over one fail, or are repeated, at once.
    ///
    /// - Parameter addresses: those that the machine has, without brackets.
    /// - Returns: how many were closed.
    @discardableResult
    package func closeConnections(notFrom addresses: Set<String>) -> Int {
        transport.openConnections.close(notFrom: addresses)
    }

    /// The server's address, free of credentials, for logs.
    package var shownAddress: String { transport.shownAddress }

    /// Sends another credential of the same user from now on, because a new one was stored.
    package func use(_ credential: SubsonicSettings.Credential) { transport.use(credential) }

    /// Has a function called whenever the server answers again after it could not be reached; calls that waited for
    /// that can be made then.
    package func whenBack(_ listener: @escaping @Sendable () -> Void) { transport.reachability.whenBack(listener) }

    /// True if the last call that could tell found the server away.
    package var isAway: Bool { transport.reachability.isAway }

    /// Takes note of something that waits for the server, by a name of its own, or that no longer does. While something
    /// waits, the server's return is searched for.
    package func note(_ name: String, waits: Bool) { transport.reachability.note(name, waits: waits) }

    /// True if something waits for the server.
    package var isAwaited: Bool { transport.reachability.isAwaited }

    /// Has a function called whenever it becomes doubtful whether the server answers: a call failed as all others
    /// would, or waits for its answer longer than most; `pingSoon` tells.
    package func whenDoubted(_ listener: @escaping @Sendable () -> Void) {
        transport.reachability.whenDoubted(listener)
    }

    /// Has a function called whenever something begins to wait for the server while nothing else does.
    package func whenAwaited(_ listener: @escaping @Sendable () -> Void) {
        transport.reachability.whenAwaited(listener)
    }

    // MARK: The server

    /// Checks address and credentials.
    ///
    /// - Parameter repeats: whether it is tried again after errors that pass.
    package func ping(repeats: Bool = true) async throws -> ServerIdentity {
        try await perform(SubsonicCall(name: "ping", isRepeatable: repeats))
    }

    /// Checks within a few seconds whether the server answers at all.
    package func pingSoon() async throws {
        let wait = transport.settings.timeouts.doubt
        _ = try await perform(SubsonicCall(name: "ping", isRepeatable: false, timeout: wait))
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
        do {
            return try await value(
                SubsonicCall(name: "getOpenSubsonicExtensions"), "openSubsonicExtensions"
            ) { (reader) throws(JSONProblem) in
                try reader.extensions()
            } ?? [:]
        } catch let error as SubsonicError where error.isAbsence { return [:] }
    }

    /// Where the server's scan is; nil where the server can't tell, as supysonic without its daemon.
    package func scanStatus() async throws -> ScanStatus? {
        do {
            // So small an answer comes soon or not at all, and the return of a server that hung is awaited.
            let call = SubsonicCall(name: "getScanStatus", timeout: transport.settings.timeouts.doubt * 4)
            return try await value(call, "scanStatus") { (reader) throws(JSONProblem) in
                try ScanStatus(&reader)
            } ?? nil
        } catch let error as SubsonicError
            where error.isAbsence || [.notPermitted, .refused(code: 0)].contains(error.code)
        { return nil }
    }

    /// The ids of the libraries that the user sees, in one text that is the same for the same ones; nil where the
    /// server can't tell.
    package func libraries() async throws -> String? {
        do {
            let call = SubsonicCall(name: "getMusicFolders")
            let ids = try await list(call, "musicFolders", "musicFolder") { (reader) throws(JSONProblem) in
                try reader.id()
            }.items
            return Set(ids).sorted().joined(separator: " ")
        } catch let error as SubsonicError
            where error.isAbsence || [.notPermitted, .refused(code: 0)].contains(error.code)
        { return nil }
    }

    /// Has the server scan its files; most servers want an administrator for it.
    ///
    /// - Parameter full: scans unchanged files, too.
    package func startScan(full: Bool) async throws {
        let parameters = full ? [(name: "fullScan", value: "true")] : []
        _ = try await perform(SubsonicCall(name: "startScan", parameters: parameters, isRepeatable: false))
    }

    // MARK: Lists

    /// A piece of the list of all songs, in the order in which they came into the library.
    ///
    /// The list may change between two pieces: `scanStatus` before and after tells.
    package func songs(offset: Int, count: Int) async throws -> SubsonicPage<SubsonicSong> {
        try await page("song", offset, count) { (reader) throws(JSONProblem) in try SubsonicSong(&reader) }
    }

    /// A piece of the list of all albums.
    package func albums(offset: Int, count: Int) async throws -> SubsonicPage<SubsonicAlbum> {
        try await page("album", offset, count) { (reader) throws(JSONProblem) in try SubsonicAlbum(&reader) }
    }

    /// A piece of the list of all artists.
    package func artists(offset: Int, count: Int) async throws -> SubsonicPage<SubsonicArtist> {
        try await page("artist", offset, count) { (reader) throws(JSONProblem) in try SubsonicArtist(&reader) }
    }

    /// One song; nil if there is none. Navidrome also returns deleted songs, unmarked.
    package func song(id: String) async throws -> SubsonicSong? {
        do {
            return try await value(
                SubsonicCall(name: "getSong", parameters: [("id", id)]), "song"
            ) { (reader) throws(JSONProblem) in
                try SubsonicSong(&reader)
            } ?? nil
        } catch let error as SubsonicError where error.code == .notFound { return nil }
    }

    /// The playlists that the user sees, without their entries.
    package func playlists() async throws -> [SubsonicPlaylist] {
        try await list(SubsonicCall(name: "getPlaylists"), "playlists", "playlist") { (reader) throws(JSONProblem) in
            try SubsonicPlaylist(&reader)
        }.items
    }

    /// One playlist with its entries.
    ///
    /// - Throws: `notFound` where there is none.
    package func playlist(id: String) async throws -> SubsonicPlaylist {
        let call = SubsonicCall(name: "getPlaylist", parameters: [("id", id)])
        let found = try await value(call, "playlist") { (reader) throws(JSONProblem) in try SubsonicPlaylist(&reader) }
        guard var playlist = found ?? nil else {
            throw SubsonicError(.badAnswer, "\(shownAddress) sends a playlist without an id.")
        }
        playlist.entryIDs = playlist.entryIDs ?? []
        return playlist
    }

    /// The items that the user starred.
    package func starred() async throws -> StarredItems {
        try await value(SubsonicCall(name: "getStarred2"), "starred2") { (reader) throws(JSONProblem) in
            try reader.starredItems()
        } ?? StarredItems()
    }

    /// The radio stations; nil where the server doesn't know the call.
    package func radioStations() async throws -> [RadioStation]? {
        do {
            let call = SubsonicCall(name: "getInternetRadioStations")
            return try await list(
                call, "internetRadioStations", "internetRadioStation"
            ) { (reader) throws(JSONProblem) in
                try RadioStation(&reader)
            }.items
        } catch let error as SubsonicError where error.isAbsence { return nil }
    }

    // MARK: Plays

    /// Reports plays; never repeated here, since the server counts every copy.
    package func scrobble(_ plays: [SubsonicPlay]) async throws {
        if plays.isEmpty { return }
        let parameters =
            plays.map { (name: "id", value: $0.id) } + plays.map { ("time", String($0.time)) } + [
                ("submission", "true")
            ]
        _ = try await perform(SubsonicCall(name: "scrobble", parameters: parameters, isRepeatable: false))
    }

    /// Says what is being played; never repeated here.
    ///
    /// - Parameter room: where, from 1: the server takes each but the first for a client of its own.
    package func nowPlaying(id: String, room: Int = 1) async throws {
        let parameters = [(name: "id", value: id), ("submission", "false")]
        _ = try await perform(SubsonicCall(name: "scrobble", parameters: parameters, isRepeatable: false, room: room))
    }
}

/// How calls are made and their answers taken apart.
extension SubsonicClient {
    /// Makes a call of which only the success matters.
    func perform(_ call: SubsonicCall) async throws -> ServerIdentity {
        try await answer(call) { (reader, _) throws(JSONProblem) in try reader.skip() }
    }

    /// Makes a call and reads one member of the answer; nil where that is missing.
    func value<Value: Sendable>(
        _ call: SubsonicCall, _ member: StaticString,
        _ read: @escaping @Sendable (inout JSONReader) throws(JSONProblem) -> Value
    ) async throws -> Value? {
        var value: Value?
        _ = try await answer(call) { (reader, name) throws(JSONProblem) in
            if name.elementsEqual(member.utf8) { value = try read(&reader) } else { try reader.skip() }
        }
        return value
    }

    /// Makes a call and reads `{outer: {inner: [...]}}`, of which only the first entries are read.
    func list<Item: Hashable & Sendable>(
        _ call: SubsonicCall, _ outer: StaticString, _ inner: StaticString, atMost count: Int = .max,
        _ read: @escaping @Sendable (inout JSONReader) throws(JSONProblem) -> Item?
    ) async throws -> SubsonicPage<Item> {
        try await value(call, outer) { (reader) throws(JSONProblem) in
            var page = SubsonicPage<Item>(items: [])
            try reader.members { (reader, name) throws(JSONProblem) in
                guard name.elementsEqual(inner.utf8) else { return try reader.skip() }
                try reader.collect(into: &page, atMost: count, read)
            }
            return page
        } ?? SubsonicPage(items: [])
    }

    /// Reads a piece of a whole list: a search for nothing finds everything.
    private func page<Item: Hashable & Sendable>(
        _ kind: StaticString, _ offset: Int, _ count: Int,
        _ read: @escaping @Sendable (inout JSONReader) throws(JSONProblem) -> Item?
    ) async throws -> SubsonicPage<Item> {
        var parameters = [(name: "query", value: "")]
        for name in ["artist", "album", "song"] {
            parameters.append(("\(name)Count", name == "\(kind)" ? String(count) : "0"))
        }
        parameters.append(("\(kind)Offset", String(offset)))
        // A server that sends more than it was asked for fills no memory with it: the next piece has the rest.
        let call = SubsonicCall(name: "search3", parameters: parameters)
        let page = try await list(call, "searchResult3", kind, atMost: count, read)
        if page.skipped > 0 {
            transport.log.warning(
                "entries without an id are ignored", metadata: ["kind": "\(kind)", "entries": "\(page.skipped)"])
        }
        return page
    }

    /// Makes a call, checks the frame of its answer, and has every other member read.
    @concurrent
    func answer(
        _ call: SubsonicCall, readMember: (inout JSONReader, UnsafeRawBufferPointer) throws(JSONProblem) -> Void
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
        _ readMember: (inout JSONReader, UnsafeRawBufferPointer) throws(JSONProblem) -> Void
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

extension SubsonicError {
    /// True if the server just doesn't have this call. Code 0 alone does not say so.
    package var isAbsence: Bool { code == .unsupported || cause == .unknownCall }
}

extension StaticString {
    /// The bytes.
    var utf8: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}

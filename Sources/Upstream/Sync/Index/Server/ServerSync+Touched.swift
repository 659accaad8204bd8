import LibraryIndex
import Logging
import MusicModel
import Subsonic
import UserLibrary

/// Reading what changed, where a Navidrome tells it.
///
/// The fact `own` says that the index has what Navidrome's own API tells, and up to when the albums that its scans
/// touched were read; `all`, when all songs were read last.
extension ServerSync {
    /// Begins the fact `own`: after a change of the mapping all songs are read.
    private static let ownStart = "\(SongMapping.version).\(SongMapping.revision) "
    /// All songs are read once a day where any changed, whatever the server tells.
    private static let maxTrust: Int64 = 86_400
    /// The number of touched albums that are always read; more where everything takes more requests than these.
    private static let fewAlbums = 2
    private static let maxAlbums = 50

    private var ownKey: String { "sync.\(mount).own" }
    private var allKey: String { "sync.\(mount).all" }

    /// The fact `own` without its beginning; nil where the index has nothing of Navidrome's own API.
    private func own() async throws -> String? {
        guard let own = try await library.fact(ownKey), own.hasPrefix(Self.ownStart) else { return nil }
        return String(own.dropFirst(Self.ownStart.count))
    }

    private var catalog: NavidromeCatalog? {
        guard let session, session.canSignIn else { return nil }
        return NavidromeCatalog(session: session, client: client, settings: settings)
    }

    /// Reads what songs don't repeat, and what only Navidrome's own API tells of them; and when a scan touched an album
    /// last before that, nil where the server doesn't tell.
    func details() async throws -> (details: CatalogDetails, lastTouch: Int64?) {
        var lastTouch: Int64?
        var own: CatalogDetails?
        do {
            lastTouch = try await catalog?.lastTouch()
            own = try await catalog?.details()
        } catch let error as SubsonicError where error.code != .closed {
            lastTouch = nil
            // Other servers have no such API; nor has a web page that stands before a Navidrome for a while.
            logger.log(
                level: error.code == .unsupported ? .debug : .info,
                "song details from Navidrome's own API are unchanged: \(chain: error)")
        }
        var details = try await Phase2WalkSongs(client: client, settings: settings).details()
        if let own {
            details.add(own)
        } else if try await self.own() != nil {
            details.ownAPI = .unread
        }
        return (details, lastTouch)
    }

    /// Keeps how far the index goes by Navidrome's own API.
    func rememberReading(_ walked: Walked) async throws {
        let own: String? =
            switch walked.details.ownAPI {
            case .none: nil
            case .read: Self.ownStart + (walked.lastTouch.map(String.init) ?? "untold")
            case .unread: Self.ownStart + "untold"
            }
        if try await library.fact(ownKey) != own { try await library.setFact(ownKey, own) }
        if !walked.isPart, own != nil { try await library.setFact(allKey, String(UnixTime.seconds)) }
    }

    // MARK: A part

    /// Reads the songs of the albums that scans touched since the index was last complete; nil where that can't be
    /// known, or doesn't add up: then all songs are read.
    func walkTouchedAlbums(from start: Start) async throws -> SyncWalk<Walked>? {
        guard !start.wantsAll, let status = start.status, let catalog,
            let last = try await own().flatMap({ Int64($0) }), try await trustsTouches()
        else { return nil }
        do {
            return try await walkTouchedAlbums(since: last, from: start, status, catalog)
        } catch let error as SubsonicError where error.code != .closed {
            logger.debug("reading all songs, since the server doesn't say which ones changed: \(chain: error)")
            return nil
        }
    }

    /// True if the user sees this many songs, as Navidrome's own API tells: the scan status counts those of all
    /// libraries, also where songs come and go that the user doesn't see.
    func sees(_ count: Int) async throws -> Bool {
        do { return try await catalog?.session.songCount() == count } catch let error as SubsonicError
            where error.code != .closed
        { return false }
    }

    private func trustsTouches() async throws -> Bool {
        guard let last = try await library.fact(allKey).flatMap({ Int64($0) }) else { return false }
        return (0..<Self.maxTrust).contains(UnixTime.seconds.subtractingClamped(last))
    }

    private func walkTouchedAlbums(
        since last: Int64, from start: Start, _ status: ScanStatus, _ catalog: NavidromeCatalog
    ) async throws -> SyncWalk<Walked>? {
        let clock = try await library.markClock()
        var diff = Phase3Diff(known: try await library.index.knownSongs(mount: mount))
        // Everything takes a request for each page by either API; an album takes one of each.
        let limit = min(max(Self.fewAlbums, diff.knownCount / settings.pageSize), Self.maxAlbums)
        guard let (albums, newest) = try await catalog.touched(since: last, atMost: limit),
            let part = try await catalog.songs(ofAlbums: albums)
        else { return nil }
        var tagged = try await keptSheets()
        if settings.server.readsTaggedSheets { tagged.replace(part.own, logger: logger) }
        let sheets = DiscSheets(folder: start.cueFolder, tagged: tagged)
        let mapping = SongMapping(mount: mount, details: part.details, sheets: sheets)
        diff.add(part.songs.flatMap(mapping.songs))
        let gone = Set(part.own.filter { $0.isMissing && diff.knows($0.id) }.map(\.id))
        let count = diff.knownWholes + diff.newWholes - gone.count
        guard diff.duplicates == 0 else { return nil }
        let surplus = try await comparison.surplus() ?? 0
        if status.count != count.addingClamped(surplus), try await !sees(count) { return nil }
        var ending = SyncEnding()
        ending.outcome.summary.songs = count
        let walked = Walked(
            diff: diff, details: part.details, status: status, count: count, isPart: true, lastTouch: newest,
            libraries: start.libraries, tagged: tagged, sheetStamp: sheetStamp(start.cueFolder), clock: clock)
        return SyncWalk(ending: ending, found: (diff.changes(of: mount, gone: gone), walked))
    }
}

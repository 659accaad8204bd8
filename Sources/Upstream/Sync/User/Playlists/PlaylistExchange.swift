import Coordination
import Foundation
import LibraryIndex
package import Logging
import MusicModel
package import Subsonic
package import UserLibrary

/// Brings the stored playlists and the server's together, both ways.
///
/// Every playlist is read, merged and sent on its own: one that the server refuses does not hold the others up. What
/// both had last is kept for each, so that a side that did not change is never taken for one that did; see
/// `PlaylistMerge` for what happens when both changed.
struct PlaylistExchange {
    struct Result: Sendable {
        /// True if clients see anything else than before.
        var isVisible = false
        /// True if the server was told anything.
        var hasSent = false
        /// The first failure of a single playlist; the others were done all the same.
        var failure: SubsonicError?
    }

    /// How often a playlist that is edited while it is sent is sent again at once.
    private static let rounds = 5
    /// A smart playlist is read again after this many seconds, since its date does not tell, unless the server says
    /// that it is still what it was. Opening one has the server evaluate it.
    private static let smartAge: Int64 = 120

    let client: SubsonicClient
    let library: Library
    let inFlight: Int
    let logger: Logger

    /// Exchanges everything once; songs may have come, moved or gone since the last time. Throws when the server can't
    /// be used.
    func run(songsChanged: Bool) async throws -> Result {
        try await library.playlistTurn.acquire()
        defer { library.playlistTurn.release() }
        let result = try await exchange(songsChanged: songsChanged)
        // A list of 500,000 songs leaves 60 MB of texts that were compared and sent.
        if result.hasSent || result.isVisible { library.releaseMemory() }
        return result
    }

    private func exchange(songsChanged: Bool) async throws -> Result {
        var result = Result()
        if songsChanged { result.isVisible = try await library.renewPlaylistSongs() }
        for round in 0..<2 {
            let listed: [SubsonicPlaylist]
            do {
                listed = try await client.playlists().filter(isOurs)
            } catch let error as SubsonicError where error.code == .unsupported {
                return result
            }
            try await deleteThere(listed, &result)
            try await forgetLost(listed, &result)
            try await read(listed, songsChanged: songsChanged && round == 0, &result)
            guard try await create(besides: listed, &result), round == 0 else { break }
        }
        return result
    }

    // MARK: What the server has

    /// True if the user should see it: an administrator is shown what others keep for themselves.
    private func isOurs(_ playlist: SubsonicPlaylist) -> Bool {
        playlist.isPublic || owner(of: playlist) == nil
    }

    /// The owner of a playlist; nil for the user's own.
    private func owner(of playlist: SubsonicPlaylist) -> String? {
        guard let owner = playlist.owner, owner.lowercased() != client.username.lowercased() else { return nil }
        return owner
    }

    private func described(_ playlist: SubsonicPlaylist) -> ServerPlaylist {
        let changed = playlist.changed.flatMap(TimeText.milliseconds) ?? 0
        return ServerPlaylist(
            serverID: playlist.id, name: TagText.clean(playlist.name ?? "") ?? playlist.id, changed: changed,
            stamp: changed == 0 ? nil : playlist.changed,
            locked: owner(of: playlist) ?? (playlist.isReadOnly ? "" : nil), songIDs: playlist.entryIDs ?? [])
    }

    /// A playlist with its entries; nil if it was deleted meanwhile.
    private func fetched(_ id: String) async throws -> ServerPlaylist? {
        // Opening a smart playlist evaluates it and moves its date: the answer's date is the one to keep.
        try await client.playlist(id: id).map(described)
    }

    /// Reads and merges what changed on either side.
    private func read(
        _ listed: [SubsonicPlaylist], songsChanged: Bool, _ result: inout Result
    ) async throws {
        let known = Dictionary(
            try await library.playlistOverviews().compactMap { playlist in playlist.serverID.map { ($0, playlist) } }
        ) { $1 }
        let now = Int64(Date().timeIntervalSince1970)
        let due = listed.filter { playlist in
            guard let ours = known[playlist.id] else { return true }
            let described = described(playlist)
            let valid = playlist.validUntil.flatMap(TimeText.seconds) ?? 0
            let isOld = max(ours.fetched.addingClamped(Self.smartAge), valid) < now
            return ours.edited != nil || described.stamp == nil || described.stamp != ours.stamp
                || described.name != ours.serverName || (described.locked != nil) != ours.isLocked
                || playlist.isReadOnly && (songsChanged || isOld)
        }
        for start in stride(from: 0, to: due.count, by: inFlight) {
            let ids = due[start..<min(start + inFlight, due.count)].map(\.id)
            for page in try await ids.concurrentMap(atMost: inFlight, { await page($0) }) {
                try await take(page, &result)
            }
        }
    }

    /// The result of reading one playlist. Optimised builds with Swift 6.3 lose the last of a list of
    /// `Result<ServerPlaylist?, any Error>`.
    private struct Page: Sendable {
        /// The playlist; nil if it was deleted meanwhile, or can't be read.
        var playlist: ServerPlaylist?
        var failure: (any Error)?
    }

    private func page(_ id: String) async -> Page {
        do { return Page(playlist: try await fetched(id)) } catch { return Page(failure: error) }
    }

    private func take(_ page: Page, _ result: inout Result) async throws {
        do {
            if let failure = page.failure { throw failure }
            if let playlist = page.playlist { try await merge(playlist, &result) }
        } catch let error as SubsonicError {
            try note(error, &result)
        }
    }

    /// Merges a playlist, which the server may have just been made of a push of ours, of which not all songs may be
    /// sent; and sends what the server lacks until both are the same. True if it is to be deleted there, because ours
    /// was deleted meanwhile.
    @discardableResult
    private func merge(
        _ remote: ServerPlaylist, _ result: inout Result, madeOf source: PlaylistPush? = nil, whole: Bool = true
    ) async throws -> Bool {
        var outcome = try await library.mergePlaylist(
            remote, justSent: source != nil && whole, madeOf: source?.id, named: source?.shownName)
        for _ in 0..<Self.rounds {
            note(outcome, &result)
            guard let push = outcome.push else { break }
            let after = try await PlaylistSending(client: client, library: library, push: push).send()
            result.hasSent = true
            // One that was deleted meanwhile is made again by the next exchange.
            guard let after else { break }
            let sentName = push.name == nil ? nil : push.shownName
            outcome = try await library.mergePlaylist(described(after), justSent: true, named: sentName)
        }
        return outcome.isUnwanted
    }

    private func note(_ outcome: PlaylistMergeOutcome, _ result: inout Result) {
        if outcome.isVisible { result.isVisible = true }
        if let copy = outcome.conflictCopy {
            logger.notice("a playlist was edited here and on the server; the earlier edit is kept as \"\(copy)\"")
        }
    }

    // MARK: What only one side has

    /// Deletes on the server what was deleted here, unless it was edited there.
    private func deleteThere(_ listed: [SubsonicPlaylist], _ result: inout Result) async throws {
        for id in try await library.playlistDeletions() {
            try await attempt(&result) { result in
                if listed.contains(where: { $0.id == id }), let remote = try await fetched(id),
                    try await library.mayDeletePlaylist(remote)
                {
                    // It may be gone: the answer to an earlier attempt was lost, or another client was quicker.
                    try await client.deletePlaylist(id: id)
                    result.hasSent = true
                }
                try await library.forgetPlaylistDeletion(id)
            }
        }
    }

    /// Deletes here what was deleted on the server.
    private func forgetLost(_ listed: [SubsonicPlaylist], _ result: inout Result) async throws {
        let ids = Set(listed.map(\.id))
        for playlist in try await library.playlistOverviews() {
            guard let serverID = playlist.serverID, !ids.contains(serverID) else { continue }
            try await attempt(&result) { result in
                let hasForgotten = playlist.isLocked ? false : try await hasForgottenSongs(of: playlist.id)
                if try await library.loseServerPlaylist(playlist.id, serverForgot: hasForgotten) {
                    result.isVisible = true
                }
            }
        }
    }

    /// True if the server knows none of a playlist's songs any more: its database is a new one.
    private func hasForgottenSongs(of playlist: Int64) async throws -> Bool {
        let probe = try await library.playlistProbe(playlist)
        for id in probe where try await client.song(id: id) != nil { return false }
        return !probe.isEmpty
    }

    /// Makes our new playlists on the server. True if the server has to be asked what it made, or is to delete some of
    /// it.
    private func create(besides listed: [SubsonicPlaylist], _ result: inout Result) async throws -> Bool {
        var mustCheck = false
        var known = Set(listed.map(\.id))
        for push in try await library.playlistsToCreate() {
            try await attempt(&result) { result in
                let sending = PlaylistSending(client: client, library: library, push: push)
                var made = try await sending.create().map(described)
                result.hasSent = true
                if made == nil { made = try await newest(&known, called: push.name) }
                guard let made else { return mustCheck = true }
                known.insert(made.serverID)
                if try await merge(made, &result, madeOf: push, whole: sending.isOnePiece) { mustCheck = true }
            }
        }
        return mustCheck
    }

    /// The playlist that was just made on a server that doesn't say which one that is; nil where that can't be told.
    private func newest(_ known: inout Set<String>, called name: String?) async throws -> ServerPlaylist? {
        let new = try await client.playlists().filter { isOurs($0) && !known.contains($0.id) }
        known.formUnion(new.map(\.id))
        let named = new.filter { described($0).name == name }
        guard let made = named.count == 1 ? named[0] : new.count == 1 ? new[0] : nil else { return nil }
        return try await fetched(made.id)
    }

    // MARK: Failures

    /// Does something for one playlist; a refusal that is about this one is noted and lets the others continue.
    private func attempt(_ result: inout Result, _ body: (inout Result) async throws -> Void) async throws {
        do {
            try await body(&result)
        } catch let error as SubsonicError {
            try note(error, &result)
        }
    }

    /// Keeps a refusal that is about one playlist, and throws an error that is about the server.
    private func note(_ error: SubsonicError, _ result: inout Result) throws {
        switch error.code {
        case .unauthorized, .credentialNotSupported, .unreachable, .insecure, .redirected, .badSettings, .closed:
            throw error
        default:
            result.failure = result.failure ?? error
            logger.debug("a playlist can't be synced yet: \(chain: error)")
        }
    }
}

/// Sends edits of playlists to the server.
package struct PlaylistWriter: UpstreamWriting {
    private let client: SubsonicClient
    private let library: Library
    private let changed: @Sendable () -> Void
    private let logger: Logger

    /// Makes the writer; `changed` is called when clients see other playlists than before, because the server had
    /// changes as well.
    package init(
        client: SubsonicClient, library: Library, changed: @escaping @Sendable () -> Void, logger: Logger
    ) {
        (self.client, self.library, self.changed, self.logger) = (client, library, changed, logger)
    }

    package var name: String { "edits of playlists" }

    package func push() async throws -> Bool {
        guard try await library.hasPlaylistWork() else { return false }
        let exchange = PlaylistExchange(client: client, library: library, inFlight: 4, logger: logger)
        let result = try await exchange.run(songsChanged: false)
        if result.isVisible { changed() }
        if let failure = result.failure { throw failure }
        return result.hasSent
    }
}

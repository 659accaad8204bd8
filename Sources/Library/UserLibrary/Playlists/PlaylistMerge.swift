import LibraryIndex
import MusicModel

/// Brings a playlist of the server and ours together, inside a transaction. A change on one side only goes to the
/// other; what both added or took out is joined (`PlaylistJoin`). Where both changed the order, that of the later
/// change counts, and the other list is kept as `NAME (conflict DATE)`. Entries that the server can't have or hides
/// stay next to their neighbours.
struct PlaylistMerge {
    private let store: PlaylistStore
    private let remote: ServerPlaylist
    private let remoteSongs: Set<ExactText>
    /// True if the server's list was read after sending ours, so that what it lacks are songs that it does not know.
    private let justSent: Bool
    /// The playlist of ours that the server just made this one of; nil for others.
    private let source: Int64?
    /// Ours as it was called when its name was just sent; nil when that was not.
    private let sentName: String?
    private let now: Int64
    private var outcome = PlaylistMergeOutcome()

    init(
        _ store: PlaylistStore, _ remote: ServerPlaylist, justSent: Bool, source: Int64? = nil,
        sentName: String? = nil, now: Int64
    ) {
        (self.store, self.remote) = (store, remote)
        remoteSongs = Set(remote.songIDs.lazy.map { ExactText($0) })
        (self.justSent, self.source, self.sentName, self.now) = (justSent, source, sentName, now)
    }

    mutating func run() throws -> PlaylistMergeOutcome {
        if let known = try store.playlist(serverID: remote.serverID) {
            try merge(known)
        } else if let ours = try made() ?? counterpart() {
            try store.link(ours.id, to: remote.serverID, locked: nil)
            try merge(ours)
        } else if let source, try store.base(of: source) == nil {
            // Deleted here while the server made it; another playlist may have its number by now.
            try store.noteDeletion(of: remote.serverID, name: remote.name, songs: remote.songIDs)
            outcome.isUnwanted = true
        } else {
            try add()
        }
        return outcome
    }

    // MARK: A playlist that we don't have

    /// The playlist of ours that the server just made this one of: its id says so, whatever became of its name.
    private func made() throws -> PlaylistStore.Playlist? {
        guard let source, try store.base(of: source)?.attempt != nil, let ours = try store.playlist(id: source),
            ours.serverID == nil
        else { return nil }
        return ours
    }

    /// The playlist of ours that this one was made from, or that has the same name and nothing that differs.
    private func counterpart() throws -> PlaylistStore.Playlist? {
        guard remote.locked == nil else { return nil }
        if let ours = try sent() { return ours }
        let name = PlaylistName.fitted(remote.name)
        guard let named = try store.playlist(name), named.serverID == nil else { return nil }
        let songs = try store.entries(named.id).compactMap(\.serverSong)
        guard try songs.isEmpty || isSame(songs, entries: []) else { return nil }
        if try store.base(of: named.id) == nil {
            let base = PlaylistStore.SyncBase(serverName: remote.name, shownName: named.name, stamp: nil, songs: [])
            try store.write(base, of: named.id, now: now)
        }
        return named
    }

    /// The playlist that this one was made from, rather under the same name: the server may have changed that.
    private func sent() throws -> PlaylistStore.Playlist? {
        let made = try store.beingMade().filter { PlaylistName.mayBe(remote.name, of: $0.sentAs) }
        for (ours, _) in made.filter({ ExactText.equal(remote.name, $0.sentAs) }) + made {
            guard var base = try store.base(of: ours.id), let attempt = base.attempt,
                try isReceived(attempt, whole: false, entries: [])
            else { continue }
            // Its answer to the name that was sent, which is not sent again.
            base.serverName = remote.name
            try store.write(base, of: ours.id, now: now)
            return ours
        }
        return nil
    }

    private mutating func add() throws {
        let name = PlaylistName.fitted(remote.name)
        if let ours = try store.playlist(name), ours.serverID == nil {
            try store.rename(ours.id, to: try store.freeName(name, for: nil))
        }
        let shown = try store.freeName(name, for: nil)
        let id = try store.create(shown, modified: remote.changed / 1000)
        try store.link(id, to: remote.serverID, locked: remote.locked)
        try store.replace(id, try remote.songIDs.map { try store.entry($0) })
        let base = PlaylistStore.SyncBase(
            serverName: remote.name, shownName: shown, stamp: remote.stamp, songs: remote.songIDs)
        try store.write(base, of: id, now: now)
        outcome.isVisible = true
    }

    // MARK: A playlist that both have

    private mutating func merge(_ playlist: PlaylistStore.Playlist) throws {
        let entries = try store.entries(playlist.id)
        let songs = entries.compactMap(\.serverSong)
        var base =
            try store.base(of: playlist.id)
            ?? PlaylistStore.SyncBase(serverName: remote.name, shownName: playlist.name, stamp: nil, songs: songs)
        if let attempt = base.attempt, let received = try received(attempt, base, entries) {
            base.songs = received
            base.attempt = nil
        } else if try !isUnchanged(base, entries) {
            base = try takeOver(playlist, entries, base)
            base.attempt = nil
        }
        base.stamp = remote.stamp
        try mergeName(of: playlist, &base)
        if playlist.locked != remote.locked {
            try store.link(playlist.id, to: remote.serverID, locked: remote.locked)
            outcome.isVisible = true
        }
        try store.write(base, of: playlist.id, now: now)
        try preparePush(playlist.id, base)
    }

    private mutating func takeOver(
        _ playlist: PlaylistStore.Playlist, _ entries: [PlaylistStore.Entry], _ base: PlaylistStore.SyncBase
    ) throws -> PlaylistStore.SyncBase {
        var base = base
        let songs = entries.compactMap(\.serverSong)
        let isEdited = playlist.edited != nil && songs != base.songs
        if isEdited, try isSame(songs, entries: entries) {
            base.songs = songs
            return base
        }
        if isEdited, remote.locked == nil {
            let join = PlaylistJoin(entries, theirs: remote.songIDs, common: base.songs)
            if let joined = try join.joined({ try store.entry($0) }) {
                try store.replace(playlist.id, joined)
                outcome.isVisible = true
                base.songs = remote.songIDs
                return base
            }
        }
        if isEdited, remote.locked == nil, let edited = playlist.edited, edited >= remote.changed {
            let copy = try remote.songIDs.map { try store.entry($0) }
            try keep(copy, of: playlist.name)
            base.songs = remote.songIDs
            return base
        }
        if isEdited { try keep(entries, of: playlist.name) }
        base.songs = try adopt(playlist.id, entries, base, isEdited: isEdited)
        return base
    }

    private mutating func adopt(
        _ id: Int64, _ entries: [PlaylistStore.Entry], _ base: PlaylistStore.SyncBase, isEdited: Bool
    ) throws -> [String] {
        let common = Set(base.songs.lazy.map { ExactText($0) })
        let isOurs = entries.map { entry in
            guard let song = entry.serverSong.map({ ExactText($0) }) else { return true }
            if remoteSongs.contains(song) { return false }
            // Missing files are hidden there as well; a new id of a song that moved is not known there yet.
            return entry.item != nil && (!entry.isVisible || !isEdited && !common.contains(song))
        }
        let placement = EntryPlacement(entries, isOurs: isOurs)
        let merged = try placement.merged(into: remote.songIDs) { try store.entry($0) }
        if merged.map(\.item) != entries.map(\.item) || merged.map(\.serverSong) != entries.map(\.serverSong) {
            try store.replace(id, merged)
            outcome.isVisible = true
        }
        if remote.changed > 0 { try store.date(id, remote.changed / 1000) }
        let shared = merged.filter { entry in
            guard let song = entry.serverSong else { return false }
            return remoteSongs.contains(ExactText(song)) || !entry.isVisible
        }
        if shared.count < merged.count(where: { $0.serverSong != nil }) { try store.touch(id, now: now) }
        return shared.compactMap(\.serverSong)
    }

    private mutating func keep(_ entries: [PlaylistStore.Entry], of name: String) throws {
        let copy = try store.freeName(ConflictCopy.name(of: name, madeAt: now), for: nil)
        let id = try store.create(copy, modified: now / 1000)
        try store.replace(id, entries)
        try store.touch(id, now: now)
        outcome.conflictCopy = copy
        outcome.isVisible = true
    }

    private mutating func mergeName(
        of playlist: PlaylistStore.Playlist, _ base: inout PlaylistStore.SyncBase
    ) throws {
        // The server's name after it was sent one is its answer, and is not asked for again.
        if let sentName {
            base.shownName = sentName
            base.serverName = PlaylistName.forServer(sentName)
        }
        let isRenamedThere = !PlaylistName.isSame(base.serverName, onServer: remote.name)
        let isRenamedHere = !ExactText.equal(playlist.name, base.shownName)
        base.serverName = remote.name
        if isRenamedHere, PlaylistName.isSame(playlist.name, onServer: remote.name) {
            base.shownName = playlist.name
        } else if isRenamedThere, !isRenamedHere || remote.locked != nil || (playlist.edited ?? 0) < remote.changed {
            let name = try store.freeName(PlaylistName.fitted(remote.name), for: playlist.id)
            if !ExactText.equal(name, playlist.name) {
                try store.rename(playlist.id, to: name)
                outcome.isVisible = true
            }
            base.shownName = name
        }
    }

    private mutating func preparePush(_ id: Int64, _ base: PlaylistStore.SyncBase) throws {
        guard let playlist = try store.playlist(id: id), let edited = playlist.edited else { return }
        let entries = try store.entries(id)
        let songs = entries.compactMap(\.serverSong)
        let isRenamed = !ExactText.equal(playlist.name, base.shownName)
        if remote.locked != nil || songs == base.songs && !isRenamed { return try store.markSent(id, edited) }
        outcome.push = PlaylistPush(
            id: id, shownName: playlist.name, serverID: remote.serverID,
            name: isRenamed ? PlaylistName.forServer(playlist.name) : nil,
            songIDs: songs == base.songs ? nil : songs,
            knownSongIDs: entries.filter { $0.isVisible }.compactMap(\.serverSong), present: remote.songIDs,
            edited: edited)
    }

    // MARK: Comparing

    private func isUnchanged(_ base: PlaylistStore.SyncBase, _ entries: [PlaylistStore.Entry]) throws -> Bool {
        // A smart playlist changes without a date.
        if let stamp = remote.stamp, stamp == base.stamp, remote.locked != "" { return true }
        return try isSame(base.songs, entries: entries)
    }

    func isSame(_ songs: [String], entries: [PlaylistStore.Entry]) throws -> Bool {
        if songs == remote.songIDs { return true }
        let awaited = Set(entries.lazy.filter { $0.item == nil }.compactMap(\.serverSong).map { ExactText($0) })
        let shown = try songs.filter { song in
            if remoteSongs.contains(ExactText(song)) { return true }
            guard let known = try store.song(song) else { return awaited.contains(ExactText(song)) }
            return known.isVisible
        }
        return shown == remote.songIDs
    }

    /// The songs that were sent and have arrived; nil where the server's list is another user's.
    private func received(
        _ attempt: [String], _ base: PlaylistStore.SyncBase, _ entries: [PlaylistStore.Entry]
    ) throws -> [String]? {
        if try isReceived(attempt, whole: true, entries: entries) { return attempt }
        if justSent, attempt.filter({ remoteSongs.contains(ExactText($0)) }) == remote.songIDs { return attempt }
        if try isReceived(attempt, whole: false, entries: entries) { return remote.songIDs }
        // A list is emptied by way of one song.
        let isOneOfMany = remote.songIDs.count == 1 && base.songs.count > 1 && base.songs.contains(remote.songIDs[0])
        return attempt.isEmpty && isOneOfMany ? remote.songIDs : nil
    }

    /// True if the server's list is what was sent, or with `whole` false a beginning of it: long lists go in pieces.
    private func isReceived(_ attempt: [String], whole: Bool, entries: [PlaylistStore.Entry]) throws -> Bool {
        if try isSame(attempt, entries: entries) { return true }
        guard !whole, remote.songIDs.count >= PlaylistPush.pieceSize / 2, attempt.count > remote.songIDs.count else {
            return false
        }
        return attempt.filter { remoteSongs.contains(ExactText($0)) }.starts(with: remote.songIDs)
    }
}

extension PlaylistPush {
    /// How many songs go to the server in one call; servers take 10,000 parameters.
    package static let pieceSize = 5_000
}

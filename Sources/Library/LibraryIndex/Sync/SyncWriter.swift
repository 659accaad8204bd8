import GRDB
import MPDProtocol
import MusicModel

/// Applies what a sync found, inside one write transaction.
///
/// 1. `collect`: which songs are new, changed, back or gone; lost songs under new ids are recognised.
/// 2. `assignPaths`: clean and unique paths.
/// 3. `place`: directories, the order of songs within them, numbers for new songs.
/// 4. `writeSongs`: rows, rendered blocks, tags.
/// 5. `finish`: empty directories, dates, counters, the generation.
struct SyncWriter {
    private let database: Database
    private var pending: [PendingSong] = []
    private var lost: [StoredSong] = []
    private var touchedDirectories: Set<Int64> = []
    private var values: ValueStore
    private var tree: DirectoryTree
    private var result = AppliedChanges()

    init(_ database: Database) throws {
        self.database = database
        values = ValueStore(database)
        tree = DirectoryTree(database)
    }

    mutating func apply(_ changes: LibraryChanges, now: Int64) throws -> AppliedChanges {
        try collect(changes)
        guard !pending.isEmpty || !lost.isEmpty else { return result }
        try discardLostSongs()
        if !pending.isEmpty {
            // A folder that is empty now may be where a song wants to be: a file that was a disc is a song again.
            touchedDirectories = try tree.prune(touchedDirectories)
            try assignPaths()
            try place()
            try writeSongs()
        }
        try finish(now: now)
        result.changedAnything = true
        return result
    }

    // MARK: 1. What changed

    private mutating func collect(_ changes: LibraryChanges) throws {
        let store = try SongStore(database)
        let isEmpty = try !database.has("SELECT 1 FROM song")
        var unknown: [Int] = []
        var known: Set<Int64> = []
        for song in Self.withoutRepeats(changes.upserts) {
            guard !isEmpty, let row = try store.song(source: song.sourceID, mount: changes.mount) else {
                unknown.append(pending.count)
                pending.append(PendingSong(song))
                continue
            }
            known.insert(row.id)
            if row.isPresent && row.hash == Int64(bitPattern: song.hash) { continue }
            var change = PendingSong(song)
            change.take(row)
            pending.append(change)
        }
        for source in Set(changes.removals.map(ExactText.init)) {
            guard let row = try store.song(source: source.text, mount: changes.mount), row.isPresent else { continue }
            if known.insert(row.id).inserted { lost.append(row) }
        }
        if !unknown.isEmpty { try recognise(unknown, known: known) }
    }

    private static func withoutRepeats(_ songs: [IndexedSong]) -> [IndexedSong] {
        let indices = songs.enumerated().map { (ExactText($1.sourceID), $0) }
        let last = Dictionary(indices, uniquingKeysWith: { $1 })
        return songs.enumerated().filter { last[ExactText($1.sourceID)] == $0 }.map(\.element)
    }

    private mutating func recognise(_ unknown: [Int], known: Set<Int64>) throws {
        let candidates = lost + (try SongStore(database).goneSongs().filter { !known.contains($0.id) })
        guard !candidates.isEmpty else { return }
        let matching = IdentityMatching(lost: candidates.map(\.identity), found: unknown.map { pending[$0].identity })
        var taken: Set<Int64> = []
        for (place, match) in zip(unknown, matching.matches) {
            guard let match else { continue }
            pending[place].take(candidates[match])
            taken.insert(candidates[match].id)
        }
        lost.removeAll { taken.contains($0.id) }
    }

    private mutating func discardLostSongs() throws {
        let store = try SongStore(database)
        for song in lost {
            values.unlink(song.id, song.tags)
            try store.lose(song.id)
            if let directory = song.directory { touchedDirectories.insert(directory) }
            result.removed.insert(SongID(rawValue: song.id))
        }
    }

    // MARK: 2. Paths

    private mutating func assignPaths() throws {
        var paths = try PathAssignment(database)
        for song in pending { paths.reserveDirectories(of: song.wanted) }
        let known = Set(pending.map(\.id))
        for id in try paths.displacedSongs() where !known.contains(id) {
            guard let song = try SongStore(database).indexedSong(id) else { continue }
            var moved = PendingSong(song.song)
            moved.take(song.row)
            pending.append(moved)
        }
        // Release all old paths first, then assign the new ones.
        let lift = try SQLStatement(
            database, "UPDATE song SET walk = NULL, wanted = ifnull(wanted, uri), uri = NULL WHERE id = ?")
        var moving: [Int] = []
        for index in pending.indices {
            let isFree = pending[index].song.isHidden || !paths.isDirectory(pending[index].uri)
            if pending[index].keepsPath && isFree { continue }
            moving.append(index)
            pending[index].hasNewPath = true
            guard pending[index].wasPresent else { continue }
            try lift.run(pending[index].id)
        }
        for index in moving {
            let isHidden = pending[index].song.isHidden
            pending[index].uri = try paths.take(pending[index].wanted, besideDirectories: isHidden)
        }
        for song in pending { if let old = song.row?.directory { touchedDirectories.insert(old) } }
    }

    // MARK: 3. Places

    private mutating func place() throws {
        let shown = pending.indices.filter { !pending[$0].song.isHidden }
        let members = Dictionary(grouping: shown) { ExactText(directoryPath(of: pending[$0].uri)) }
        let directories = try tree.ensure(Set(members.keys))
        var placement = try SongPlacement(database)
        let inOrder = directories.sorted { $0.value.number < $1.value.number }
        for (path, directory) in inOrder {
            touchedDirectories.insert(directory.id)
            try placement.place(members[path] ?? [], of: &pending, in: directory)
        }
        for index in pending.indices where pending[index].song.isHidden { placement.number(&pending[index]) }
    }

    // MARK: 4. Rows

    private mutating func writeSongs() throws {
        let lists = try values.store(pending)
        let store = try SongStore(database)
        // Tables grow at their ends.
        let order = pending.indices.sorted { pending[$0].id < pending[$1].id }
        for index in order {
            let song = pending[index]
            let items = lists[index]
            try store.write(song, tags: items)
            if song.song.wholeID == nil {
                try store.writeBlock(song.id, SongBlock.text(of: song.rendered, mask: .standard))
            }
            if case let former = song.row?.tags ?? [], former != items {
                values.unlink(song.id, former)
                values.link(song.id, items)
            }
            if song.wasPresent {
                result.updated.insert(SongID(rawValue: song.id))
            } else if !song.song.isHidden {
                result.added += 1
            }
        }
        try writeTracks(store)
    }

    /// The blocks of tracks of cue sheets that were written, or whose whole songs have other paths now.
    private mutating func writeTracks(_ store: SongStore) throws {
        let written = pending.filter { $0.song.wholeID != nil }
        for track in written {
            var rendered = track.rendered
            rendered.wholeURI = try track.song.wholeID.flatMap { try store.path(source: $0, mount: track.song.mount) }
            try store.writeBlock(track.id, SongBlock.text(of: rendered, mask: .standard))
        }
        guard try store.hasTracks() else { return }
        let done = Set(written.map(\.id))
        let reader = try SongReader(database)
        for whole in pending where whole.song.wholeID == nil && whole.hasNewPath {
            for id in try store.tracks(of: whole.song.sourceID, mount: whole.song.mount) where !done.contains(id) {
                guard let track = try reader.song(id) else { continue }
                try store.writeBlock(id, SongBlock.text(of: track, mask: .standard))
                result.updated.insert(SongID(rawValue: id))
            }
        }
    }

    // MARK: 5. The end

    private mutating func finish(now: Int64) throws {
        try values.finish()
        try tree.date(try tree.prune(touchedDirectories))
        try database.run(
            """
            UPDATE library SET generation = generation + 1, updated = max(updated + 1, ?),
                (songs, playtime) = (SELECT count(*), ifnull(sum(duration), 0)
                    FROM song INDEXED BY song_walk WHERE walk IS NOT NULL)
            """, now)
    }
}

/// The path up to the last slash; empty in the root.
func directoryPath(of uri: String) -> String { uri.utf8.lastIndex(of: 0x2F).map { String(uri[..<$0]) } ?? "" }

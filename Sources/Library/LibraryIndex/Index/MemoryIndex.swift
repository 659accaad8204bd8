import GRDB
import MPDProtocol
import MusicModel

/// The description that the index gives of itself, by which what memory has of it is judged.
struct IndexState: Sendable {
    var generation: Int64
    var hasPlaylistFiles: Bool

    init(_ database: Database) throws {
        let sql = "SELECT generation, EXISTS (SELECT 1 FROM playlist_file) FROM library"
        (generation, hasPlaylistFiles) = try database.first(sql) { ($0.int(0), $0.int(1) != 0) } ?? (-1, true)
    }
}

/// The index in memory at one moment. Its answers are nil where they need more than that, or where nothing is found.
package struct MemoryIndex: Sendable {
    let index: MusicIndex
    let parts: AnswerCache.Parts
    private let hasPlaylistFiles: Bool

    fileprivate init(_ index: MusicIndex, _ parts: AnswerCache.Parts, hasPlaylistFiles: Bool) {
        (self.index, self.parts, self.hasPlaylistFiles) = (index, parts, hasPlaylistFiles)
    }

    var order: WalkOrder { parts.order }

    /// The paths and names; where they are missing they are read in the background, for clients that browse.
    private var texts: TreeTexts? {
        if parts.texts == nil { index.want(.texts, order) }
        return parts.texts
    }

    func songs(below uri: String) -> ArraySlice<UInt32>? {
        guard let texts else { return nil }
        switch texts.find(uri, order) {
        case nil: return nil
        case .song(let song): return [song]
        case .directory(let position):
            let songs = order.songs(inDirectories: texts.subtree(of: position))
            return songs.count <= MusicIndex.few ? songs : nil
        }
    }

    func queueable(below uri: String) -> [QueueableSong]? {
        guard let songs = songs(below: uri), let gains = parts.gains else { return nil }
        return songs.map { QueueableSong($0, order, gains) }
    }

    func song(at uri: String) -> UInt32? {
        guard case .song(let song) = texts?.find(uri, order) else { return nil }
        return song
    }

    /// The same with the fields for the queue.
    package func queueableSong(at uri: String) -> QueueableSong? {
        guard let song = song(at: uri), let gains = parts.gains else { return nil }
        return QueueableSong(song, order, gains)
    }

    func songs(inFolder path: String, _ mask: TagMask) -> AnswerCursor? {
        guard let texts = parts.texts, case .directory(let position) = texts.find(path, order) else { return nil }
        let songs = order.songs(inDirectories: texts.subtree(of: position))
        return songs.count <= MusicIndex.few ? cursor([.songs(songs, .blocks(mask))]) : nil
    }

    func contents(of uri: String, _ form: SongText.Form) -> AnswerCursor? {
        guard let texts, !hasPlaylistFiles else { return nil }
        switch texts.find(uri, order) {
        case nil: return nil
        case .song(let song): return cursor([.songs([song][...], form)])
        case .directory(let position):
            var directories: [UInt8] = []
            guard texts.appendChildren(of: position, max: MusicIndex.few, to: &directories) else { return nil }
            let songs = order.songs(inDirectories: position..<position + 1)
            return cursor([.songs(songs, form), .text(directories)])
        }
    }

    func tree(below uri: String, _ form: SongText.Form) -> AnswerCursor? {
        guard let texts, !hasPlaylistFiles else { return nil }
        switch texts.find(uri, order) {
        case nil: return nil
        case .song(let song): return cursor([.songs([song][...], form)])
        case .directory(let position):
            let directories = texts.subtree(of: position)
            guard directories.count + order.songs(inDirectories: directories).count <= MusicIndex.few else {
                return nil
            }
            let tree = AnswerWork.Tree(
                order: order, directories: directories, form: form,
                directoryText: DirectoryText(withTime: form != .uris), playlists: [:], texts: texts)
            return cursor([], tree: tree)
        }
    }

    func cursor(_ items: [AnswerWork.Item], tree: AnswerWork.Tree? = nil) -> AnswerCursor? {
        try? AnswerCursor(AnswerWork(items, tree: tree), SongText(self))
    }
}

/// Thrown where an answer needs more than memory has; it is then read from the index.
struct NotInMemory: Error {}

extension MusicIndex {
    /// The part of the index in memory as it is now; nil where the order of the tree is still to be read.
    package var memory: MemoryIndex? {
        let writes = database.writeCount
        var known = cache.verified(at: writes)
        if known == nil, let state = database.quickly({ try IndexState($0) }) {
            cache.verify(state, at: writes)
            known = cache.verified(at: writes)
        }
        return known.map { MemoryIndex(self, $0.parts, hasPlaylistFiles: $0.hasPlaylistFiles) }
    }

    /// Has a part read in the background, after an answer that it would have made cheap.
    func want(_ part: AnswerCache.Want, _ order: WalkOrder) {
        guard cache.firstToWant(part, order) else { return }
        Task.detached(priority: .utility) { [self] in
            try await read { [cache] database in
                let order = try cache.order(database)
                switch part {
                case .texts: _ = try cache.texts(database, order: order)
                case .column(let tag): _ = try cache.column(database, tag, order: order).texts(folded: true)
                }
            }
        }
    }
}

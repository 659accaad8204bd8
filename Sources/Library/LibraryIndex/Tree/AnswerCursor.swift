import GRDB
import MPDProtocol
import MusicModel
import Synchronization

/// One answer of many bytes, read from the index in pieces of 64 KiB as the client takes them. Between reads no
/// connection and no snapshot is held but the list of song numbers: songs that vanish meanwhile are left out.
package final class AnswerCursor: Sendable {
    /// Pieces read at once, so that one hop to a reader thread serves several writes to the client.
    private static let piecesPerRead = 4

    private struct State: Sendable {
        var work: AnswerWork
        /// Those to hand out, the next one last.
        var pieces: [[UInt8]] = []
        var ahead: Task<(AnswerWork, [[UInt8]]), any Error>?
    }

    private let musicIndex: MusicIndex
    private let state: Mutex<State>

    /// Starts an answer and reads its first piece.
    init(_ work: AnswerWork, _ writer: SongText) throws {
        musicIndex = writer.musicIndex
        var work = work
        let pieces = try work.pieces(writer, atMost: 1)
        state = Mutex(State(work: work, pieces: pieces))
    }

    convenience init(
        _ musicIndex: MusicIndex, _ items: [AnswerWork.Item], tree: AnswerWork.Tree? = nil, _ database: Database
    ) throws { try self.init(AnswerWork(items, tree: tree), SongText(musicIndex, database)) }

    /// The next piece; nil after the last. One caller at a time.
    /// - Throws: `LibraryError` when the index can't be read.
    package func next(isolation: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
        if let piece = state.withLock({ $0.pieces.popLast() }) {
            _ = readAhead()
            return piece
        }
        guard let ahead = readAhead() else { return nil }
        let (work, pieces) = try await ahead.value
        return state.withLock { state in
            state = State(work: work, pieces: pieces.reversed())
            return state.pieces.popLast()
        }
    }

    private func readAhead() -> Task<(AnswerWork, [[UInt8]]), any Error>? {
        state.withLock { state in
            if state.ahead == nil, state.pieces.count < 2, !state.work.isDone {
                state.ahead = Task { [musicIndex, next = state.work] in
                    if let memory = musicIndex.memory,
                        let found = try? next.read(SongText(memory), Self.piecesPerRead)
                    {
                        return found
                    }
                    return try await musicIndex.read { [musicIndex] database in
                        try next.read(SongText(musicIndex, database), Self.piecesPerRead)
                    }
                }
            }
            return state.ahead
        }
    }
}

struct AnswerWork: Sendable {
    enum Item: Sendable {
        case songs(ArraySlice<UInt32>, SongText.Form)
        case directories(ArraySlice<Int64>, DirectoryText)
        case listing(SongListing, TagMask)
        case text([UInt8])
    }

    /// A part of a tree: directories by their places in the order, each with its line and its songs.
    struct Tree: Sendable {
        var order: WalkOrder
        var directories: Range<Int>
        var form: SongText.Form
        var directoryText: DirectoryText
        /// The lines of playlist files by the numbers of their directories.
        var playlists: [Int64: [UInt8]]
        /// The lines of directories, and of songs where nothing else is wanted of them; nil reads them from the index.
        var texts: TreeTexts?
    }

    static let pieceSize = 60 << 10

    private var items: [Item]
    private var tree: Tree?
    init(_ items: [Item], tree: Tree? = nil) { (self.items, self.tree) = (items.reversed(), tree) }

    var isDone: Bool { items.isEmpty && (tree?.directories.isEmpty ?? true) }

    func read(_ writer: SongText, _ limit: Int) throws -> (AnswerWork, [[UInt8]]) {
        var work = self
        let pieces = try work.pieces(writer, atMost: limit)
        return (work, pieces)
    }

    /// Reads up to `limit` pieces; half of the work is done where that throws.
    mutating func pieces(_ writer: SongText, atMost limit: Int) throws -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        while pieces.count < limit, !isDone {
            var piece: [UInt8] = []
            // Small answers grow as they need.
            if !pieces.isEmpty || isLong { piece.reserveCapacity(Self.pieceSize + 4096) }
            while piece.count < Self.pieceSize, !isDone { try append(writer, to: &piece) }
            if !piece.isEmpty { pieces.append(piece) }
        }
        return pieces
    }

    private var isLong: Bool {
        if tree != nil { return true }
        return items.contains { item in
            switch item {
            case .songs(let songs, _): songs.count > 100
            case .listing(let listing, _): listing.count > 100
            case .directories(let directories, _): directories.count > 100
            case .text: false
            }
        }
    }

    private mutating func append(_ writer: SongText, to piece: inout [UInt8]) throws {
        guard let item = items.popLast() else { return unfoldDirectory(to: &piece) }
        switch item {
        case .songs(let songs, let form):
            let rest = try writer.append(songs, form, to: &piece, until: Self.pieceSize)
            if !rest.isEmpty { items.append(.songs(rest, form)) }
        case .directories(let directories, let text):
            let rest = try text.append(directories, writer.connection(), to: &piece, until: Self.pieceSize)
            if !rest.isEmpty { items.append(.directories(rest, text)) }
        case .listing(var listing, let mask):
            try writer.append(&listing, mask, to: &piece, until: Self.pieceSize)
            if !listing.isDone { items.append(.listing(listing, mask)) }
        case .text(let bytes): piece.append(contentsOf: bytes)
        }
    }

    private mutating func unfoldDirectory(to piece: inout [UInt8]) {
        guard var tree, let index = tree.directories.first else { return }
        let directory = tree.order.directories[index]
        let songs = tree.order.songs(inDirectories: index..<(index + 1))
        // A directory of very many songs would make the piece too long.
        if tree.form == .uris, let texts = tree.texts, songs.count < 1000 {
            texts.append(directory: index, tree.order, to: &piece)
            if let playlists = tree.playlists[directory.id] { piece.append(contentsOf: playlists) }
            self.tree?.directories = tree.directories.dropFirst()
            return
        }
        if let playlists = tree.playlists[directory.id] { items.append(.text(playlists)) }
        if !songs.isEmpty { items.append(.songs(songs, tree.form)) }
        // The root has no line of its own.
        if let texts = tree.texts {
            texts.appendLine(ofDirectory: index, withTime: tree.directoryText.withTime, to: &piece)
        } else if directory.number != 0 {
            items.append(.directories([directory.id][...], tree.directoryText))
        }
        tree.directories = tree.directories.dropFirst()
        self.tree = tree
    }
}

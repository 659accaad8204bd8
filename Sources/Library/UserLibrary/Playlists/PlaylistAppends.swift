import Glibc
import LibraryIndex
import MusicModel
import Synchronization

/// Songs that clients have just put at the ends of stored playlists, on their way into the database.
///
/// Each addition is a line of a file beside the database before the client hears `OK`, so that it outlives the program,
/// and a fifth of a second later they all go into the database together. A transaction for each would cost several
/// times what MPD needs for a line in a playlist file. The database knows the number of the last one that it has.
/// - Isolation: any.
final class PlaylistAppends: Sendable {
    /// One addition.
    struct Append: Hashable, Sendable {
        /// Grows from one to the next, also over restarts.
        var number: Int64
        /// Unix milliseconds.
        var edited: Int64
        var playlist: String
        var songs: [SongID]
    }

    private struct State {
        var waiting: [Append] = []
        /// -1 until it is needed.
        var file: CInt = -1
        /// The bytes of the file.
        var size = 0
        var next: Int64 = 1
        var isClosed = false
        /// How many more entries the playlist may have that was added to last.
        var room = 0
    }

    /// The suffix of the file's name.
    static let fileSuffix = "-edits"

    /// More songs at once are not worth the way round.
    static let mostSongs = 64

    private let path: String
    private let state = Mutex(State())
    /// Whether the last attempt to bring them into the database failed.
    let isFailing = Atomic(false)

    /// Keeps the file at `path`.
    init(_ path: String) { self.path = path }

    deinit {
        let file = state.withLock { $0.file }
        if file >= 0 { Glibc.close(file) }
    }

    /// Takes over what a program that ended at once has left, but for what the database has: all up to `applied`.
    func restore(after applied: Int64) {
        let found = Self.read(path)
        state.withLock { state in
            state.waiting = found.filter { $0.number > applied }
            state.next = max(applied, found.last?.number ?? 0).addingClamped(1)
            // A line that was cut off would run into the next one.
            if state.waiting.isEmpty { unlink(path) }
        }
    }

    /// Whether nothing waits.
    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// How many more entries a playlist may have for which something waits, and which may therefore be added to; nil
    /// for others.
    func room(for playlist: String) -> Int? {
        state.withLock { state in
            guard let last = state.waiting.last, ExactText.equal(last.playlist, playlist) else { return nil }
            return state.room
        }
    }

    /// Those that wait and that the database does not have.
    func waiting(after applied: Int64) -> [Append] {
        state.withLock { state in state.waiting.filter { $0.number > applied } }
    }

    /// Takes an addition to a playlist that has room for so many entries; false when it can't be written, and then
    /// nothing has happened.
    func add(_ songs: [SongID], to playlist: String, edited: Int64, room: Int) -> Bool {
        state.withLock { state in
            guard !state.isClosed, open(&state) else { return false }
            let append = Append(number: state.next, edited: edited, playlist: playlist, songs: songs)
            let line = Self.line(append)
            let written = line.withUnsafeBytes { write(state.file, $0.baseAddress, $0.count) }
            guard written == line.count else {
                _ = ftruncate(state.file, off_t(state.size))
                return false
            }
            state.size += written
            state.next += 1
            state.waiting.append(append)
            state.room = room - songs.count
            return true
        }
    }

    /// Forgets what the database has by now.
    func forget(upTo number: Int64) {
        state.withLock { state in
            state.waiting.removeAll { $0.number <= number }
            guard state.waiting.isEmpty else { return }
            if state.file < 0 {
                unlink(path)
            } else if state.size > 0 {
                _ = ftruncate(state.file, 0)
            }
            state.size = 0
        }
    }

    /// Takes no more.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if state.file >= 0 { Glibc.close(state.file) }
            state.file = -1
            if state.waiting.isEmpty { unlink(path) }
        }
    }

    private func open(_ state: inout State) -> Bool {
        if state.file >= 0 { return true }
        state.file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard state.file >= 0 else { return false }
        state.size = Int(lseek(state.file, 0, SEEK_END))
        return true
    }

    // MARK: Lines

    /// `NUMBER TIME SONG,SONG... NAME`; names have no line ends.
    private static func line(_ append: Append) -> [UInt8] {
        var line: [UInt8] = []
        line.appendDecimal(Int(append.number))
        line.append(0x20)
        line.appendDecimal(Int(append.edited))
        for (index, song) in append.songs.enumerated() {
            line.append(index == 0 ? 0x20 : 0x2C)
            line.appendDecimal(Int(song.rawValue))
        }
        line.append(0x20)
        line.append(contentsOf: append.playlist.utf8)
        line.append(0x0A)
        return line
    }

    /// The whole lines of a file; none where there is no such file.
    static func read(_ path: String) -> [Append] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes.append(contentsOf: buffer[..<count])
        }
        // A line without an end was cut off while it was written: its client has not heard `OK`.
        guard let end = bytes.lastIndex(of: 0x0A) else { return [] }
        return bytes[..<end].split(separator: 0x0A).compactMap { line in
            let parts = line.split(separator: 0x20, maxSplits: 3).map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 4, let number = Int64(parts[0]), let edited = Int64(parts[1]) else { return nil }
            let songs = parts[2].split(separator: ",").compactMap { Int64($0).map(SongID.init(rawValue:)) }
            return Append(number: number, edited: edited, playlist: parts[3], songs: songs)
        }
    }
}

extension PlaylistStore {
    private static let applied = "playlists.appended"

    /// The number of the last addition that the database has.
    func applied() throws -> Int64 {
        try Facts(database).value(Self.applied).flatMap { Int64($0) } ?? 0
    }

    /// Puts what waits where it belongs, as edits of the time at which they were made.
    ///
    /// - Returns: the number of the last one.
    func apply(_ appends: PlaylistAppends) throws -> Int64 {
        let applied = try applied()
        let waiting = appends.waiting(after: applied)
        guard let last = waiting.last else { return applied }
        var start = 0
        while start < waiting.count {
            // Those to one playlist follow one another, mostly, and are one write then.
            let name = waiting[start].playlist
            let group = waiting[start...].prefix { ExactText.equal($0.playlist, name) }
            start = group.endIndex
            guard let edited = group.last?.edited else { break }
            let id = try target(name, edited)
            try append(id, group.flatMap { $0.songs.map { .song($0) } })
            try touch(id, now: edited)
        }
        try Facts(database).set(Self.applied, String(last.number))
        return last.number
    }

    /// The playlist of this name; a new one where there is none, or where it may not be edited any more.
    private func target(_ name: String, _ edited: Int64) throws -> Int64 {
        if let known = try playlist(name), known.locked == nil { return known.id }
        return try create(try freeName(name, for: nil), modified: edited / 1000)
    }
}

package import MusicModel

/// Songs in an order of the caller's, with what an answer says around each: a queue, or a stored playlist. Plain
/// numbers, so that a queue of 100,000 entries is no more than a megabyte while a slow client reads it.
package struct SongListing: Sendable {
    /// The detail in which songs are described.
    package enum Form: Sendable {
        /// The block, then `Pos`, `Id` and, if not 0, `Prio`.
        case entries
        case songs
        case uris
        /// The `file` line behind the position in the list: `0:file: ...`.
        case numberedURIs

        fileprivate var showsURIs: Bool { self == .uris || self == .numberedURIs }

        /// True if it is a queue, which shows songs that are gone as they were last: one of them may be playing.
        fileprivate var showsGone: Bool { self == .entries || self == .numberedURIs }
    }

    private let form: Form
    /// Song numbers; 0 where a text of the caller's stands for the song.
    private var songs: [UInt32] = []
    private var positions: [UInt32] = []
    private var ids: [UInt32] = []
    /// The priorities that are not 0, by index.
    private var priorities: [Int: UInt8] = [:]
    /// The entries that play parts of their songs, or have tags of their own, by index.
    private var parts: [Int: ListedPart] = [:]
    private var texts: [Int: [UInt8]] = [:]
    private var done = 0

    /// Makes an empty listing with room for `count` songs.
    package init(_ form: Form, count: Int = 0) {
        self.form = form
        songs.reserveCapacity(count)
        guard case .entries = form else { return }
        positions.reserveCapacity(count)
        ids.reserveCapacity(count)
    }

    /// True if `file` lines are all that is said.
    package var showsURIs: Bool { form.showsURIs }

    /// How many songs there are.
    package var count: Int { songs.count }

    /// Adds a song of the index; one that is gone by the time it is written is left out, except for a queue.
    package mutating func append(_ song: SongID) { songs.append(UInt32(clamping: song.rawValue)) }

    /// Adds what stands for a song that is not in the index: its block or, in a form with URIs, its `file` line.
    package mutating func append(text: [UInt8]) {
        texts[songs.count] = text
        songs.append(0)
    }

    /// Says where in the queue the song that was added last stands.
    package mutating func place(at position: Int, id: QueueEntryID, priority: Int) {
        positions.append(UInt32(clamping: position))
        ids.append(id.rawValue)
        if priority != 0 { priorities[songs.count - 1] = UInt8(clamping: priority) }
    }

    /// Says that the entry that was added last differs from its song.
    package mutating func part(_ part: ListedPart) { parts[songs.count - 1] = part }

    /// True if all songs have been dealt with.
    package var isDone: Bool { done == songs.count }

    /// The numbers of those that have not.
    package var rest: ArraySlice<UInt32> { songs[done...] }

    /// The next song if a queue shows it also when the index has it no longer.
    package var lasting: UInt32? { form.showsGone && done < songs.count && songs[done] != 0 ? songs[done] : nil }

    /// Begins the next song, of which what the index has is appended next; returns where that begins.
    package func beginSong(_ buffer: inout [UInt8]) -> Int {
        if form == .numberedURIs {
            buffer.appendDecimal(done)
            buffer.append(UInt8(ascii: ":"))
        }
        return buffer.count
    }

    /// Completes the next song, begun at `start`, behind what the index has of it, which was appended from `body` on.
    package mutating func finishSong(from start: Int, body: Int, _ buffer: inout [UInt8]) {
        let index = done
        done += 1
        if buffer.count == body {
            guard let text = texts[index] else {
                buffer.removeLast(body - start)
                return
            }
            buffer.append(contentsOf: text)
        }
        switch form {
        case .uris, .numberedURIs: break
        case .songs:
            if !parts.isEmpty { parts[index]?.rewrite(from: start, &buffer) }
        case .entries:
            if !parts.isEmpty { parts[index]?.rewrite(from: start, &buffer) }
            buffer.append(contentsOf: "Pos: ".utf8)
            buffer.appendDecimal(Int(positions[index]))
            buffer.append(contentsOf: "\nId: ".utf8)
            buffer.appendDecimal(Int(ids[index]))
            if !priorities.isEmpty, let priority = priorities[index] {
                buffer.append(contentsOf: "\nPrio: ".utf8)
                buffer.appendDecimal(Int(priority))
            }
            buffer.append(0x0A)
        }
    }
}

extension ResponseWriter {
    /// Appends a song's block: URI, times in UTC, format, the tags of `mask` in their order, duration; what is unknown
    /// is absent. `RealUri` and `Range` are those of a part of a file, as in MPD 0.25.
    package mutating func song(_ song: Song, mask: TagMask) {
        line("file: ", song.uri)
        if let whole = song.wholeURI { line("RealUri: ", whole) }
        if let range = song.range { line("Range: ", range.wireText) }
        if let time = song.lastModified { line("Last-Modified: ", unixTime: time) }
        if let time = song.added { line("Added: ", unixTime: time) }
        if let format = song.format { line("Format: ", format.wireText) }
        for value in song.tags where mask.contains(value.tag) { line(value.tag, value.value) }
        if let duration = song.duration {
            line("Time: ", duration.roundedSeconds)
            line("duration: ", duration)
        }
    }
}

extension SongRange {
    /// Seconds with three decimals: `START-END`, or `START-` up to the file's end.
    var wireText: String { start.wireSeconds + "-" + (end.map(\.wireSeconds) ?? "") }
}

extension Duration {
    /// Seconds that are not negative, cut off after three decimals.
    var wireSeconds: String {
        let (seconds, attoseconds) = components
        // A song that became shorter than its part has less than no time left.
        return "\(max(0, seconds))." + max(0, attoseconds / 1_000_000_000_000_000).padded(to: 3)
    }
}

/// The text that clients get of a song, from `file: ...` to `duration: ...`, every line with its line feed and shorter
/// than 4,096 bytes; so an index can store it ready to send.
package enum SongBlock {
    /// Moves when the text changes its form; blocks that were stored by another version must be written again.
    package static let version = 1

    /// The block of a song with the tags of `mask`.
    package static func text(of song: Song, mask: TagMask) -> [UInt8] {
        var writer = ResponseWriter()
        writer.song(song, mask: mask)
        return writer.collected
    }
}

/// Lines of files, folders and playlists in listings, where a library has hundreds of thousands of them.
extension [UInt8] {
    /// Appends the `file` line of a path.
    package mutating func appendFile(_ path: UnsafeRawBufferPointer) { appendLine("file: ", path) }

    /// Appends the `file` line of a name in a folder; the root's path is empty.
    package mutating func appendFile(_ name: ArraySlice<UInt8>, in folder: ArraySlice<UInt8>) {
        append("file: ")
        if !folder.isEmpty {
            append(contentsOf: folder)
            append(0x2F)
        }
        append(contentsOf: name)
        append(0x0A)
    }

    /// Appends the line of a directory.
    package mutating func appendDirectory(_ path: UnsafeRawBufferPointer) { appendLine("directory: ", path) }

    /// Appends the line of a playlist file.
    package mutating func appendPlaylist(_ path: UnsafeRawBufferPointer) { appendLine("playlist: ", path) }

    /// Appends the size of a file in bytes.
    package mutating func appendSize(_ bytes: Int64) { append(contentsOf: "size: \(bytes)\n".utf8) }

    /// Appends a time in Unix seconds.
    package mutating func appendLastModified(_ seconds: Int64) {
        append("Last-Modified: ")
        TimeStamp.write(seconds) { append($0) }
        append(0x0A)
    }

    private mutating func appendLine(_ key: StaticString, _ value: UnsafeRawBufferPointer) {
        append(key)
        append(contentsOf: value)
        append(0x0A)
    }

    mutating func append(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }

    mutating func appendDecimal(_ number: Int) {
        let start = count
        var rest = number
        repeat {
            append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}

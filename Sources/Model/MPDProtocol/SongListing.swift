package import MusicModel

/// Songs in an order of the caller's, with what an answer says around each: a queue, or a stored playlist. Plain
/// numbers, so that a queue of 100,000 entries is no more than a megabyte while a slow client reads it.
package struct SongListing: Sendable {
    /// The detail in which songs are described.
    package enum Form: Sendable {
        /// The block, then `Pos`, `Id` and, if not 0, `Prio`.
        case entries
        /// The block.
        case songs
        /// The `file` line.
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

    // MARK: Writing

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

    /// Completes the next song, which was begun at `start`, and of which what the index has was appended from `body`
    /// on.
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

import Coordination
package import LibraryIndex
import MPDProtocol
package import MusicModel
package import Playback
import ServerLoop
import UserLibrary

extension ResponseWriter {
    /// Copies an answer of the index, waiting for the client where it reads slowly.
    mutating func copy(_ cursor: AnswerCursor) async throws {
        while let piece = try await cursor.next() {
            bytes(piece)
            try await flushIfFull()
        }
    }

    /// Appends entries of the queue with `Pos`, `Id` and, if not 0, `Prio`; it may change while the client reads.
    @ServerActor
    mutating func queueEntries(
        _ entries: QueueEntries, at positions: some RandomAccessCollection<Int> & Sendable, in context: CommandContext
    ) async throws {
        let mask = context.client.tagMask
        guard positions.count >= Player.manyEntries else {
            let listing = SongListing(entries, at: positions, mask: mask)
            return try await copy(try await context.server.library.index.text(of: listing, mask: mask))
        }
        let size = positions.count.multipliedClamped(by: Self.memoryOfEntry).addingClamped(Self.memoryOfAnswer)
        let room = try await context.server.memoryBudget.reserve(size, for: "a long list of the queue")
        defer { room.release() }
        let listing = await LongList.beside { SongListing(entries, at: positions, mask: mask) }
        try await copy(try await context.server.library.index.text(of: listing, mask: mask))
    }

    /// The bytes that each entry takes in the list of a long answer.
    private static let memoryOfEntry = 12
    /// The bytes of its answer that a client that doesn't read holds as well.
    private static let memoryOfAnswer = 512 << 10

    /// Appends the blocks or the `file` lines of a part of a playlist; songs that are gone are left out.
    @ServerActor
    mutating func playlistEntries(
        _ entries: consuming [PlaylistEntry], _ range: ArgumentRange, _ form: SongListing.Form,
        in context: CommandContext
    ) async throws {
        let mask = context.client.tagMask
        let listing = await LongList.handle(consume entries) { entries in
            let part = range.part(of: entries)
            var listing = SongListing(form, count: part.count)
            for entry in part {
                listing.append(entry.item, lasting: entry.duration, mask: mask)
                guard form == .songs, !entry.isMissing else { continue }
                listing.part(entry.range, of: entry.duration, entry.sheetTags, mask)
            }
            return listing
        }
        try await copy(try await context.server.library.index.text(of: listing, mask: mask))
    }

    @ServerActor
    mutating func queueURIs(_ entries: QueueEntries, in context: CommandContext) async throws {
        let mask = context.client.tagMask
        let listing =
            entries.count < Player.manyEntries
            ? SongListing(numbering: entries, mask: mask)
            : await LongList.beside { SongListing(numbering: entries, mask: mask) }
        try await copy(try await context.server.library.index.text(of: listing, mask: mask))
    }
}

extension SongListing {
    fileprivate init(numbering entries: QueueEntries, mask: TagMask) {
        self.init(.numberedURIs, count: entries.count)
        entries.forEach(in: 0..<entries.count) { _, _, item, _ in append(item, mask: mask) }
    }

    fileprivate init(_ entries: QueueEntries, at positions: some RandomAccessCollection<Int>, mask: TagMask) {
        self.init(.entries, count: positions.count)
        if let range = positions as? Range<Int> {
            entries.forEach(in: range) { position, id, item, priority in
                append(item, lasting: item.isSong ? nil : entries[position].duration, mask: mask)
                place(at: position, id: id, priority: priority)
                let (range, tags) = (entries.range(of: id), entries.sheetTags(of: id))
                if range != nil || !tags.isEmpty { part(range, of: entries[position].duration, tags, mask) }
            }
        } else {
            for position in positions {
                let entry = entries[position]
                append(entry.item, lasting: entry.duration, mask: mask)
                place(at: position, id: entry.id, priority: entry.priority)
                part(entry.range, of: entry.duration, entry.sheetTags, mask)
            }
        }
    }

    /// Says what the entry that was added last plays of its song, and which tags a cue sheet has for it.
    fileprivate mutating func part(_ range: SongRange?, of whole: Duration?, _ tags: [TagValue], _ mask: TagMask) {
        guard range != nil || !tags.isEmpty else { return }
        part(ListedPart(range, of: whole, tags: tags, mask: mask))
    }

    /// Adds what an item plays; a stream is rendered here, since the index has none.
    fileprivate mutating func append(_ item: QueueItem, lasting duration: Duration? = nil, mask: TagMask) {
        switch item {
        case .song(let id): append(id)
        case .stream(let url, let tags):
            var song = Song(stream: url, tags: showsURIs ? [] : tags)
            if !showsURIs { song.duration = duration }
            append(text: SongBlock.text(of: song, mask: mask))
        }
    }
}

extension MusicIndex {
    /// The songs behind items in their order; a song that is gone is nil, unless it is wanted as it was last.
    package func songs(behind items: [QueueItem], alsoGone: Bool = false) async throws -> [Song?] {
        let ids = items.compactMap(\.songID)
        var found = (ids.isEmpty ? [] : try await songs(ids, alsoGone: alsoGone)).makeIterator()
        return items.map { item in
            switch item {
            case .song: found.next() ?? nil
            case .stream(let url, let tags): Song(stream: url, tags: tags)
            }
        }
    }
}

extension Song {
    /// A stream as clients see it, without credentials in its URL.
    package init(stream url: String, tags: [TagValue]) { self.init(uri: StreamURL.withoutCredentials(url), tags: tags) }
}

extension QueueCandidate {
    /// The entry that plays a song of the library.
    package init(_ song: QueueableSong) {
        self.init(.song(song.id), duration: song.duration, replayGain: song.replayGain)
    }
}

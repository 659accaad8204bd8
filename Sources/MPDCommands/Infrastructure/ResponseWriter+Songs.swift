import Library
import MPDProtocol
import MusicModel
import NIOCore
import Playback
import ServerLoop

extension ResponseWriter {
    /// How many songs are fetched from the index at a time.
    private static let batchSize = 512

    /// Appends a decimal number such as `-17` or `1.5` as a line.
    mutating func line(_ key: StaticString, decimal value: Double) {
        text(key)
        number(value)
        endLine()
    }

    /// Copies an answer of the index, as fast as the client takes it.
    ///
    /// - Isolation: the caller's; suspends for the index and the client.
    mutating func copy(_ cursor: AnswerCursor) async throws {
        while let piece = try await cursor.next() {
            bytes(piece)
            try await flushIfFull()
        }
    }

    /// Appends entries of the queue with `Pos`, `Id` and, if not 0, `Prio`.
    ///
    /// - Parameter entries: a snapshot of the whole queue, because the queue may change while the client reads.
    /// - Isolation: ServerActor; suspends for the index and the client.
    /// - Source: MPD v0.24.13 src/queue/Print.cxx `queue_print_song_info`.
    @ServerActor
    mutating func queueEntries(
        _ entries: [QueueEntry], at positions: some RandomAccessCollection<Int>, in context: CommandContext
    ) async throws {
        try await items(positions.lazy.map { entries[$0].item }, in: context) { offset, block, writer in
            let position = positions[positions.index(positions.startIndex, offsetBy: offset)]
            writer.bytes(block)
            writer.line("Pos: ", position)
            writer.line("Id: ", entries[position].id.rawValue)
            if entries[position].priority != 0 { writer.line("Prio: ", entries[position].priority) }
        }
    }

    /// Appends the blocks of a stored playlist's items.
    @ServerActor
    mutating func playlistItems(_ items: some RandomAccessCollection<QueueItem>, in context: CommandContext)
        async throws
    {
        try await self.items(items, in: context) { _, block, writer in writer.bytes(block) }
    }

    /// Appends the `file` lines of items; `prefix` writes what stands in front of each.
    @ServerActor
    mutating func itemURIs(
        _ items: some RandomAccessCollection<QueueItem>, in context: CommandContext,
        prefix: (_ offset: Int, _ writer: inout ResponseWriter) -> Void = { _, _ in }
    ) async throws {
        // The standard mask's blocks lie ready in the index, and their first line is the URI.
        try await self.items(items, mask: .standard, in: context) { offset, block, writer in
            prefix(offset, &writer)
            writer.bytes(block.prefix { $0 != UInt8(ascii: "\n") })
            writer.endLine()
        }
    }

    /// Fetches the blocks of items batch by batch and lets `write` append them; songs that are gone are left out.
    @ServerActor
    private mutating func items(
        _ items: some RandomAccessCollection<QueueItem>, mask: TagMask? = nil, in context: CommandContext,
        write: (_ offset: Int, _ block: ArraySlice<UInt8>, _ writer: inout ResponseWriter) -> Void
    ) async throws {
        let mask = mask ?? context.client.tagMask
        var offset = 0
        while offset < items.count {
            let batch = Array(items.dropFirst(offset).prefix(Self.batchSize))
            let blocks = try await context.server.library.blocks(of: batch, mask: mask)
            for (index, block) in blocks.enumerated() where !block.isEmpty {
                write(offset + index, block, &self)
                if buffer.readableBytes >= Self.chunkSize { try await flush() }
            }
            offset += batch.count
        }
    }
}

extension Library {
    /// The blocks of items in their order; a song that is gone has an empty one.
    func blocks(of items: [QueueItem], mask: TagMask) async throws -> [ArraySlice<UInt8>] {
        let ids = items.compactMap { item in
            if case .song(let id) = item { id } else { nil }
        }
        let rendered = ids.isEmpty ? RenderedSongs() : try await rendered(ids, mask: mask)
        var song = 0
        var start = 0
        return items.map { item in
            switch item {
            case .song:
                let end = rendered.ends[song]
                defer { (song, start) = (song + 1, end) }
                return rendered.bytes[start..<end]
            case .stream(let url, let tags):
                return SongBlockRenderer().render(Song(stream: url, tags: tags), mask: mask)[...]
            }
        }
    }

    /// The songs behind items in their order; a song that is gone is nil.
    func songs(behind items: [QueueItem]) async throws -> [Song?] {
        let ids = items.compactMap { item in
            if case .song(let id) = item { id } else { nil }
        }
        var found = (ids.isEmpty ? [] : try await songs(ids)).makeIterator()
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
    init(stream url: String, tags: [TagValue]) {
        self.init(uri: LocatedURI.withoutCredentials(url), tags: tags)
    }
}

extension QueueCandidate {
    /// A song of the library on its way into the queue.
    init(_ song: QueueableSong) {
        self.init(.song(song.id), duration: song.duration, replayGain: song.replayGain)
    }
}

import Coordination
import LibraryIndex
import MusicModel
import Subsonic

/// Phase 2: reads the server's list of songs page by page, some pages at once, and hands them on in their order.
///
/// Paging by offset is not safe while the library changes: whether the pages add up to the library is for the caller
/// to check, by the count and by the scan status before and after.
struct Phase2WalkSongs {
    private struct Page: Sendable {
        let index, received, skipped: Int
        let songs: [IndexedSong]
    }

    let client: SubsonicClient
    let settings: SyncSettings
    /// Is asked before each page, so that caches give way to it.
    var memoryBudget: MemoryBudget = .unlimited

    /// How many pages are read at the same time: one while memory is short.
    var pagesInFlight: Int { memoryBudget.isTight ? 1 : settings.pagesInFlight }

    /// Reads albums and artists, which tell what songs don't repeat; a server without such lists has no details.
    func details() async throws -> CatalogDetails {
        var details = CatalogDetails()
        do {
            try await settings.everyPage(of: client, client.albums(offset:count:)) { details.add($0) }
            try await settings.everyPage(of: client, client.artists(offset:count:)) { details.add($0) }
        } catch let error as SubsonicError where error.code == .unsupported {}
        return details
    }

    /// Reads every song. `total` is how many there should be, if known, which saves asking beyond the end; `each` takes
    /// the songs of a page, one at a time in order, which after an error are a true but incomplete part. Returns how
    /// many entries had no usable id.
    func run(
        total: Int?, mapping: SongMapping, each: (_ songs: [IndexedSong]) async throws -> Void
    ) async throws -> Int {
        let first = try await page(0, size: settings.pageSize, mapping: mapping)
        // To some servers a search for nothing finds nothing.
        if first.received == 0, total != 0 {
            try await SongsByAlbum(client: client, settings: settings).run(mapping: mapping, each: each)
            return 0
        }
        var skipped = first.skipped
        try await each(first.songs)
        guard let size = try await pageSize(first: first, total: total) else { return skipped }
        try await rest(size: size, total: total, mapping: mapping) { page in
            skipped += page.skipped
            try await each(page.songs)
        }
        return skipped
    }

    /// The size of the following pages; nil if the first page was all.
    ///
    /// A page shorter than asked for is the end, or the server's own limit: then something comes after it.
    private func pageSize(first: Page, total: Int?) async throws -> Int? {
        if first.received >= settings.pageSize { return settings.pageSize }
        guard first.received > 0, first.received != total else { return nil }
        let probe = try await client.songs(offset: first.received, count: 1)
        return probe.received > 0 ? first.received : nil
    }

    private func rest(
        size: Int, total: Int?, mapping: SongMapping, each: (_ page: Page) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Page.self) { group in
            var requested = 1
            var delivered = 1
            var isEnd = false
            var early: [Int: Page] = [:]
            while true {
                while !isEnd, requested - delivered < pagesInFlight, requested * size < total ?? .max {
                    let index = requested
                    group.addTask { try await page(index, size: size, mapping: mapping) }
                    requested += 1
                }
                guard let page = try await group.next() else { return }
                if page.received < size { isEnd = true }
                early[page.index] = page
                while let next = early.removeValue(forKey: delivered) {
                    try await each(next)
                    delivered += 1
                }
            }
        }
    }

    private func page(_ index: Int, size: Int, mapping: SongMapping) async throws -> Page {
        guard index.multipliedClamped(by: size) < settings.maxEntries else {
            throw SubsonicError(endlessListOf: client, settings)
        }
        let page = try await client.songs(offset: index * size, count: size)
        return Page(
            index: index, received: page.received, skipped: page.skipped, songs: page.items.flatMap(mapping.songs))
    }
}

extension SubsonicError {
    /// A list that has another page behind all that a library can have.
    init(endlessListOf client: SubsonicClient, _ settings: SyncSettings) {
        self.init(.badAnswer, "\(client.shownAddress) lists more than \(settings.maxEntries) entries.")
    }
}

extension SyncSettings {
    /// Reads a list page by page; one without an end is an error.
    func everyPage<Item>(
        of client: SubsonicClient, _ fetch: (_ offset: Int, _ count: Int) async throws -> SubsonicPage<Item>,
        each: (Item) -> Void
    ) async throws {
        var offset = 0
        while offset < maxEntries {
            let page = try await fetch(offset, pageSize)
            for item in page.items { each(item) }
            guard page.received >= pageSize else { return }
            offset += page.received
        }
        throw SubsonicError(endlessListOf: client, self)
    }
}

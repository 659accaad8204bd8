import LibraryIndex
import MusicModel
import Subsonic

/// Walks a server whose search for nothing finds nothing, as Airsonic's: by its albums, and by its folders where it has
/// more songs than these. Each is a request.
struct SongsByAlbum {
    private static let maxDepth = 64

    let client: SubsonicClient
    let settings: SyncSettings

    /// Reads every song; what was handed on before an error is a true but incomplete part.
    func run(mapping: SongMapping, each: (_ songs: [IndexedSong]) async throws -> Void) async throws {
        var seen: Set<String> = []
        func take(_ songs: [SubsonicSong]) async throws {
            let new = songs.filter { seen.insert($0.id).inserted }
            guard seen.count < settings.maxEntries else { throw SubsonicError(endlessListOf: client, settings) }
            if !new.isEmpty { try await each(new.flatMap(mapping.songs)) }
        }
        try await readAlbums(take)
        // Some count what their last scan saw, and nothing after a restart.
        let counted = try await client.scanStatus()?.count ?? 0
        if counted == 0 || counted > seen.count { try await readFolders(take) }
    }

    private func readAlbums(_ take: ([SubsonicSong]) async throws -> Void) async throws {
        var albums: Set<String> = []
        var offset = 0
        while offset < settings.maxEntries {
            let page: SubsonicPage<SubsonicAlbum>
            do {
                page = try await client.albums(
                    ofType: "alphabeticalByName", offset: offset, count: min(settings.pageSize, 500))
            } catch let error as SubsonicError where error.isAbsence && offset == 0 {
                return
            }
            let new = page.items.map(\.id).filter { albums.insert($0).inserted }
            // Servers cap pages as they like, and may know no offset: what brings nothing new is the end.
            if new.isEmpty { return }
            offset += page.received
            try await inSlices(new) { id in
                try await client.album(id: id)?.songs ?? []
            } each: {
                try await take($0.flatMap(\.self))
            }
        }
        throw SubsonicError(endlessListOf: client, settings)
    }

    private func readFolders(_ take: ([SubsonicSong]) async throws -> Void) async throws {
        let top: SubsonicClient.Folder
        do { top = try await client.topFolders() } catch let error as SubsonicError where error.isAbsence { return }
        try await take(top.songs)
        var seen: Set<String> = []
        var level = top.folders
        for _ in 0..<Self.maxDepth {
            let new = level.filter { seen.insert($0).inserted }
            guard seen.count < settings.maxEntries else { throw SubsonicError(endlessListOf: client, settings) }
            if new.isEmpty { return }
            level = []
            try await inSlices(new) { id in
                try await client.folder(id: id) ?? SubsonicClient.Folder()
            } each: { folders in
                level += folders.flatMap(\.folders)
                try await take(folders.flatMap(\.songs))
            }
        }
    }

    /// Fetches by ids, some at once, and hands on what came in their order; what is gone by now is empty.
    private func inSlices<Found: Sendable>(
        _ ids: [String], _ fetch: @escaping @Sendable (_ id: String) async throws -> Found,
        each: (_ found: [Found]) async throws -> Void
    ) async throws {
        for start in stride(from: 0, to: ids.count, by: settings.pagesInFlight) {
            let some = Array(ids[start..<min(start + settings.pagesInFlight, ids.count)])
            try await each(try await some.concurrentMap(atMost: some.count, fetch))
        }
    }
}

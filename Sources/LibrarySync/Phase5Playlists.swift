import Foundation
import Library
import Logging
import Subsonic

/// Phase 5: brings the server's playlists into the index; entries are fetched only for playlists that changed.
struct Phase5Playlists {
    /// What is kept of a playlist between two syncs.
    private struct Record: Codable, Sendable {
        var id: String
        /// Differs when the playlist may hold other songs.
        var stamp: String
        var name: String
        var lastModified: Int64
        var songIDs: [String]
    }

    let client: SubsonicClient
    let library: Library
    let mount: String
    let inFlight: Int
    let logger: Logger

    private var key: String { "sync.\(mount).playlists" }

    /// Fetches what changed and writes it.
    ///
    /// - Parameter songsChanged: whether songs came or went, which changes playlists without their dates moving.
    /// - Returns: whether the index's playlists changed.
    func run(songsChanged: Bool) async throws -> Bool {
        let listed: [SubsonicPlaylist]
        do {
            listed = try await client.playlists()
        } catch let error as SubsonicError where error.code == .unsupported {
            return false
        }
        let old = try await records()
        let isSame =
            !songsChanged && listed.map(\.id) == old.map(\.id)
            && zip(listed, old).allSatisfy { Self.stamp(of: $0) == $1.stamp }
        if isSame { return false }
        let records = try await fetch(listed, old: songsChanged ? [:] : Dictionary(old.map { ($0.id, $0) }) { $1 })
        try await library.setFact(key, String(decoding: JSONEncoder().encode(records), as: UTF8.self))
        return try await library.replaceServerPlaylists(Self.named(records))
    }

    private func records() async throws -> [Record] {
        guard let text = try await library.fact(key) else { return [] }
        // What can't be read is fetched again.
        return (try? JSONDecoder().decode([Record].self, from: Data(text.utf8))) ?? []
    }

    private func fetch(_ listed: [SubsonicPlaylist], old: [String: Record]) async throws -> [Record] {
        var records: [Int: Record] = [:]
        try await withThrowingTaskGroup(of: (Int, Record?).self) { group in
            for (index, playlist) in listed.enumerated() {
                if let record = old[playlist.id], record.stamp == Self.stamp(of: playlist) {
                    records[index] = record
                    continue
                }
                if index >= inFlight, let (done, record) = try await group.next() { records[done] = record }
                group.addTask { (index, try await record(of: playlist)) }
            }
            for try await (done, record) in group { records[done] = record }
        }
        return listed.indices.compactMap { records[$0] }
    }

    /// A playlist with its entries; nil if it was deleted meanwhile.
    private func record(of listed: SubsonicPlaylist) async throws -> Record? {
        do {
            // Opening a smart playlist evaluates it and moves its date: the answer's date is the one to keep.
            let playlist = try await client.playlist(id: listed.id)
            return Record(
                id: playlist.id, stamp: Self.stamp(of: playlist), name: playlist.name ?? playlist.id,
                lastModified: playlist.changed.flatMap(TimeText.seconds) ?? 0, songIDs: playlist.entryIDs ?? [])
        } catch let error as SubsonicError where error.code == .notFound {
            logger.debug("a playlist was deleted while it was read")
            return nil
        }
    }

    private static func stamp(of playlist: SubsonicPlaylist) -> String {
        "\(playlist.changed ?? "") \(playlist.songCount ?? 0) \(playlist.name ?? "")"
    }

    /// Playlists with names without control characters, no two alike; the index replaces what the protocol forbids.
    private static func named(_ records: [Record]) -> [ServerPlaylist] {
        var taken: Set<String> = []
        return records.map { record in
            let base = TagText.clean(record.name) ?? record.id
            var name = base
            var copy = 2
            while !taken.insert(name).inserted {
                name = "\(base) (\(copy))"
                copy += 1
            }
            return ServerPlaylist(
                serverID: record.id, name: name, lastModified: record.lastModified, songIDs: record.songIDs)
        }
    }
}

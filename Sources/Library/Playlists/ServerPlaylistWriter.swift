import GRDB
import MusicModel

/// Brings the playlists of the server into the index.
struct ServerPlaylistWriter {
    private let database: Database
    private let store: PlaylistStore

    init(_ database: Database) {
        self.database = database
        store = PlaylistStore(database)
    }

    /// Writes what differs; true if anything did.
    func replace(_ playlists: [ServerPlaylist]) throws -> Bool {
        var known = try knownPlaylists()
        var changed = false
        for playlist in playlists {
            let items = try playlist.songIDs.compactMap { try song($0).map { QueueItem.song(SongID(rawValue: $0)) } }
            if let (id, name, modified) = known.removeValue(forKey: playlist.serverID) {
                changed = try update(id, name, modified, playlist, items) || changed
            } else {
                let name = try freeName(PlaylistName.fitted(playlist.name), for: nil)
                let id = try store.create(name, serverID: playlist.serverID, modified: playlist.lastModified)
                try store.append(id, items)
                changed = true
            }
        }
        for (id, _, _) in known.values {
            try store.delete(id)
            changed = true
        }
        return changed
    }

    private func knownPlaylists() throws -> [String: (id: Int64, name: String, modified: Int64)] {
        var known: [String: (id: Int64, name: String, modified: Int64)] = [:]
        let rows = try SQLStatement(
            database, "SELECT server_id, id, name, modified FROM playlist WHERE server_id IS NOT NULL")
        try rows.forEach { known[rows.text(0)] = (rows.int(1), rows.text(2), rows.int(3)) }
        return known
    }

    private func update(
        _ id: Int64, _ name: String, _ modified: Int64, _ playlist: ServerPlaylist, _ items: [QueueItem]
    ) throws -> Bool {
        var changed = false
        let wanted = try freeName(PlaylistName.fitted(playlist.name), for: id)
        if !ExactText.equal(wanted, name) {
            try store.rename(id, to: wanted)
            changed = true
        }
        if try store.entries(id).map(\.item) != items {
            try store.replace(id, items)
            changed = true
        }
        if modified != playlist.lastModified {
            try store.touch(id, now: playlist.lastModified)
            changed = true
        }
        return changed
    }

    /// The name, or the first numbered one that no other playlist has.
    private func freeName(_ name: String, for id: Int64?) throws -> String {
        var candidate = name
        var number = 1
        while let holder = try store.playlist(candidate), holder.id != id {
            number += 1
            candidate = "\(name) (\(number))"
        }
        return candidate
    }

    private func song(_ serverID: String) throws -> Int64? {
        let row = try SQLStatement(database, "SELECT id FROM song WHERE source_id = ? AND source_kind = 0")
        row.bind(1, serverID)
        return try row.first { row.int(0) }
    }
}

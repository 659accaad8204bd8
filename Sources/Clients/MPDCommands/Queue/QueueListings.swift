import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension Command {
    static let playlistFind = searchingQueue("playlistfind", foldsCase: false)
    static let playlistSearch = searchingQueue("playlistsearch", foldsCase: true)

    /// Searches the queue; `playlistsearch` without regard to case, and with old-style filters also within values.
    private static func searchingQueue(_ name: String, foldsCase: Bool) -> Command {
        Command(name, .read, 1...Int.max, "{FILTER} [sort {TYPE}] [window {START:END}]", since: "0.13") { arguments in
            let query = try arguments.query(foldsCase: foldsCase, inQueue: true)
            return .suspending { context, response in
                try await response.queueMatches(foldsCase ? context.normalized(query) : query, in: context)
            }
        }
    }

    /// Shows the entries that changed after a version of the queue; all of them for one that is yet to come.
    static let plChanges = listingChanges("plchanges", since: "before 0.12") { context, entries, positions, response in
        try await response.queueEntries(entries, at: positions, in: context)
    }

    static let plChangesPosID = listingChanges("plchangesposid", since: "0.12") { _, entries, positions, response in
        for start in stride(from: 0, to: positions.count, by: changesPerPart) {
            let part = positions[start..<min(start + changesPerPart, positions.count)]
            if positions.count <= changesPerPart {
                entries.forEachID(at: part) { response.change($0, $1) }
            } else {
                response.bytes(
                    await LongList.beside {
                        var lines = ResponseWriter()
                        entries.forEachID(at: part) { lines.change($0, $1) }
                        return lines.collected
                    })
                try await response.flushIfFull()
            }
        }
    }

    private static func listingChanges(
        _ name: String, since mpd: String,
        _ list:
            @escaping @ServerActor @Sendable (
                CommandContext, QueueEntries, [Int], inout ResponseWriter
            ) async throws -> Void
    ) -> Command {
        Command(name, .read, 1...2, "{VERSION} [START:END]", since: mpd) { arguments in
            let version = try arguments.version()
            let range = arguments.isEmpty ? .everything : try arguments.range()
            return .suspending { context, response in
                let entries = context.player.entries
                let window = range.clipped(to: entries.count) ?? 0..<0
                let changed = await context.player.changes(since: version, in: window)
                try await list(context, entries, changed, &response)
            }
        }
    }

    /// Shows the URIs of the queue; clients are told to use `playlistinfo`.
    static let playlist = suspending("playlist", .read, since: "before 0.12") { context, response in
        try await response.queueURIs(context.player.entries, in: context)
    }

    static let playlistID = Command("playlistid", .read, 0...1, "[SONGID]", since: "before 0.12") { arguments in
        let id = arguments.isEmpty ? nil : try arguments.entryID()
        return .suspending { context, response in
            let player = context.player
            var positions = 0..<player.count
            if let id {
                guard let position = player.position(of: id) else { throw AckError(.noExist, "No such song") }
                positions = position..<position + 1
            }
            try await response.queueEntries(player.entries, at: positions, in: context)
        }
    }

    static let playlistInfo = Command(
        "playlistinfo", .read, 0...1, "[SONGPOS|START:END]", since: "before 0.12"
    ) { arguments in
        let range = arguments.isEmpty ? .everything : try arguments.range()
        return .suspending { context, response in
            let positions = try range.positions(in: context.player)
            try await response.queueEntries(context.player.entries, at: positions, in: context)
        }
    }
}

/// Entries whose lines are written on the event loop; of more, as many at a time are written off it.
private let changesPerPart = 2_500

extension ResponseWriter {
    fileprivate mutating func change(_ position: Int, _ id: QueueEntryID) {
        line("cpos: ", position)
        line("Id: ", id.rawValue)
    }
}

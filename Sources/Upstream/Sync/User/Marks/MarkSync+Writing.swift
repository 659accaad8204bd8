import Logging
import MusicModel
import Subsonic
import UserLibrary

extension MarkSync {
    /// Sends every star and rating that waits, oldest first; those that the server failed with before come last.
    package func push() async throws -> Bool {
        faults.beginRound()
        var hasSent = false
        while true {
            let waiting = try await library.waitingMarkEdits(limit: settings.batchSize + faults.count)
            let (fresh, failed) = faults.untried(waiting)
            if fresh.isEmpty && failed.isEmpty { break }
            for batch in Self.batches(fresh) + failed.map({ [$0] }) {
                try await send(batch)
                hasSent = true
            }
        }
        for (edit, error) in faults.endRound() {
            logger.warning("discarding a star or rating: \(chain: error)")
            try await library.discardMarkEdit(edit)
        }
        try faults.throwFailure()
        return hasSent
    }

    /// Edits that go together in one request, in their order: stars given in a row, or stars taken in a row.
    static func batches(_ edits: [MarkEdit]) -> [[MarkEdit]] {
        var batches: [[MarkEdit]] = []
        for edit in edits {
            if edit.field == .star, let last = batches.last?.last, last.field == .star, last.value == edit.value {
                batches[batches.count - 1].append(edit)
            } else {
                batches.append([edit])
            }
        }
        return batches
    }

    /// Sends edits together, and one by one if the server does not take them so.
    private func send(_ edits: [MarkEdit]) async throws {
        let edits = try await library.beginMarkEdits(edits)
        if edits.isEmpty { return }
        do {
            try await request(edits)
        } catch let error as SubsonicError where error.verdict != .outage {
            guard edits.count == 1 else {
                for edit in edits { try await send([edit]) }
                return
            }
            return try await note(error, of: edits[0])
        }
        // In a task of its own: a cancellation between the answer and the note would send them again.
        try await Task { [library] in try await library.finishMarkEdits(edits) }.value
        faults.taken()
    }

    /// Passes over an edit that the server failed with, and forgets one that it refuses.
    private func note(_ error: SubsonicError, of edit: MarkEdit) async throws {
        if error.verdict == .failure { return try faults.passOver(edit, error) }
        try await client.confirm(error)
        logger.info("the server does not store a star or rating: \(chain: error)")
        try await library.discardMarkEdit(edit)
    }

    private func request(_ edits: [MarkEdit]) async throws {
        guard let first = edits.first else { return }
        switch first.field {
        case .rating: try await client.setRating(first.value, of: first.serverID)
        case .star:
            let ids = Dictionary(grouping: edits, by: \.kind).mapValues { $0.map(\.serverID) }
            try await client.star(
                first.value != 0, songs: ids[.song] ?? [], albums: ids[.album] ?? [], artists: ids[.artist] ?? [])
        }
    }
}

import Foundation

/// The queue that an app saved.
package struct FakePlayQueue: Hashable, Sendable {
    /// The songs' ids.
    package var songIDs: [String]
    /// The place of the current song.
    package var current: Int?
    /// Milliseconds into it.
    package var position: Int64
    /// The app that saved it.
    package var changedBy: String
    /// Unix nanoseconds.
    package var changed: Int64

    /// Makes a queue that was saved just now.
    package init(songIDs: [String], current: Int? = nil, position: Int64 = 0, changedBy: String) {
        self.songIDs = songIDs
        self.current = current
        self.position = position
        self.changedBy = changedBy
        changed = Int64(Date().timeIntervalSince1970 * 1e9)
    }
}

/// The saved queue as Navidrome keeps it, in both forms.
extension FakeState {
    mutating func playQueue(_ request: FakeRequest) -> FakeAnswer {
        let isByIndex = request.call.hasSuffix("ByIndex")
        if isByIndex && options.kind == .supysonic { return error(0, "Unknown method", status: 404) }
        return request.call.hasPrefix("save") ? save(request, isByIndex: isByIndex) : saved(isByIndex: isByIndex)
    }

    private mutating func save(_ request: FakeRequest, isByIndex: Bool) -> FakeAnswer {
        let songs = request.all("id")
        if songs.isEmpty {
            queue = nil
            return ok()
        }
        var current = request.int("currentIndex")
        if isByIndex, current.map({ !songs.indices.contains($0) }) ?? true {
            return error(10, "missing parameter index, err: %!s(<nil>)")
        }
        if !isByIndex { current = request["current"].flatMap { songs.firstIndex(of: $0) } }
        queue = FakePlayQueue(
            songIDs: songs, current: current, position: Int64(request.int("position") ?? 0),
            changedBy: request["c"] ?? "")
        return ok()
    }

    private func saved(isByIndex: Bool) -> FakeAnswer {
        let name = isByIndex ? "playQueueByIndex" : "playQueue"
        guard let queue else {
            let empty: [(name: String, value: FakeJSON)] = [
                ("username", .string(options.user)), ("changed", .string("0001-01-01T00:00:00Z")),
                ("changedBy", .string("")),
            ]
            return ok([(name, .object(empty))])
        }
        // Songs whose files are missing stay in it.
        var members: [(name: String, value: FakeJSON)] = [
            ("entry", .array(queue.songIDs.compactMap { song($0)?.json(size: 1) })),
            ("position", .int(queue.position)), ("username", .string(options.user)),
            (
                "changed",
                .string(FakeTime.iso(queue.changed / 1_000_000_000, nanoseconds: queue.changed % 1_000_000_000))
            ), ("changedBy", .string(queue.changedBy)),
        ]
        if let current = queue.current {
            members.append(
                isByIndex ? ("currentIndex", .int(Int64(current))) : ("current", .string(queue.songIDs[current])))
        }
        return ok([(name, .object(members))])
    }
}

extension FakeNavidrome {
    /// The queue that an app saved.
    package var queue: FakePlayQueue? {
        get { withState { $0.queue } }
        set { withState { $0.queue = newValue } }
    }

    /// Changes a playlist as another app does; the server dates it.
    package func editPlaylist(_ id: String, _ change: (inout FakePlaylist) -> Void) {
        withState { state in
            guard let place = state.playlists.firstIndex(where: { $0.id == id }) else { return }
            change(&state.playlists[place])
            state.playlists[place].touch()
        }
    }
}

import Foundation

/// Playlists as Navidrome keeps them.
///
/// - Source: recorded answers; navidrome/navidrome core/playlists/playlists.go and persistence/playlist_repository.go.
extension FakeState {
    var playlistsMember: [(name: String, value: FakeJSON)] {
        // An administrator is shown what others keep for themselves.
        let list = playlists.filter { asking == nil || $0.isPublic || $0.owner == asking }
            .map { FakeJSON.object(members(of: $0)) }
        return [("playlists", .object(list.isEmpty ? [] : [("playlist", .array(list))]))]
    }

    func playlist(_ request: FakeRequest) -> FakeAnswer {
        guard let playlist = playlists.first(where: { $0.id == request["id"] }) else {
            return error(70, "playlist not found")
        }
        return ok(member(playlist))
    }

    /// Makes a playlist, or gives one other songs.
    mutating func createPlaylist(_ request: FakeRequest) -> FakeAnswer {
        guard request.parameters.count <= 10_000 else { return tooManyParameters }
        let songs = request.all("songId")
        if options.kind == .supysonic, songs.contains(where: { song($0).map(\.isMissing) ?? true }) {
            return error(70, "Track not found")
        }
        // Unknown ids vanish; missing files stay, but are not shown.
        let known = songs.filter { song($0) != nil }
        if let id = request["playlistId"] {
            if let failure = refusal(id) { return failure }
            return edit(id) { playlist, isNavidrome in
                // An empty list is taken for none.
                if !known.isEmpty || !isNavidrome { playlist.songIDs = known }
            }
        }
        guard let name = request["name"] else {
            return error(options.kind == .navidrome ? 0 : 10, "required parameter name is missing")
        }
        playlistsMade += 1
        var made = FakePlaylist(id: "made-\(playlistsMade)", name: options.playlistName(name), songIDs: known)
        made.owner = asking
        playlists.append(made)
        return edit("made-\(playlistsMade)") { _, _ in }
    }

    mutating func updatePlaylist(_ request: FakeRequest) -> FakeAnswer {
        guard request.parameters.count <= 10_000 else { return tooManyParameters }
        guard let id = request["playlistId"] else { return error(10, "missing parameter: 'playlistId'") }
        if let failure = refusal(id) { return failure }
        let added = request.all("songIdToAdd")
        if options.kind == .supysonic, added.contains(where: { song($0).map(\.isMissing) ?? true }) {
            return error(70, "Track not found")
        }
        let known = added.filter { song($0) != nil }
        let removed = Set(request.all("songIndexToRemove").compactMap { Int($0) })
        let name = request["name"].map(options.playlistName)
        let answer = edit(id) { playlist, _ in
            if let name, !name.isEmpty { playlist.name = name }
            // Positions count entries that no client sees.
            playlist.songIDs = playlist.songIDs.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
            playlist.songIDs += known
        }
        return answer.status == 200 ? ok() : answer
    }

    mutating func deletePlaylist(_ request: FakeRequest) -> FakeAnswer {
        guard let id = request["id"] else { return error(10, "missing parameter: 'id'") }
        if let failure = refusal(id) { return failure }
        playlists.removeAll { $0.id == id }
        return ok()
    }

    // MARK: Parts

    private func refusal(_ id: String) -> FakeAnswer? {
        guard let playlist = playlists.first(where: { $0.id == id }) else { return error(70, "data not found") }
        if playlist.failsEdits { return .text(500, "Internal Server Error\n") }
        let isOthers = (playlist.owner ?? options.user) != (asking ?? options.user)
        return playlist.isReadOnly || isOthers
            ? error(50, "User is not authorized for the given operation") : nil
    }

    private mutating func edit(
        _ id: String, _ change: (inout FakePlaylist, _ isNavidrome: Bool) -> Void
    ) -> FakeAnswer {
        guard let place = playlists.firstIndex(where: { $0.id == id }) else { return error(70, "data not found") }
        change(&playlists[place], options.kind == .navidrome)
        playlists[place].touch()
        return options.kind == .navidrome ? ok(member(playlists[place])) : ok()
    }

    private func member(_ playlist: FakePlaylist) -> [(name: String, value: FakeJSON)] {
        let songs = entries(of: playlist).map { $0.json(size: 1) }
        let entry: [(name: String, value: FakeJSON)] = songs.isEmpty ? [] : [("entry", .array(songs))]
        return [("playlist", .object(members(of: playlist) + entry))]
    }

    private func members(of playlist: FakePlaylist) -> [(name: String, value: FakeJSON)] {
        var members: [(name: String, value: FakeJSON)] = [
            ("id", .string(playlist.id)), ("name", .string(playlist.name)),
            ("songCount", .int(Int64(entries(of: playlist).count))),
            ("owner", .string(playlist.owner ?? options.user)), ("public", .bool(playlist.isPublic)),
            ("created", .string(FakeTime.iso(1_690_000_000))),
        ]
        if options.kind == .navidrome {
            members += [
                ("changed", .string(FakeTime.iso(playlist.changed, nanoseconds: playlist.changedNanoseconds))),
                ("readonly", .bool(playlist.isReadOnly)),
            ]
        }
        return members
    }

    private func entries(of playlist: FakePlaylist) -> [FakeSong] {
        playlist.songIDs.compactMap { song($0) }.filter { !$0.isMissing && seen.contains($0.libraryID) }
    }

    /// Beyond the limit the error comes as XML.
    private var tooManyParameters: FakeAnswer {
        let text = """
            <subsonic-response xmlns="http://subsonic.org/restapi" status="failed" version="1.16.1">\
            <error code="0" message="http: too many parameters"></error></subsonic-response>
            """
        return FakeAnswer(headers: [("Content-Type", "application/xml")], body: Array(text.utf8))
    }
}

extension FakePlaylist {
    /// Dates a change, never at the same moment as the one before.
    package mutating func touch() {
        let now = Date().timeIntervalSince1970
        let nanoseconds = max(Int64(now * 1e9), changed * 1_000_000_000 + changedNanoseconds + 1000)
        (changed, changedNanoseconds) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    }
}

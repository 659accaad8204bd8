/// Songs and artists that the server finds alike; empty where it knows none, or doesn't have the call.
extension SubsonicClient {
    /// The name of OpenSubsonic's extension for similarity by sound.
    package static let sonicSimilarity = "sonicSimilarity"

    /// The songs that sound most like one, by the extension `sonicSimilarity`.
    package func sonicSimilarTracks(id: String, count: Int) async throws -> [SimilarSong] {
        let call = SubsonicCall("getSonicSimilarTracks", ["id": id, "count": String(count)])
        return try await similar(call, "sonicMatch", in: "sonicSimilarTracks")
    }

    /// Songs that go with one or with its artist.
    package func similarSongs(id: String, count: Int) async throws -> [SimilarSong] {
        try await similar(
            SubsonicCall("getSimilarSongs2", ["id": id, "count": String(count)]), "song", in: "similarSongs2")
    }

    /// An artist's most popular songs.
    package func topSongs(artist: String, count: Int) async throws -> [SimilarSong] {
        try await similar(
            SubsonicCall("getTopSongs", ["artist": artist, "count": String(count)]), "song", in: "topSongs")
    }

    /// Artists that are like one, those of whom the server has nothing among them. More than were asked for are left
    /// out.
    package func similarArtists(id: String, count: Int) async throws -> [SubsonicArtist] {
        let call = SubsonicCall(
            "getArtistInfo2", ["id": id, "count": String(count), "includeNotPresent": "true"])
        return try await ifFound {
            try await ifKnown { try await list(call, "artistInfo2", "similarArtist", atMost: count) }
        }?.items ?? []
    }

    /// Reads a list, which some servers send without the member around it.
    private func similar(
        _ call: SubsonicCall, _ inner: StaticString, in outer: StaticString
    ) async throws -> [SimilarSong] {
        var songs: [SimilarSong] = []
        let answered = try await ifFound {
            try await ifKnown {
                try await answer(call) { reader, name in
                    if inner ~= name {
                        songs = try reader.list()
                    } else if outer ~= name {
                        try reader.member(inner) { songs = try $0.list() }
                    } else {
                        try reader.skip()
                    }
                }
            }
        }
        return answered == nil ? [] : songs
    }
}

/// A song that the server finds like another one.
package struct SimilarSong: Hashable, Sendable {
    /// The song's id on the server.
    package let id: String
    /// How alike they are, from 0 to 1; nil where the server doesn't tell.
    package let similarity: Double?
}

extension SimilarSong: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        var (id, similarity): (String?, Double?) = (nil, nil)
        try reader.members { reader, name in
            switch name {
            case "id": id = try reader.nonEmptyText()
            case "similarity": similarity = try reader.double()
            case "entry": id = try reader.id()
            default: try reader.skip()
            }
        }
        guard let id else { return nil }
        // -1 stands for one that is not known.
        self.init(id: id, similarity: similarity.flatMap { (0...1).contains($0) ? $0 : nil })
    }
}

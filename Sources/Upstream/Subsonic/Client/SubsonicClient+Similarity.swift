/// Songs and artists that the server finds alike.
extension SubsonicClient {
    /// The name of OpenSubsonic's extension for similarity by sound.
    package static let sonicSimilarity = "sonicSimilarity"

    /// The songs that sound most like one, by the extension `sonicSimilarity`; empty where the server doesn't have it.
    package func sonicSimilarTracks(id: String, count: Int) async throws -> [SimilarSong] {
        try await similar(
            SubsonicCall(name: "getSonicSimilarTracks", parameters: [("id", id), ("count", String(count))]),
            "sonicMatch", in: "sonicSimilarTracks")
    }

    /// Songs that go with one or with its artist, if the server knows any; empty where it doesn't.
    package func similarSongs(id: String, count: Int) async throws -> [SimilarSong] {
        try await similar(
            SubsonicCall(name: "getSimilarSongs2", parameters: [("id", id), ("count", String(count))]),
            "song", in: "similarSongs2")
    }

    /// An artist's most popular songs, if the server knows any; empty where it doesn't.
    package func topSongs(artist: String, count: Int) async throws -> [SimilarSong] {
        try await similar(
            SubsonicCall(name: "getTopSongs", parameters: [("artist", artist), ("count", String(count))]), "song",
            in: "topSongs")
    }

    /// Artists that are like one, those of whom the server has nothing among them; empty where it knows none. More than
    /// were asked for are left out.
    package func similarArtists(id: String, count: Int) async throws -> [SubsonicArtist] {
        let call = SubsonicCall(
            name: "getArtistInfo2",
            parameters: [("id", id), ("count", String(count)), ("includeNotPresent", "true")])
        do {
            return try await list(call, "artistInfo2", "similarArtist", atMost: count) { (reader) throws(JSONProblem) in
                try SubsonicArtist(&reader)
            }.items
        } catch let error as SubsonicError where error.isAbsence || error.code == .notFound { return [] }
    }

    /// Reads a list, which some servers send without the member around it.
    private func similar(
        _ call: SubsonicCall, _ inner: StaticString, in outer: StaticString
    ) async throws -> [SimilarSong] {
        var page = SubsonicPage<SimilarSong>(items: [])
        do {
            _ = try await answer(call) { (reader, name) throws(JSONProblem) in
                if name.elementsEqual(inner.utf8) {
                    try reader.collect(into: &page) { (reader) throws(JSONProblem) in try SimilarSong(&reader) }
                } else if name.elementsEqual(outer.utf8) {
                    try reader.members { (reader, name) throws(JSONProblem) in
                        guard name.elementsEqual(inner.utf8) else { return try reader.skip() }
                        try reader.collect(into: &page) { (reader) throws(JSONProblem) in try SimilarSong(&reader) }
                    }
                } else {
                    try reader.skip()
                }
            }
        } catch let error as SubsonicError where error.isAbsence || error.code == .notFound { return [] }
        return page.items
    }
}

/// A song that the server finds like another one.
package struct SimilarSong: Hashable, Sendable {
    /// The song's id on the server.
    package let id: String
    /// How alike they are, from 0 to 1; nil where the server doesn't tell.
    package let similarity: Double?

    /// Reads a song, or a match with a song in it; nil where there is no id.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var (id, similarity): (String?, Double?) = (nil, nil)
        try reader.members { (reader, name) throws(JSONProblem) in
            if name.elementsEqual("id".utf8) {
                id = try reader.nonEmptyText()
            } else if name.elementsEqual("similarity".utf8) {
                similarity = try reader.double()
            } else if name.elementsEqual("entry".utf8) {
                try reader.members { (reader, name) throws(JSONProblem) in
                    if name.elementsEqual("id".utf8) { id = try reader.nonEmptyText() } else { try reader.skip() }
                }
            } else {
                try reader.skip()
            }
        }
        guard let id else { return nil }
        self.id = id
        // -1 stands for one that is not known.
        self.similarity = similarity.flatMap { (0...1).contains($0) ? $0 : nil }
    }
}

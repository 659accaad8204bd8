import LibraryIndex
import MPDProtocol
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

/// The parts that all lists have: windows, letters, and answers that a client may already have.
enum ListAnswer {
    /// Writes a list; it depends on its `tag` besides the request, or may change without notice.
    static func make(
        tag: String?, total: Int, letters: [CatalogLetter] = [], generation: Int64 = 0,
        _ items: (inout JSONWriter) throws -> Void
    ) rethrows -> HTTPResponse {
        var headers = HTTPHeaders()
        if let tag {
            headers.add(name: "etag", value: tag)
            headers.add(name: "cache-control", value: "private, no-cache")
        }
        return try .object(headers: headers, capacity: 64 << 10) { json in
            json.field("total", total)
            json.field("generation", Int(generation))
            json.objects("letters", letters) { json, letter in
                json.field("letter", letter.letter)
                json.field("offset", letter.offset)
            }
            try json.array("items", items)
        }
    }

    /// The name of a list of a generation; the marks' clock moves with stars and ratings.
    static func tag(_ generation: Int64, marks: Int, _ request: APIRequest) -> String? {
        // A random order without a seed differs each time, and the songs heard grow without a change of the library.
        let parameters = request.http.query
        if parameters["heard"] != nil || ["random", "played", "-played"].contains(parameters["sort"]) { return nil }
        return "\"\(process)-\(generation)-\(marks)\""
    }

    /// The marks' clock restarts with each process, and a newer program may write other fields.
    private static let process = String(UInt64.random(in: 0 ... .max), radix: 36)

    /// The answer to a client that has the list already; nil to one that hasn't.
    static func known(_ request: APIRequest, _ tag: String?) -> HTTPResponse? {
        guard let tag, request.http.headers["if-none-match"].contains(where: { $0.contains(tag) }) else { return nil }
        return HTTPResponse(.notModified, headers: ["etag": tag, "cache-control": "private, no-cache"])
    }
}

extension APIRequest {
    func catalogQuery(default standard: CatalogQuery.Sort, isOfAlbums: Bool) async throws -> CatalogQuery {
        var query = CatalogQuery()
        (query.sort, query.isDescending) = try sort(default: standard)
        let parameters = http.query
        if let artist = parameters["artist"] {
            guard let id = SongRows.id(artist) else { throw APIError.wrong("artist", "This is no artist's id.") }
            query.artist = id
        }
        query.genre = parameters["genre"]
        if parameters["year"] != nil {
            let year = try number("year", default: 0, in: 0...99_999)
            query.years = year...year
        } else if parameters["decade"] != nil {
            let decade = try number("decade", default: 0, in: 0...99_990)
            query.years = decade...decade + 9
        }
        (query.words, query.filter) = try Self.wanted(parameters["q"])
        let seeds = 0...Int(Int32.max)
        query.seed = UInt64(try number("seed", default: .random(in: seeds), in: seeds))
        let library = api.rows.library
        if try wantsStarred() {
            if isOfAlbums {
                let marks = try await library.albumMarks()
                query.albums = Set(try await library.index.catalog().albums.filter { marks[$0].isStarred }.map(\.id))
            } else {
                query.songs = try await library.markedSongs().starred
            }
        }
        if query.sort == .rating { query.ratings = try await library.markedSongs().ratings }
        try await choosePlays(&query)
        return query
    }

    /// Narrows a query down to songs that were heard, or never were.
    private func choosePlays(_ query: inout CatalogQuery) async throws {
        let heard = http.query["heard"]
        guard heard != nil || query.sort == .played else { return }
        query.plays = try await api.rows.library.heardSongs()
        switch heard {
        case "0": query.without = Set(query.plays.keys)
        case "1": query.songs = query.songs.map { $0.intersection(query.plays.keys) } ?? Set(query.plays.keys)
        case nil: break
        default: throw APIError.wrong("heard", "heard is 1 for what was heard, or 0 for what never was.")
        }
    }

    /// Reads the question of a search: words, or an expression of MPD's filters.
    static func wanted(_ text: String?) throws -> (words: [String], filter: SongFilter?) {
        guard let text, text.first == "(", text.last == ")" else { return (words(text), nil) }
        do {
            return ([], try SongFilter(parsing: [text], foldsCase: true))
        } catch {
            throw APIError.wrong("q", error.message)
        }
    }

    /// The words of a search; more than a few don't make it narrower.
    static func words(_ text: String?) -> [String] {
        (text ?? "").split(whereSeparator: \.isWhitespace).prefix(8).map { $0.prefix(utf8: 200) }
    }

    private func sort(default standard: CatalogQuery.Sort) throws(APIError) -> (CatalogQuery.Sort, Bool) {
        guard let text = http.query["sort"] else { return (standard, false) }
        let isDescending = text.hasPrefix("-")
        guard let sort = CatalogQuery.Sort(rawValue: isDescending ? String(text.dropFirst()) : text) else {
            let known = CatalogQuery.Sort.allCases.map(\.rawValue).joined(separator: ", ")
            throw .wrong("sort", "sort is one of \(known), with a - in front for the other direction.")
        }
        return (sort, isDescending)
    }
}

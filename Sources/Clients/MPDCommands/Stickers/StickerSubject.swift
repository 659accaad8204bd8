import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// The type and the URI of a `sticker` request.
struct StickerSubject: Sendable {
    let kind: StickerKind
    /// Its name: a song's path, a playlist's name, a tag's value or a filter; a beginning of those for `find`.
    let uri: String

    static let tags: [Tag] = [
        .artist, .album, .albumArtist, .title, .genre, .composer, .performer, .conductor, .work, .ensemble, .location,
        .label, .musicBrainzArtistID, .musicBrainzAlbumID, .musicBrainzAlbumArtistID, .musicBrainzReleaseTrackID,
        .musicBrainzWorkID,
    ]

    init(parsing arguments: inout Arguments) throws(AckError) {
        let type = try arguments.string()
        kind =
            switch type {
            case "song": .song
            case "playlist": .playlist
            case "filter": .filter
            default:
                if let tag = Tag(wireName: type) {
                    .tag(tag)
                } else {
                    throw AckError(.argument, "unknown sticker domain \(type.quoted)")
                }
            }
        uri = try arguments.string()
    }

    /// The object, which must be there.
    @ServerActor
    func object(in context: CommandContext) async throws -> StickerObject {
        let library = context.server.library
        switch kind {
        case .song:
            guard let id = try await library.index.songID(at: uri) else { throw AckError(.noExist, "No such song") }
            return .song(id)
        case .playlist:
            guard try await library.storedPlaylists().contains(where: { $0.name == uri }) else {
                throw AckError(.argument, "no such playlist: \(uri.quoted)")
            }
            return .playlist(uri)
        case .tag(let tag):
            guard Self.tags.contains(tag) else { throw AckError(.argument, "unsupported tag: \(kind.name.quoted)") }
            guard try await library.index.hasSongs(matching: .text(.tag(tag), StringTest(.equals, uri))) else {
                throw AckError(.argument, "no such \(kind.name): \(uri.quoted)")
            }
            return .tag(tag, uri)
        case .filter:
            let filter = try SongFilter(parsing: [uri], foldsCase: false)
            let expression = filter.expression
            guard try await library.index.hasSongs(matching: filter) else {
                throw AckError(.argument, "no matches found: \(expression.quoted)")
            }
            return .filter(expression)
        }
    }
}

extension MusicIndex {
    fileprivate func hasSongs(matching filter: SongFilter) async throws -> Bool {
        try await count(filter: filter, groups: []).contains { $0.songs > 0 }
    }
}

extension Arguments {
    /// Takes `NAME [OPERATOR [VALUE]] [sort [-]TYPE] [window START:END]`, all that is left.
    mutating func stickerQuery() throws(AckError) -> StickerQuery {
        let window = count >= 3 ? try trailingWindow() : .everything
        var query = StickerQuery(name: "", window: window.window)
        if count >= 3, var text = trailing("sort") {
            query.isDescending = text.utf8.first == UInt8(ascii: "-")
            if query.isDescending { text.removeFirst() }
            guard let sort = StickerQuery.Sort(rawValue: text) else {
                throw AckError(.argument, "Unknown sort tag \(text.quoted)")
            }
            query.sort = sort
        }
        query.name = try string()
        if let word = next() {
            guard let comparison = StickerQuery.Operator(rawValue: word) else {
                throw AckError(.argument, "bad operator \(word.quoted)")
            }
            query.test = (comparison, next())
        }
        return query
    }
}

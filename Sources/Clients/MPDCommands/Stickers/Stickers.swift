import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

extension Command {
    /// Reads and writes stickers, which are names with values that clients attach to songs, stored playlists, tag
    /// values and filters; these are kept in normal form. Differs: `delete` of all stickers where there are none is ACK
    /// 50 as in 0.23, not an accident of formatting; setting a sticker to what it says is no event; stickers of what is
    /// gone are kept for when it comes back.
    static let sticker = Command(
        "sticker", .admin, 3...Int.max, "get|set|inc|dec|delete|list|find {TYPE} {URI} [NAME] [...]", since: "0.15"
    ) { arguments in
        let word = try arguments.string()
        let subject = try StickerSubject(parsing: &arguments)
        let rest = Array(arguments.remaining)
        switch (word, rest.count) {
        case ("get", 1):
            return .suspending { context, response in
                let object = try await subject.object(in: context)
                // MPD can't tell an empty value from none.
                guard let value = try await context.server.library.sticker(rest[0], of: object), !value.isEmpty else {
                    throw AckError.noSticker(rest[0])
                }
                response.sticker(rest[0], value)
            }
        case ("list", 0):
            return .suspending { context, response in
                let object = try await subject.object(in: context)
                for (name, value) in try await context.server.library.stickers(of: object) {
                    response.sticker(name, value)
                }
            }
        case ("set", 2), ("inc", 2), ("dec", 2):
            guard !rest[0].isEmpty else { throw AckError(.argument, "empty sticker name") }
            return .suspending { context, _ in
                let step: StickerStep? = word == "set" ? nil : word == "inc" ? .up : .down
                try await context.setSticker(rest[0], of: subject, rest[1], step)
            }
        case ("delete", 0...1):
            return .suspending { context, _ in try await context.deleteSticker(rest.first, of: subject) }
        case ("find", 1...):
            let query = try arguments.stickerQuery()
            return .suspending { context, response in
                try await response.stickers(of: subject, query, in: context)
            }
        default: throw AckError(.argument, "bad request")
        }
    }

    static let stickerNames = suspending("stickernames", .admin, since: "0.24") { context, response in
        var last: String?
        for entry in try await context.server.library.stickerNames() where entry.name != last {
            response.line("name: ", entry.name)
            last = entry.name
        }
    }

    /// Lists the names that stickers have, with what they stick to; tags in the letters that they are written in.
    static let stickerNamesTypes = Command("stickernamestypes", .admin, 0...1, "[TYPE]", since: "0.24") { arguments in
        let type = arguments.next()
        if let type, !["song", "playlist", "filter"].contains(type) {
            guard let tag = Tag.allCases.first(where: { "\($0.wireName)" == type }) else {
                throw AckError(.argument, "no such tag \(type.quoted)")
            }
            guard StickerSubject.tags.contains(tag) else { throw AckError(.argument, "unsupported tag \(type.quoted)") }
        }
        return .suspending { context, response in
            for entry in try await context.server.library.stickerNames() where type == nil || entry.type == type {
                response.line("name: ", entry.name)
                response.line("type: ", entry.type)
            }
        }
    }

    /// Lists what stickers can stick to: the three kinds, then the tags that the client wants to see.
    static let stickerTypes = immediate("stickertypes", .admin, since: "0.24") { context, response in
        for kind in ["filter", "playlist", "song"] { response.line("stickertype: ", kind) }
        let mask = context.client.tagMask
        for tag in Tag.allCases where StickerSubject.tags.contains(tag) && mask.contains(tag) {
            response.line("stickertype: ", "\(tag.wireName)")
        }
    }
}

extension CommandContext {
    @ServerActor
    fileprivate func setSticker(
        _ name: String, of subject: StickerSubject, _ value: String, _ step: StickerStep?
    ) async throws {
        let (library, object) = (server.library, try await subject.object(in: self))
        if let step { return stickerChanged(try await library.countSticker(name, of: object, step, by: value)) }
        // Many clients write what is there already, and reading is much cheaper.
        if let old = try await library.sticker(name, of: object), old.utf8.elementsEqual(value.utf8) { return }
        stickerChanged(try await library.setSticker(name, of: object, to: value))
    }

    @ServerActor
    fileprivate func deleteSticker(_ name: String?, of subject: StickerSubject) async throws {
        let (library, object) = (server.library, try await subject.object(in: self))
        if let name {
            guard let change = try await library.deleteSticker(name, of: object) else { throw AckError.noSticker(name) }
            stickerChanged(change)
        } else {
            let changes = try await library.deleteStickers(of: object)
            guard !changes.isEmpty else { throw AckError(.noExist, "no such sticker") }
            stickerChanged(changes.last)
        }
    }

    @ServerActor
    func stickerChanged(_ change: StickerChange?) { if change != nil { server.notify(.sticker, nil) } }
}

extension AckError {
    fileprivate static func noSticker(_ name: String) -> AckError {
        AckError(.noExist, "no such sticker: \(name.quoted)")
    }
}

extension ResponseWriter {
    @ServerActor
    fileprivate mutating func stickers(
        of subject: StickerSubject, _ query: StickerQuery, in context: CommandContext
    ) async throws {
        for found in try await context.server.library.findStickers(subject.kind, below: subject.uri, query) {
            switch subject.kind {
            case .song: line("file: ", found.object)
            case .playlist: line("playlist: ", found.object)
            case .filter: line("filter: ", found.object)
            case .tag(let tag): line(tag, found.object)
            }
            sticker(query.name, found.value)
            try await flushIfFull()
        }
    }

    fileprivate mutating func sticker(_ name: String, _ value: String) { line("sticker: ", "\(name)=\(value)") }
}

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

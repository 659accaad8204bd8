import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

extension Command {
    /// Reads and writes stickers, which are names with values that clients attach to songs, stored playlists, tag
    /// values and filters; these are kept in normal form.
    ///
    /// Differs: `delete` of all stickers where there are none is ACK 50 as in 0.23, not an accident of formatting;
    /// setting a sticker to what it says is no event; stickers of what is gone are kept for when it comes back.
    static let sticker = Command(
        "sticker", .admin, 3...Int.max, "get|set|inc|dec|delete|list|find {TYPE} {URI} [NAME] [...]", since: "0.15"
    ) { arguments in
        let request = try StickerRequest(parsing: &arguments)
        return .suspending { context, response in try await request.run(in: context, response: &response) }
    }

    static let stickerNames = Command("stickernames", .admin, since: "0.24") { _ in
        .suspending { context, response in
            var last: String?
            for entry in try await context.server.library.stickerNames() where entry.name != last {
                response.line("name: ", entry.name)
                last = entry.name
            }
        }
    }

    /// Lists the names that stickers have, with what they stick to; tags in the letters that they are written in.
    static let stickerNamesTypes = Command("stickernamestypes", .admin, 0...1, "[TYPE]", since: "0.24") { arguments in
        let type = arguments.next()
        if let type, !["song", "playlist", "filter"].contains(type) {
            guard let tag = Tag.allCases.first(where: { "\($0.wireName)" == type }) else {
                throw AckError(.argument, "no such tag \(type.quoted)")
            }
            guard StickerSubject.tags.contains(tag) else {
                throw AckError(.argument, "unsupported tag \(type.quoted)")
            }
        }
        return .suspending { context, response in
            for entry in try await context.server.library.stickerNames() where type == nil || entry.type == type {
                response.line("name: ", entry.name)
                response.line("type: ", entry.type)
            }
        }
    }

    /// Lists what stickers can stick to: the three kinds, then the tags that the client wants to see.
    static let stickerTypes = Command("stickertypes", .admin, since: "0.24") { _ in
        .immediate { context, response in
            for kind in ["filter", "playlist", "song"] { response.line("stickertype: ", kind) }
            let mask = context.client.tagMask
            for tag in Tag.allCases where StickerSubject.tags.contains(tag) && mask.contains(tag) {
                response.line("stickertype: ", "\(tag.wireName)")
            }
        }
    }
}

private struct StickerRequest: Sendable {
    private enum Action: Sendable {
        case get(name: String)
        case list
        case set(name: String, value: String)
        case count(name: String, StickerStep, amount: String)
        case delete(name: String?)
        case find(StickerQuery)
    }

    private let subject: StickerSubject
    private let action: Action

    init(parsing arguments: inout Arguments) throws(AckError) {
        let word = try arguments.string()
        subject = try StickerSubject(parsing: &arguments)
        action = try Self.action(word, &arguments)
    }

    private static func action(_ word: String, _ arguments: inout Arguments) throws(AckError) -> Action {
        let rest = Array(arguments.remaining)
        switch (word, rest.count) {
        case ("get", 1): return .get(name: rest[0])
        case ("list", 0): return .list
        case ("set", 2): return .set(name: try checked(rest[0]), value: rest[1])
        case ("inc", 2): return .count(name: try checked(rest[0]), .up, amount: rest[1])
        case ("dec", 2): return .count(name: try checked(rest[0]), .down, amount: rest[1])
        case ("delete", 0...1): return .delete(name: rest.first)
        case ("find", 1...): return .find(try arguments.stickerQuery())
        default: throw AckError(.argument, "bad request")
        }
    }

    private static func checked(_ name: String) throws(AckError) -> String {
        guard !name.isEmpty else { throw AckError(.argument, "empty sticker name") }
        return name
    }

    @ServerActor
    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let library = context.server.library
        switch action {
        case .get(let name):
            // MPD can't tell an empty value from none.
            guard let value = try await library.sticker(name, of: try await subject.object(in: context)),
                !value.isEmpty
            else { throw Self.missing(name) }
            response.sticker(name, value)
        case .list:
            for (name, value) in try await library.stickers(of: try await subject.object(in: context)) {
                response.sticker(name, value)
            }
        case .set(let name, let value):
            let object = try await subject.object(in: context)
            // Many clients write what is there already, and reading is much cheaper.
            if let old = try await library.sticker(name, of: object), old.utf8.elementsEqual(value.utf8) { return }
            context.stickerChanged(try await library.setSticker(name, of: object, to: value))
        case .count(let name, let step, let amount):
            let object = try await subject.object(in: context)
            context.stickerChanged(try await library.countSticker(name, of: object, step, by: amount))
        case .delete(let name): try await delete(name, in: context)
        case .find(let query): try await find(query, in: context, response: &response)
        }
    }

    private static func missing(_ name: String) -> AckError {
        AckError(.noExist, "no such sticker: \(name.quoted)")
    }

    @ServerActor
    private func delete(_ name: String?, in context: CommandContext) async throws {
        let library = context.server.library
        let object = try await subject.object(in: context)
        if let name {
            guard let change = try await library.deleteSticker(name, of: object) else { throw Self.missing(name) }
            context.stickerChanged(change)
        } else {
            let changes = try await library.deleteStickers(of: object)
            guard !changes.isEmpty else { throw AckError(.noExist, "no such sticker") }
            context.stickerChanged(changes.last)
        }
    }

    @ServerActor
    private func find(_ query: StickerQuery, in context: CommandContext, response: inout ResponseWriter) async throws {
        let found = try await context.server.library.findStickers(subject.kind, below: subject.uri, query)
        for sticker in found {
            switch subject.kind {
            case .song: response.line("file: ", sticker.object)
            case .playlist: response.line("playlist: ", sticker.object)
            case .filter: response.line("filter: ", sticker.object)
            case .tag(let tag): response.line(tag, sticker.object)
            }
            response.sticker(query.name, sticker.value)
            try await response.flushIfFull()
        }
    }
}

extension CommandContext {
    @ServerActor
    func stickerChanged(_ change: StickerChange?) {
        if change != nil { server.notify(.sticker, nil) }
    }
}

extension ResponseWriter {
    fileprivate mutating func sticker(_ name: String, _ value: String) { line("sticker: ", "\(name)=\(value)") }
}

import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

extension Command {
    static let count = counting("count", foldsCase: false, since: "0.13")
    static let searchCount = counting("searchcount", foldsCase: true, since: "0.24")

    /// Counts songs and their playing time, with a group for each of its values; `searchcount` without regard to case.
    private static func counting(_ name: String, foldsCase: Bool, since version: String) -> Command {
        Command(name, .read, 1...Int.max, "{FILTER} [group {TAG}]", since: version) { arguments in
            let group = try arguments.trailingGroup()
            let filter: SongFilter = arguments.isEmpty ? .all : try arguments.filter(foldsCase: foldsCase)
            return .suspending { context, response in
                let counts = try await context.server.library.index.count(
                    filter: context.normalized(filter), groups: group.map { [$0] } ?? [])
                for count in counts {
                    if let group, let value = count.groups.first { response.line(group, value) }
                    response.line("songs: ", count.songs)
                    response.line("playtime: ", count.playtime.components.seconds)
                    try await response.flushIfFull()
                }
                // MPD counts nothing, too, where nothing is grouped.
                if counts.isEmpty, group == nil {
                    response.line("songs: ", 0)
                    response.line("playtime: ", 0)
                }
            }
        }
    }

    static let find = finding("find", foldsCase: false)
    static let search = finding("search", foldsCase: true)

    /// Finds songs; `search` without regard to case, and with old-style filters also within values.
    private static func finding(_ name: String, foldsCase: Bool) -> Command {
        Command(
            name, .read, 1...Int.max, "{FILTER} [sort {TYPE}] [window {START:END}]", since: "before 0.12"
        ) { arguments in
            let query = try arguments.query(foldsCase: foldsCase)
            return .suspending { context, response in
                let query = foldsCase ? context.normalized(query) : query
                let mask = context.client.tagMask
                try await response.copy(try await context.server.library.index.find(query, mask: mask))
            }
        }
    }

    static let findAdd = addingFound("findadd", foldsCase: false, since: "0.16")
    static let searchAdd = addingFound("searchadd", foldsCase: true, since: "0.17")

    private static func addingFound(_ name: String, foldsCase: Bool, since version: String) -> Command {
        Command(
            name, .add, 1...Int.max, "{FILTER} [sort {TYPE}] [window {START:END}] [position POS]", since: version,
            withoutClient: .endsSoon
        ) { arguments in
            let position = try arguments.trailingPosition()
            let query = try arguments.query(foldsCase: foldsCase)
            return .suspending { context, _ in
                try context.check(position)
                let query = foldsCase ? context.normalized(query) : query
                let songs = try await context.server.library.index.findQueueable(query)
                let candidates = await LongList.handle(consume songs) { $0.map { QueueCandidate($0) } }
                try await context.insert(consume candidates, at: position)
            }
        }
    }

    /// Puts what `search` finds into a stored playlist, which is created when need be; without hits it is not.
    static let searchAddPl = Command(
        "searchaddpl", .control, 2...Int.max, "{NAME} {FILTER} [sort {TYPE}] [window {START:END}] [position POS]",
        since: "0.17", withoutClient: .endsSoon
    ) { arguments in
        let playlist = try arguments.string()
        let position = try arguments.trailing("position").map { text in
            var argument = Arguments([text])
            return try argument.unsigned()
        }
        let query = try arguments.query(foldsCase: true)
        return .suspending { context, _ in
            let library = context.server.library
            let songs = try await library.index.findQueueable(context.normalized(query))
            let items = await LongList.handle(consume songs) { $0.map { QueueItem.song($0.id) } }
            try await context.addToPlaylist(playlist, items, at: position)
        }
    }

    /// Lists the distinct values of a tag, or the URIs of songs. Groups come outermost (the last argument) first, and
    /// again whenever one changes. `list album {ARTIST}` is the form from before MPD 0.12. A window counts values, or
    /// those of the outermost group.
    static let list = Command(
        "list", .read, 1...Int.max, "{TYPE} [FILTER] [group {GROUPTYPE}]... [window {START:END}]",
        since: "before 0.12"
    ) { arguments in
        if let word = arguments.peek?.lowercased(), word == "file" || word == "filename" {
            _ = arguments.next()
            let filter: SongFilter = arguments.isEmpty ? .all : try arguments.filter(foldsCase: false)
            return .suspending { context, response in
                try await response.copy(try await context.server.library.index.listFiles(filter: filter))
            }
        }
        let tag = try arguments.tag()
        let window = try arguments.trailingWindow().window
        let groups: [Tag]
        let filter: SongFilter
        if arguments.count == 1, let artist = arguments.peek, artist.utf8.first != UInt8(ascii: "(") {
            guard tag == .album else { throw AckError(.argument, "should be \"Album\" for 3 arguments") }
            (groups, filter) = ([], .text(.tag(.artist), StringTest(.equals, artist)))
        } else {
            groups = try arguments.trailingGroups(listed: tag)
            filter = arguments.isEmpty ? .all : try arguments.filter(foldsCase: false)
        }
        return .suspending { context, response in
            var open: [String]?
            var position = -1
            for entry in try await context.server.library.index.list(tag, filter: filter, groups: groups) {
                // From the outermost group that changed, all are named again.
                let outermost = groups.indices.last { open?[$0] != entry.groups[$0] }
                if groups.isEmpty || open == nil || outermost == groups.count - 1 { position += 1 }
                if let window, !window.contains(position) {
                    if position >= window.upperBound { break }
                    open = entry.groups
                    continue
                }
                if let outermost {
                    for index in (0...outermost).reversed() { response.line(groups[index], entry.groups[index]) }
                }
                open = entry.groups
                response.line(tag, entry.value)
                try await response.flushIfFull()
            }
        }
    }
}

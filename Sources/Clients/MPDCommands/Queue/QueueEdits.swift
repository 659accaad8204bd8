import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

extension Command {
    /// Gives a stream in the queue another tag value; an empty one adds nothing.
    static let addTagID = Command("addtagid", .add, 3...3, "{SONGID} {TAG} {VALUE}", since: "0.19") { arguments in
        let id = try arguments.entryID()
        let tag = try arguments.tag()
        let value = try arguments.string()
        return .immediate { context, _ in
            var isFull = false
            let isStream = try context.player.editAtOnce { machine in
                try machine.setStreamTags(id: id) { tags in
                    if value.isEmpty { return }
                    let size = tags.reduce(value.utf8.count) { $0 + $1.value.utf8.count }
                    isFull = tags.count >= [TagValue].maxValues || size > maxTagBytes
                    if !isFull { tags.append(TagValue(tag, value)) }
                }
            }
            guard !isFull else { throw AckError(.argument, "Too many tags for one song") }
            guard isStream else { throw AckError(.permission, "Cannot edit tags of local file") }
        }
    }

    static let clear = suspending("clear", .player, since: "before 0.12") { context, _ in
        try await context.player.edit(.all()) { $0.clear() }
    }

    static let clearTagID = Command("cleartagid", .add, 1...2, "{SONGID} [TAG]", since: "0.19") { arguments in
        let id = try arguments.entryID()
        let tag = arguments.isEmpty ? nil : try arguments.tag()
        return .immediate { context, _ in
            let isStream = try context.player.editAtOnce { machine in
                try machine.setStreamTags(id: id) { tags in tags.removeAll { tag == nil || $0.tag == tag } }
            }
            guard isStream else { throw AckError(.permission, "Cannot edit tags of local file") }
        }
    }

    static let delete = Command("delete", .player, 1...1, "{POS|START:END}", since: "before 0.12") { arguments in
        let range = try arguments.range()
        return .suspending { context, _ in
            let positions = try range.positions(in: context.player)
            guard !positions.isEmpty else { return }
            try await context.player.edit(.entries(positions.count)) { try $0.delete(positions) }
        }
    }

    static let deleteID = Command("deleteid", .player, 1...1, "{SONGID}", since: "before 0.12") { arguments in
        let id = try arguments.entryID()
        return .suspending { context, _ in try await context.player.edit { try $0.delete(id: id) } }
    }

    static let move = Command("move", .player, 2...2, "{FROM|START:END} {TO}", since: "before 0.12") { arguments in
        let range = try arguments.range()
        guard range.end != nil else { throw AckError(.argument, "Open-ended range not supported") }
        let destination = try arguments.position()
        return .suspending { context, _ in
            let positions = range.start..<(range.end ?? context.player.count)
            let target = try destination.destination(of: positions, in: context.player)
            guard try context.checkMove(of: positions, to: target) else { return }
            try await context.player.edit(.entries(positions.count)) { try $0.move(positions, to: .absolute(target)) }
        }
    }

    static let moveID = Command("moveid", .player, 2...2, "{FROM} {TO}", since: "before 0.12") { arguments in
        let id = try arguments.entryID()
        let destination = try arguments.position()
        return .suspending { context, _ in
            let player = context.player
            guard let position = player.position(of: id) else { throw AckError(.noExist, "No such song") }
            let positions = position..<position + 1
            let target = try destination.destination(of: positions, in: player)
            guard try context.checkMove(of: positions, to: target) else { return }
            // By its id: the entry may be at another position by the time a large edit has its turn.
            try await player.edit { try $0.move(id: id, to: .absolute(target)) }
        }
    }

    /// Sets the priority of entries, by which random order prefers them; ranges before a wrong one keep it.
    static let prio = Command("prio", .player, 2...Int.max, "{PRIORITY} {START:END...}", since: "0.17") { arguments in
        let priority = try arguments.unsigned(maximum: 255)
        let ranges = try arguments.rest { try $0.range() }
        return .suspending { context, _ in
            for range in ranges {
                let positions = try range.positions(in: context.player)
                guard !positions.isEmpty else { continue }
                try await context.player.edit(.entries(positions.count)) {
                    try $0.setPriority(priority, range: positions)
                }
            }
        }
    }

    /// Sets the priority of entries by their ids; those before a wrong one keep it.
    static let prioID = Command("prioid", .player, 2...Int.max, "{PRIORITY} {ID...}", since: "0.17") { arguments in
        let priority = try arguments.unsigned(maximum: 255)
        let ids = try arguments.rest { try $0.entryID() }
        return .suspending { context, _ in
            try await context.player.edit(.entries(ids.count)) { try $0.setPriority(priority, ids: ids) }
        }
    }

    /// Sets the part of its song that an entry of the queue plays, in seconds; `:` is the whole song.
    static let rangeID = Command("rangeid", .add, 2...2, "{ID} {START:END}", since: "0.19") { arguments in
        let id = try arguments.entryID()
        let range = try arguments.timeRange()
        return .immediate { context, _ in
            try context.player.editAtOnce { try $0.setRange(id: id, start: range.start, end: range.end) }
        }
    }

    /// Shuffles the queue or a part of it; a playing song in the range becomes its first.
    static let shuffle = Command("shuffle", .player, 0...1, "[START:END]", since: "before 0.12") { arguments in
        let range = arguments.isEmpty ? .everything : try arguments.range()
        return .suspending { context, _ in
            let positions = try range.positions(in: context.player)
            guard positions.count > 1 else { return }
            // It takes a sixth of the time that other edits take for each entry.
            try await context.player.edit(.entries(positions.count / 6)) { try $0.shuffle(positions) }
        }
    }

    static let swap = Command("swap", .player, 2...2, "{SONG1} {SONG2}", since: "before 0.12") { arguments in
        let first = try arguments.unsigned()
        let second = try arguments.unsigned()
        return .suspending { context, _ in try await context.player.edit { try $0.swap(first, second) } }
    }

    static let swapID = Command("swapid", .player, 2...2, "{SONG1} {SONG2}", since: "before 0.12") { arguments in
        let first = try arguments.entryID()
        let second = try arguments.entryID()
        return .suspending { context, _ in try await context.player.edit { try $0.swap(id: first, second) } }
    }
}

/// The limit for the tags of one entry together; MPD has none but its memory.
private let maxTagBytes = 64 * 1024

extension Arguments {
    fileprivate mutating func rest<Value>(_ take: (inout Arguments) throws -> Value) rethrows -> [Value] {
        var values: [Value] = []
        while !isEmpty { values.append(try take(&self)) }
        return values
    }
}

extension Command {
    /// Puts a song, a directory with all that is in it, or a stream into the queue; `/` is the whole library.
    static let add = Command(
        "add", .add, 1...2, "{URI} [POSITION]", since: "before 0.12", withoutClient: .endsSoon
    ) { arguments in
        let argument = try arguments.string()
        let uri = argument == "/" ? "" : argument
        let position = arguments.isEmpty ? nil : try arguments.position()
        return .suspending { context, _ in
            try context.check(position)
            switch try LocatedURI(uri, for: .input, in: context, allowsEmpty: true) {
            case .absolute(let url):
                try await context.insert(try await context.candidates(stream: url), at: position)
            case .outside(let path): try await context.insert([try await context.outsideCandidate(path)], at: position)
            case .relative(let path):
                let songs = try await context.server.library.index.queueable(below: path)
                let candidates = await LongList.handle(consume songs) { $0.map { QueueCandidate($0) } }
                try await context.insert(consume candidates, at: position)
            }
        }
    }

    static let addID = Command("addid", .add, 1...2, "{URI} [POSITION]", since: "0.12") { arguments in
        let uri = try arguments.string()
        let position = arguments.isEmpty ? nil : try arguments.position()
        return .suspending { context, response in
            try context.check(position)
            let candidate = try await context.candidate(uri)
            if let id = try await context.insert([candidate], at: position).first { response.line("Id: ", id.rawValue) }
        }
    }
}

extension CommandContext {
    @ServerActor
    fileprivate func candidate(_ uri: String) async throws -> QueueCandidate {
        switch try LocatedURI(uri, for: .input, in: self) {
        case .absolute(let url):
            let candidates = try await candidates(stream: url)
            guard candidates.count == 1 else {
                throw AckError(.argument, "That is a whole disc; `add` takes it, or name a track")
            }
            return candidates[0]
        case .outside(let path): return try await outsideCandidate(path)
        case .relative(let path):
            guard let song = try await server.library.index.queueableSong(at: path) else {
                throw AckError(.noExist, "No such song")
            }
            return QueueCandidate(song)
        }
    }
}

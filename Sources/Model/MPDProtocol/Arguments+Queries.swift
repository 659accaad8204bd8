package import MusicModel

// Filters with what may follow them. Options stand at the end in the fixed order
// `FILTER... [group T]... | [sort X] [window A:B] [position P]` and are taken from the back.

extension Arguments {
    /// Takes `KEYWORD VALUE` from the end; nil when it isn't there.
    package mutating func trailing(_ keyword: String) -> String? {
        guard count >= 2, remaining[remaining.endIndex - 2] == keyword, let value = popLast() else { return nil }
        _ = popLast()
        return value
    }

    /// Takes `position P` from the end; nil when it isn't there.
    package mutating func trailingPosition() throws(AckError) -> ArgumentPosition? {
        guard let text = trailing("position") else { return nil }
        return try Self.position(text)
    }

    /// Takes `window A:B` from the end; everything when it isn't there.
    package mutating func trailingWindow() throws(AckError) -> ArgumentRange {
        guard let text = trailing("window") else { return .everything }
        var argument = Arguments([text])
        return try argument.range()
    }

    /// Takes `sort [-]KEY` from the end; nil when it isn't there. Only a queue has priorities.
    package mutating func trailingSort(inQueue: Bool = false) throws(AckError) -> SongSort? {
        guard var text = trailing("sort") else { return nil }
        let isDescending = text.utf8.first == UInt8(ascii: "-")
        if isDescending { text.removeFirst() }
        switch text.lowercased() {
        case "last-modified": return SongSort(.lastModified, isDescending: isDescending)
        case "added": return SongSort(.added, isDescending: isDescending)
        case "prio" where inQueue: return SongSort(.priority, isDescending: isDescending)
        default:
            guard let tag = Tag(wireName: text) else { throw AckError(.argument, "Unknown sort tag") }
            return SongSort(.tag(tag), isDescending: isDescending)
        }
    }

    /// Takes one `group TAG` from the end, as `count` has it; nil when it isn't there.
    package mutating func trailingGroup() throws(AckError) -> Tag? {
        guard let text = trailing("group") else { return nil }
        guard let tag = Tag(wireName: text) else { throw .unknownWord("Unknown tag type", text) }
        return tag
    }

    /// Takes every `group TAG` from the end, as `list` has them, and returns them in the order of the arguments.
    package mutating func trailingGroups(listed: Tag) throws(AckError) -> [Tag] {
        var groups: [Tag] = []
        while let group = try trailingGroup() {
            guard group != listed, !groups.contains(group) else { throw AckError(.argument, "Conflicting group") }
            groups.append(group)
        }
        return groups.reversed()
    }

    /// Takes all that is left as a filter, of which there must be one; `search` and its relatives fold case.
    package mutating func filter(foldsCase: Bool) throws(AckError) -> SongFilter {
        let arguments = Array(remaining)
        self = Arguments([])
        do throws(AckError) {
            return try SongFilter(parsing: arguments, foldsCase: foldsCase)
        } catch {
            throw AckError(.argument, error.message)
        }
    }

    /// Takes all that is left as `FILTER... [sort X] [window A:B]`, the way `find` and `search` have it.
    package mutating func query(foldsCase: Bool, inQueue: Bool = false) throws(AckError) -> SongQuery {
        let window = try trailingWindow()
        let sort = try trailingSort(inQueue: inQueue)
        return SongQuery(try filter(foldsCase: foldsCase), sort: sort, window: window.window)
    }
}

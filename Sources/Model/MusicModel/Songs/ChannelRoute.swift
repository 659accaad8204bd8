/// Why a text is no route; for a person.
package struct ChannelRouteProblem: Error, Hashable, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

/// Which of a song's channels go to which channels of an output.
package struct ChannelRoute: Hashable, Sendable {
    /// A channel of the song that goes to one of the output, both from 0.
    package struct Entry: Hashable, Sendable {
        /// The song's.
        package var source: Int
        /// The output's.
        package var target: Int
    }

    /// The entries, in the order in which they were written; none stands twice.
    package let entries: [Entry]

    /// Reads a route as MPD writes it, such as `0>0, 1>1, 0>2, 1>3`.
    /// - Throws: `ChannelRouteProblem` for anything else, channels beyond the eighth, and an entry that stands twice.
    package init(_ text: String) throws(ChannelRouteProblem) {
        guard text.utf8.count <= 1024 else { throw ChannelRouteProblem("the route is too long") }
        var entries: [Entry] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let entry = try Self.entry(part)
            guard !entries.contains(entry) else {
                throw ChannelRouteProblem("\"\(entry.source)>\(entry.target)\" stands twice; remove one")
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    private static func entry(_ part: Substring) throws(ChannelRouteProblem) -> Entry {
        let ends = part.split(separator: ">", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        guard ends.count == 2, ends.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }) else {
            throw ChannelRouteProblem(
                "\"\(part)\" is no part of a route; write pairs of channels such as \"0>0, 1>1, 0>2, 1>3\"")
        }
        guard let source = Int(ends[0]), let target = Int(ends[1]), max(source, target) < Speaker.maxChannels else {
            throw ChannelRouteProblem(
                "\"\(part)\" names a channel that there is not; channels are 0 to \(Speaker.maxChannels - 1)")
        }
        return Entry(source: source, target: target)
    }

    /// How many channels of a song it looks at.
    package var sources: Int { (entries.map(\.source).max() ?? 0) + 1 }

    /// How many channels of an output it fills.
    package var targets: Int { (entries.map(\.target).max() ?? 0) + 1 }
}

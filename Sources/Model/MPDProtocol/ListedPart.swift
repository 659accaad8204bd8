import Glibc
package import MusicModel

/// A part of a song, as an entry of the queue plays it, or a song with the tags of a cue sheet.
package struct ListedPart: Sendable {
    private let range: SongRange?
    /// How long the whole song lasts; where that is unknown, the song's block may tell.
    private let whole: Duration?
    /// The tags that go before the song's own, and those that the client wants.
    private let tags: [TagValue]
    private let mask: TagMask

    /// Describes an entry of a song that lasts `whole`, if known; `tags` go before the song's own.
    package init(_ range: SongRange?, of whole: Duration?, tags: [TagValue] = [], mask: TagMask = .standard) {
        self.range = range
        self.whole = whole
        self.tags = tags
        self.mask = mask
    }

    /// Makes the block at the end of `buffer` that of the part: with a `Range` line, and with the part's own duration.
    func rewrite(from start: Int, _ buffer: inout [UInt8]) {
        let block = Array(buffer[start...])
        buffer.removeSubrange(start...)
        var whole = whole
        var tagLines = tagLines
        let replaced = replaced
        var isRangeTold = range == nil
        for line in block.split(separator: 0x0A) {
            if whole == nil, line.starts(with: [UInt8].duration) {
                whole = Self.duration(line.dropFirst([UInt8].duration.count))
            }
            if !isRangeTold, ![UInt8].beforeRange.contains(where: { line.starts(with: $0) }) {
                appendRange(to: &buffer)
                isRangeTold = true
            }
            if !tagLines.isEmpty, ![UInt8].beforeTags.contains(where: { line.starts(with: $0) }) {
                buffer.append(contentsOf: tagLines)
                tagLines = []
            }
            // The range of a part of a cue sheet's track takes the place of the track's own.
            if replaced.contains(where: { line.starts(with: $0) }) { continue }
            buffer.append(contentsOf: line)
            buffer.append(0x0A)
        }
        if !isRangeTold { appendRange(to: &buffer) }
        buffer.append(contentsOf: tagLines)
        if let range { Self.append(range.shownDuration(within: whole), to: &buffer) }
    }

    private var tagLines: ArraySlice<UInt8> {
        if tags.isEmpty { return [] }
        // The path's line comes first.
        return SongBlock.text(of: Song(uri: "", tags: tags), mask: mask).drop { $0 != 0x0A }.dropFirst()
    }

    /// How the lines of the song begin that have another form here.
    private var replaced: [[UInt8]] {
        let told = Set(tags.map(\.tag)).map { tag in tag.wireName.withUTF8Buffer { Array($0) + Array(": ".utf8) } }
        return told + (range == nil ? [] : [UInt8].ofWhole)
    }

    private func appendRange(to buffer: inout [UInt8]) {
        if let range { buffer.append(contentsOf: "Range: \(range.wireText)\n".utf8) }
    }

    private static func duration(_ text: ArraySlice<UInt8>) -> Duration? {
        let digits = String(decoding: text.filter { $0 != UInt8(ascii: ".") }, as: UTF8.self)
        return Int64(digits).map { .milliseconds($0) }
    }

    private static func append(_ duration: Duration?, to buffer: inout [UInt8]) {
        guard let duration else { return }
        buffer.append(contentsOf: "Time: \(duration.roundedSeconds)\nduration: \(duration.wireSeconds)\n".utf8)
    }
}

extension [UInt8] {
    fileprivate static let duration = Array("duration: ".utf8)
    /// Lines of a whole song that its part has in another form.
    fileprivate static let ofWhole = ["Time: ", "duration: ", "Range: "].map { Array($0.utf8) }
    fileprivate static let beforeRange = ["file: ", "RealUri: "].map { Array($0.utf8) }
    fileprivate static let beforeTags =
        beforeRange + ["Range: ", "Last-Modified: ", "Added: ", "Format: "].map { Array($0.utf8) }
}

/// Leaves lines of tags out of a stored block, for clients that chose their tags with `tagtypes`.
package struct BlockFilter {
    /// The names of the tags to leave out, by their lengths.
    private let excluded: [[[UInt8]]]

    /// Keeps the lines of these tags, and all that are no tags.
    package init(keeping mask: TagMask) {
        var excluded = [[[UInt8]]](repeating: [], count: 32)
        for tag in Tag.allCases where !mask.contains(tag) {
            let name = tag.wireName.withUTF8Buffer { Array($0) }
            excluded[name.count].append(name)
        }
        self.excluded = excluded
    }

    /// Appends the lines that stay.
    package func append(_ block: UnsafeRawBufferPointer, to buffer: inout [UInt8]) {
        var start = 0
        var kept = 0
        while start < block.count {
            let end = (block.index(of: 0x0A, from: start) ?? block.count - 1) + 1
            if isExcluded(UnsafeRawBufferPointer(rebasing: block[start..<end])) {
                buffer.append(contentsOf: block[kept..<start])
                kept = end
            }
            start = end
        }
        buffer.append(contentsOf: block[kept..<block.count])
    }

    private func isExcluded(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let colon = line.index(of: 0x3A, from: 0), colon < excluded.count else { return false }
        for name in excluded[colon] where line.starts(with: name) { return true }
        return false
    }
}

extension UnsafeRawBufferPointer {
    /// The place of the first byte with this value at or after `start`.
    fileprivate func index(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        return memchr(base + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - base }
    }
}

import MusicModel

/// The boxes of an MP4 file, some of which hold others.
/// - Source: ISO/IEC 14496-12, 4.2.
struct MP4Boxes {
    struct Box {
        var name: String
        var start: Int64
        var body: Int64
        var end: Int64
    }

    let source: HeaderBytes
    private var budget: Int

    init(_ source: HeaderBytes, budget: Int = 4096) { (self.source, self.budget) = (source, budget) }

    mutating func box(_ name: String, from start: Int64, to end: Int64) -> Box? {
        var offset = start
        while let found = box(at: offset, limit: end) {
            if found.name == name { return found }
            offset = found.end
        }
        return nil
    }

    mutating func box(_ name: String, in parent: Box) -> Box? { box(name, from: parent.body, to: parent.end) }

    mutating func boxes(_ parent: Box) -> [Box] {
        var found: [Box] = []
        var offset = parent.body
        while let next = box(at: offset, limit: parent.end) {
            found.append(next)
            offset = next.end
        }
        return found
    }

    private mutating func box(at offset: Int64, limit: Int64) -> Box? {
        guard budget > 0, offset >= 0, limit >= 8, offset <= limit - 8, let size = source.number(at: offset, count: 4),
            let name = source.name(at: offset + 4)
        else { return nil }
        budget -= 1
        var length = Int64(size)
        var head: Int64 = 8
        if size == 1 {
            guard let long = source.number(at: offset + 8, count: 8), long < 1 << 62 else { return nil }
            (length, head) = (Int64(long), 16)
        } else if size == 0 {
            length = limit == .max ? 0 : limit - offset
        }
        guard length >= head, length <= limit - offset else { return nil }
        return Box(name: name, start: offset, body: offset + head, end: offset + length)
    }
}

extension MP4Boxes {
    mutating func tags() -> [Box] {
        guard let movie = box("moov", from: 0, to: source.size ?? .max), let userData = box("udta", in: movie)
        else { return [] }
        return tags(in: userData)
    }

    mutating func tags(in userData: Box) -> [Box] {
        guard let meta = box("meta", in: userData),
            let list = box("ilst", from: meta.body.addingClamped(4), to: meta.end)
        else { return [] }
        return boxes(list)
    }
}

package import MusicModel

/// A song as the desktop shows it.
package struct MediaSong: Hashable, Sendable {
    /// The entry's number in the queue.
    package var entry: UInt32
    /// The song's path, or the station's address without a login.
    package var uri: String
    /// An address that others can open: a file's of this machine, or a station's; nil for songs of the server.
    package var url: String?
    /// How long it lasts; nil for stations.
    package var length: Duration?
    /// Its tags in their order.
    package var tags: [TagValue]
    /// 0 to 10; nil without a rating.
    package var rating: Int?
    /// The file with its picture; nil when it has none.
    package var picture: String?

    /// Collects what is known.
    package init(
        entry: UInt32, uri: String, url: String? = nil, length: Duration? = nil, tags: [TagValue] = [],
        rating: Int? = nil, picture: String? = nil
    ) {
        self.entry = entry
        self.uri = uri
        self.url = url
        self.length = length
        self.tags = tags
        self.rating = rating
        self.picture = picture
    }

    /// The object that stands for the entry; a song that is played twice in a row has two.
    var trackID: String { "/org/segue/queue/\(entry)" }

    /// The song in the words of MPRIS.
    ///
    /// - Source: freedesktop.org's MPRIS v2 metadata guidelines.
    var metadata: [String: BusVariant] {
        var found: [String: BusVariant] = [
            "mpris:trackid": .path(trackID), "xesam:title": .text(title),
        ]
        found["xesam:url"] = url.map { .text($0) }
        found["mpris:length"] = length.map { .int64($0.wholeMicroseconds) }
        found["mpris:artUrl"] = picture.map { .text("file://" + $0) }
        found["xesam:album"] = first(.album).map { .text($0) }
        for (name, tag) in Self.lists {
            let values = values(tag)
            if !values.isEmpty { found[name] = .texts(values) }
        }
        found["xesam:trackNumber"] = number(.track).map { .int32($0) }
        found["xesam:discNumber"] = number(.disc).map { .int32($0) }
        found["xesam:contentCreated"] = first(.date).map { .text($0) }
        found["xesam:userRating"] = rating.map { .double(Double($0) / 10) }
        return found
    }

    private static let lists: [(String, Tag)] = [
        ("xesam:artist", .artist), ("xesam:albumArtist", .albumArtist), ("xesam:genre", .genre),
        ("xesam:composer", .composer), ("xesam:comment", .comment),
    ]

    /// Its title, the station's name, or the name of the file.
    package var title: String {
        first(.title) ?? first(.name) ?? uri.pathParts.last.map { String($0) } ?? uri
    }

    /// All artists; nil where no tag names one.
    package var artist: String? {
        let names = values(.artist)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The title of its album; nil where no tag says so.
    package var album: String? { first(.album) }

    private func first(_ tag: Tag) -> String? { tags.first { $0.tag == tag && !$0.value.isEmpty }?.value }

    private func values(_ tag: Tag) -> [String] { tags.filter { $0.tag == tag && !$0.value.isEmpty }.map(\.value) }

    /// The digits that a number such as `3/12` begins with.
    private func number(_ tag: Tag) -> Int32? { first(tag).flatMap { Int32($0.prefix { $0.isASCII && $0.isNumber }) } }
}

extension Duration {
    /// In microseconds, as MPRIS counts; the largest number for what is longer.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isTooLong else { return seconds < 0 ? .min : .max }
        let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflows ? .max : sum
    }
}

package import MusicModel

/// A song as others show it.
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

    private func first(_ tag: Tag) -> String? { values(tag).first }

    /// The values of a tag that say something.
    package func values(_ tag: Tag) -> [String] { tags.filter { $0.tag == tag && !$0.value.isEmpty }.map(\.value) }
}

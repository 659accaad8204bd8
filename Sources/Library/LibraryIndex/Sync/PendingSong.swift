import MusicModel

struct PendingSong {
    var song: IndexedSong
    private(set) var row: StoredSong?
    var id: Int64 = 0
    var uri = ""
    /// The path that the source asks for, with the mount.
    let wanted: String
    var hasNewPath = false
    /// The directory that it will be in; of a hidden song none.
    var directory: Int64?
    /// Its place in the walk; of a hidden song none.
    var walk: Int64?

    init(_ song: IndexedSong) {
        self.song = song
        if !song.tags.allSatisfy({ CleanText.isClean($0.value) }) {
            self.song.tags = song.tags.compactMap { tag in
                CleanText.tagValue(tag.value).map { TagValue(tag.tag, $0) }
            }
        }
        let suffix = song.suffix.isEmpty ? "" : ".\(song.suffix)"
        // The suffix comes from outside as well.
        let path = CleanText.path(song.path, fallback: CleanText.path("untitled\(suffix)", fallback: "untitled"))
        wanted = song.mount.isEmpty ? path : "\(CleanText.path(song.mount, fallback: "mount"))/\(path)"
    }

    mutating func take(_ row: StoredSong) {
        self.row = row
        (id, uri) = (row.id, row.uri)
    }

    var wasPresent: Bool { row?.isPresent ?? false }

    /// True if clients keep using the path that they know.
    var keepsPath: Bool { row.map { $0.isPresent && ExactText.equal($0.wanted, wanted) } ?? false }
    var searchedTags: [TagValue] { song.isHidden ? [] : song.tags }
    var identity: SongIdentity { SongIdentity(path: wanted, tags: song.tags, duration: song.duration?.milliseconds) }
    var sortKey: SongSortKey { SongSortKey(uri: uri, tags: song.tags) }

    var rendered: Song {
        var rendered = song.song
        (rendered.id, rendered.uri, rendered.range) = (SongID(rawValue: id), uri, song.source.range)
        return rendered
    }
}

/// The order of songs within a directory: album, disc, track, file name.
/// - Source: MPD v0.24.13 src/db/plugins/simple/SongSort.cxx.
struct SongSortKey {
    private let album: String?
    private let disc: Int32
    private let track: Int32
    private let name: String

    init(uri: String, tags: [TagValue]) {
        func first(_ tag: Tag) -> String? { tags.first { $0.tag == tag }?.value }
        album = first(.album)
        disc = max(0, leadingNumber(first(.disc) ?? ""))
        track = max(0, leadingNumber(first(.track) ?? ""))
        name = uri.utf8.lastIndex(of: 0x2F).map { String(uri[uri.utf8.index(after: $0)...]) } ?? uri
    }

    func precedes(_ other: SongSortKey) -> Bool {
        switch (album, other.album) {
        case (nil, .some): return true
        case (.some, nil): return false
        case (let mine?, let theirs?):
            let order = Collation.compare(mine, theirs)
            if order != 0 { return order < 0 }
        case (nil, nil): break
        }
        if disc != other.disc { return disc < other.disc }
        if track != other.track { return track < other.track }
        return Collation.precedes(name, other.name)
    }
}

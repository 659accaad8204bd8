import LibraryIndex
package import MusicModel

/// The star and the rating of something, as clients see them.
package struct ShownMarks: Hashable, Sendable {
    /// True if it is starred.
    package var isStarred = false
    /// 0 to 10; nil without one.
    package var rating: Int?

    /// Makes the marks of something untouched.
    package init() {}

    mutating func take(_ name: String, _ value: String) {
        switch name {
        case MarkConvention.like: isStarred = (Int(value) ?? 0) >= 2
        case MarkConvention.rating: rating = Int(value).map { min(max($0, 0), 10) }
        default: break
        }
    }
}

extension Library {
    /// The stars and ratings of songs; those without any are left out.
    package func shownMarks(of songs: [SongID]) async throws -> [SongID: ShownMarks] {
        try await read { database in
            let row = try SQLStatement(
                database, "SELECT name, value FROM song_sticker WHERE song = ? AND name IN ('like', 'rating')")
            var found: [SongID: ShownMarks] = [:]
            for song in Set(songs) {
                try row.forEach(song.rawValue) { found[song, default: ShownMarks()].take($0.text(0), $0.text(1)) }
            }
            return found
        }
    }

    /// All songs with a star, and those with a rating.
    package func markedSongs() async throws -> (starred: Set<SongID>, ratings: [SongID: Int]) {
        try await read { database in
            var (starred, ratings): (Set<SongID>, [SongID: Int]) = ([], [:])
            try database.forEach("SELECT song, name, value FROM song_sticker WHERE name IN ('like', 'rating')") { row in
                var marks = ShownMarks()
                marks.take(row.text(1), row.text(2))
                let song = SongID(rawValue: row.int(0))
                if marks.isStarred { starred.insert(song) }
                if let rating = marks.rating { ratings[song] = rating }
            }
            return (starred, ratings)
        }
    }

    /// When each song was heard last, in Unix seconds; 1 for those that were heard at an unknown time.
    package func heardSongs() async throws -> [SongID: Int64] {
        try await read { database in
            var heard: [SongID: Int64] = [:]
            try database.forEach(
                "SELECT song, name, value FROM song_sticker WHERE name IN ('playCount', 'lastPlayed')"
            ) { row in
                let time = row.text(1) == MarkConvention.played ? Int64(row.text(2)) ?? 0 : 0
                guard time > 0 || MarkConvention.plays(row.text(2)) > 0 else { return }
                let song = SongID(rawValue: row.int(0))
                heard[song] = max(heard[song] ?? 1, time)
            }
            return heard
        }
    }

    /// The stars and ratings of all values of a tag, such as albums, by the value.
    package func shownMarks(of tag: Tag) async throws -> [String: ShownMarks] {
        try await read { database in
            var found: [String: ShownMarks] = [:]
            try database.forEach(
                "SELECT object, name, value FROM sticker WHERE type = ? AND name IN ('like', 'rating')",
                "\(tag.wireName)"
            ) { found[$0.text(0), default: ShownMarks()].take($0.text(1), $0.text(2)) }
            return found
        }
    }
}

import Glibc

/// Writes a library as the file in which MPD keeps its database, so that both can be measured on the same songs.
///
/// - Source: MPD 0.24.13, src/db/plugins/simple/DatabaseSave.cxx, DirectorySave.cxx, src/SongSave.cxx, src/TagSave.cxx.
struct FakeMPDDatabase {
    /// The tags that the file claims to be complete for: those that 0.23 and 0.24 know.
    private static let tags = [
        "Artist", "ArtistSort", "Album", "AlbumSort", "AlbumArtist", "AlbumArtistSort", "Title", "Track", "Name",
        "Genre", "Date", "OriginalDate", "Composer", "Performer", "Conductor", "Work", "Grouping", "Disc", "Label",
        "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_ALBUMARTISTID", "MUSICBRAINZ_TRACKID",
        "MUSICBRAINZ_RELEASETRACKID", "MUSICBRAINZ_WORKID",
    ]

    /// Bytes that are not in the file yet.
    private var text: [UInt8] = []
    private var openFolders: [Substring] = []

    /// Writes the songs to a file.
    ///
    /// - Returns: whether the file could be written.
    static func write(_ songs: [FakeSong], to path: String) -> Bool {
        guard let file = fopen(path, "wb") else { return false }
        var database = FakeMPDDatabase()
        database.add("info_begin\nformat: 2\nmpd_version: 0.23.12\nfs_charset: UTF-8\n")
        for tag in tags { database.add("tag: \(tag)\n") }
        database.add("info_end\n")
        var isWritten = true
        for song in sorted(songs) {
            database.add(song)
            if database.text.count > 1 << 20 { isWritten = database.flush(to: file) && isWritten }
        }
        database.closeFolders(downTo: 0)
        isWritten = database.flush(to: file) && isWritten
        return fclose(file) == 0 && isWritten
    }

    /// Folders have to come in one piece: a slash sorts before everything else.
    private static func sorted(_ songs: [FakeSong]) -> [FakeSong] {
        songs.map { (key: $0.path.utf8.map { $0 == UInt8(ascii: "/") ? 1 : $0 }, song: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.song)
    }

    private mutating func add(_ line: String) { text.append(contentsOf: line.utf8) }

    private mutating func add(_ song: FakeSong) {
        var parts = song.path.split(separator: "/")
        let name = parts.removeLast()
        enter(parts)
        add("song_begin: \(name)\nTime: \(song.duration).000000\n")
        for artist in song.artists { add("Artist: \(artist)\n") }
        for artist in song.albumArtists { add("AlbumArtist: \(artist)\n") }
        add("Album: \(song.album)\nTitle: \(song.title)\n")
        if song.track > 0 { add("Track: \(song.track)\n") }
        if let year = song.year { add("Date: \(year)\n") }
        for genre in song.genres { add("Genre: \(genre)\n") }
        for composer in song.composers { add("Composer: \(composer)\n") }
        if song.disc > 0 { add("Disc: \(song.disc)\n") }
        add("Format: \(song.samplingRate):\(song.bitDepth):2\nmtime: \(song.modified)\nsong_end\n")
    }

    private mutating func enter(_ folders: [Substring]) {
        var shared = 0
        while shared < min(folders.count, openFolders.count), folders[shared] == openFolders[shared] { shared += 1 }
        closeFolders(downTo: shared)
        for folder in folders[shared...] {
            openFolders.append(folder)
            add("directory: \(folder)\nmtime: 1700000000\nbegin: \(openFolders.joined(separator: "/"))\n")
        }
    }

    private mutating func closeFolders(downTo depth: Int) {
        while openFolders.count > depth {
            add("end: \(openFolders.joined(separator: "/"))\n")
            openFolders.removeLast()
        }
    }

    private mutating func flush(to file: UnsafeMutablePointer<FILE>) -> Bool {
        let count = fwrite(text, 1, text.count, file)
        defer { text.removeAll(keepingCapacity: true) }
        return count == text.count
    }
}

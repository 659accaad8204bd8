import LibraryIndex
import MusicModel

/// A cue sheet of a disc that a server shows as one song, wherever the sheet comes from.
struct DiscSheet: Sendable {
    private let cue: CueSheet
    private let file: Int
    /// The name of the `.cue` file; nil of a sheet within the song, whose tracks lie where those of one would that is
    /// called like the song's file.
    private let name: String?
    private let stamp: Int64
    /// Where its last track begins: a song that ends before is another one.
    let lastStart: Duration

    /// Makes a sheet of the tracks in one of its files; nil of fewer than two.
    init?(_ cue: CueSheet, file: Int, name: String?, stamp: Int64) {
        let starts = cue.tracks.filter { $0.file == file }.map(\.start)
        guard starts.count > 1, let last = starts.max() else { return nil }
        (self.cue, self.file, self.name, self.stamp) = (cue, file, name, stamp)
        lastStart = last
    }

    func tracks(of song: IndexedSong, id: String) -> [IndexedSong]? {
        guard let whole = song.duration, lastStart < whole else { return nil }
        let scanned = ScannedTags(
            tags: song.tags, duration: song.duration, format: song.format, replayGain: song.replayGain)
        let made = disc(song).tracks.compactMap { track -> IndexedSong? in
            guard let part = track.part(of: scanned), let range = part.range else { return nil }
            return self.track(track, part.tags, range, of: song, id: id)
        }
        return made.isEmpty ? nil : made
    }

    private func disc(_ song: IndexedSong) -> DiscTracks {
        let whole = FoundFile(
            path: song.path, modified: song.lastModified ?? 0, exactTime: stamp, size: song.size ?? 0)
        let folder = song.path.hasSlash ? song.path.pathFolder + "/" : ""
        let file = song.path.pathName
        let stem = file.utf8.lastIndex(of: UInt8(ascii: ".")).map { file[..<$0] } ?? file
        let sheet = FoundFile(
            path: folder + (name ?? "\(stem).cue"), modified: 0, exactTime: stamp, size: 0)
        let wanted = cue.files[self.file]
        return DiscTracks(cue, at: sheet) { $0 == wanted ? whole : nil }
    }

    private func track(
        _ track: DiscTracks.Track, _ tags: ScannedTags, _ range: SongRange, of song: IndexedSong, id: String
    ) -> IndexedSong {
        var made = song
        made.sourceID = "\(id)/\(track.path.pathName)"
        made.source = .navidromePart(id: id, range: range)
        made.wholeID = id
        made.path = track.path
        (made.tags, made.duration, made.replayGain) = (tags.tags, tags.duration, tags.replayGain)
        // Stars and ratings are the disc's.
        (made.starred, made.rating, made.marks) = (false, 0, nil)
        made.hash =
            SplitHash(song.hash).derived { hash in
                hash.combine(stamp)
                hash.combine(made.sourceID)
                hash.combine(made.path)
            }.joined
        return made
    }
}

/// The cue sheets of a server's discs: those in a folder of the user's go before those in the songs (decision 57).
struct DiscSheets: Sendable {
    var folder = CueFolder()
    var tagged = TaggedSheets()

    func tracks(of song: IndexedSong, id: String) -> [IndexedSong]? {
        folder.tracks(of: song, id: id) ?? tagged.tracks(of: song, id: id)
    }
}

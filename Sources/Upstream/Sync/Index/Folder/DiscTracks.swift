import LibraryIndex
import MusicModel

/// The handling of cue sheets.
package struct CueSheetRules: Hashable, Sendable {
    /// True if their tracks are songs of the library, in a folder that is called like the sheet.
    package var makesSongs: Bool
    /// True if the files that such sheets make tracks of are hidden.
    package var hidesFiles: Bool
    /// The charset of sheets that are not UTF-8.
    package var charset: String
    /// The charset of tags that are not Unicode.
    package var tagCharset: String

    /// Makes rules.
    package init(
        makesSongs: Bool = true, hidesFiles: Bool = true, charset: String = TextDecoding.usualCharset,
        tagCharset: String = TextDecoding.usualCharset
    ) {
        (self.makesSongs, self.hidesFiles, self.charset) = (makesSongs, hidesFiles, charset)
        self.tagCharset = tagCharset
    }
}

/// The tracks of a disc that lies in one or a few files, as a cue sheet divides it.
struct DiscTracks: Sendable {
    struct Track: Sendable {
        /// The path below the music folder: that of the sheet, and the number of the track in it.
        let path: String
        let file: FoundFile
        let track: CueSheet.Track
        let end: Duration?
        let isAlone: Bool
        /// How many bytes the tags of its file may take in addition to its own: those of all tracks come together.
        let room: Int
    }

    /// The `.cue` file, or the music file that has one in its tags.
    let sheet: FoundFile
    let tracks: [Track]
    /// Moves when the sheet or one of the files changes.
    let stamp: UInt32
    var problems: [String]

    /// The tracks of a sheet, whose files are found by `file`; `rules` have the charsets of the sheet and of the files'
    /// tags.
    init(_ cue: CueSheet, at sheet: FoundFile, _ rules: CueSheetRules = CueSheetRules(), file: (String) -> FoundFile?) {
        let files = cue.files.map(file)
        problems = cue.problems
        for (name, found) in zip(cue.files, files) where found == nil {
            problems.append("it names tracks of \"\(name.prefix(utf8: 200))\", which doesn't exist")
        }
        var hash = ContentHash()
        hash.combine(Int64(FolderPlan.stamp(of: sheet, charset: rules.charset)))
        for file in files.compactMap(\.self) {
            hash.combine(Int64(FolderPlan.stamp(of: file, charset: rules.tagCharset)))
        }
        stamp = UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
        self.sheet = sheet
        tracks = Self.tracks(of: cue, at: sheet.path) { files[$0] }
    }

    init(_ cue: CueSheet, in file: FoundFile, stamp: UInt32) {
        sheet = file
        self.stamp = stamp
        problems = cue.problems
        tracks = Self.tracks(of: cue, at: file.path) { _ in file }
    }

    var files: [FoundFile] {
        var seen: Set<String> = []
        return tracks.map(\.file).filter { seen.insert($0.path).inserted }
    }

    private static func tracks(of cue: CueSheet, at path: String, file: (Int) -> FoundFile?) -> [Track] {
        let starts = Dictionary(grouping: cue.tracks, by: \.file).mapValues { Set($0.map(\.start)).count }
        let room = CueSheet.maxBytesOfTags / max(1, cue.tracks.count)
        return zip(cue.tracks, cue.ends).enumerated().compactMap { position, pair in
            let (track, end) = pair
            guard let found = file(track.file) else { return nil }
            let number = String(position + 1)
            let name = "track" + String(repeating: "0", count: max(0, 4 - number.count)) + number
            return Track(
                path: "\(path)/\(name)", file: found, track: track, end: end, isAlone: starts[track.file] == 1,
                room: room)
        }
    }

    static func isTrack(_ path: String) -> Bool {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8[path.utf8.index(after: $0)...] }
        guard let name, name.count >= 9, name.starts(with: "track".utf8) else { return false }
        return name.dropFirst(5).allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The path of the sheet, or file, that a track belongs to.
    static func holder(of path: String) -> String { String(path.hasSlash ? path.pathFolder : path[...]) }
}

extension DiscTracks.Track {
    /// Tags of a whole file's kind, which clients don't see of its tracks.
    private static let ofWholeFile: Set<Tag> = [
        .title, .titleSort, .track, .musicBrainzTrackID, .musicBrainzReleaseTrackID, .musicBrainzWorkID, .work,
        .movement, .movementNumber,
    ]

    /// The track as a song, with what the file says where the sheet is silent; nil where it begins behind the end.
    func part(of file: ScannedTags) -> (tags: ScannedTags, range: SongRange?)? {
        if let whole = file.duration, track.start >= whole { return nil }
        let end = end.flatMap { end in file.duration.map { end < $0 } ?? true ? end : nil }
        var tags = track.tags
        let told = Set(tags.map(\.tag))
        tags += file.tags.filter { !told.contains($0.tag) && !Self.ofWholeFile.contains($0.tag) }.fitting(bytes: room)
        // Clients search for songs by their artists.
        if !tags.contains(where: { $0.tag == .artist }), let artist = tags.first(where: { $0.tag == .albumArtist }) {
            tags.append(TagValue(.artist, artist.value))
        }
        let ordered = Tag.allCases.flatMap { tag in tags.filter { $0.tag == tag } }
        let last = (end ?? file.duration).map(Self.milliseconds)
        var gain = track.replayGain
        if gain == ReplayGain() {
            // The gain of a file that is a whole disc is the disc's.
            gain.albumGain = file.replayGain.albumGain ?? file.replayGain.trackGain
            gain.albumPeak = file.replayGain.albumPeak ?? file.replayGain.trackPeak
        }
        let scanned = ScannedTags(
            tags: ordered, duration: last.map { .milliseconds($0 - Self.milliseconds(track.start)) },
            format: file.format, replayGain: gain)
        return (scanned, isAlone && track.start == .zero ? nil : SongRange(start: track.start, end: end))
    }

    private static func milliseconds(_ time: Duration) -> Int64 {
        time.components.seconds.multipliedClamped(by: 1000)
            .addingClamped(time.components.attoseconds / 1_000_000_000_000_000)
    }
}

struct FoundDiscs: Sendable {
    var discs: [DiscTracks] = []
    /// Those above the place where the walk began, which may be about what it found.
    var above: [DiscTracks] = []
    /// True if sheets within files make tracks of them.
    var partsFiles = false
    /// True if the files of which they make tracks are hidden.
    var hidesFiles = false
}

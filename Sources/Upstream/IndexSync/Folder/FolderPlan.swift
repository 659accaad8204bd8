import LibraryIndex
import MusicModel

/// The work of a scan of the music folder: files to read, songs to remove.
struct FolderPlan {
    /// Files that are new or changed, or all of them in a rescan.
    private(set) var toRead: [(file: FoundFile, stamp: UInt32)] = []
    /// Songs of the index whose files are gone.
    private(set) var removals: [String] = []
    /// Songs that the index already has and whose files did not change.
    private(set) var unchanged = 0
    /// Tracks of cue sheets that are new or changed, or all of them in a rescan.
    private(set) var discsToRead: [DiscTracks] = []
    /// Files whose own cue sheet makes tracks of them, as far as that is known without reading them.
    private(set) var discFiles: Set<String> = []
    /// Files that cue sheets beside them make tracks of, so that one of their own doesn't.
    var coveredFiles: Set<String> { partedFiles.union(discsToRead.lazy.flatMap(\.files).map(\.path)) }
    /// Those of them that have tracks in the index.
    private(set) var partedFiles: Set<String> = []
    /// Whether those files are hidden.
    let hidesFiles: Bool
    /// The charset in which tags are read that are no Unicode.
    private let charset: String
    /// The paths of the tracks that the index has of each file or cue sheet.
    private let knownTracks: [String: [String]]

    /// Moves when files must be read again because more is taken from them.
    private static let version: Int64 = 2
    /// The same for those that have APE tags as a rule.
    private static let versionOfAPE: Int64 = 3
    private static let suffixesOfAPE: Set<String> = ["ape", "mpc", "tta", "wv"]

    /// Compares the files found below `start` with what the index knows.
    ///
    /// - Parameter passedOver: files that could not be read before, by path with the stamp they had.
    init(
        findings: FolderWalk.Findings, known: [String: (id: SongID, hash: UInt64)], below start: String,
        rescan: Bool, passedOver: [String: UInt32], discs: FoundDiscs = FoundDiscs(),
        charset: String = TextDecoding.usualCharset
    ) {
        hidesFiles = discs.hidesFiles
        self.charset = charset
        knownTracks = Dictionary(grouping: known.keys.filter(DiscTracks.isTrack)) { DiscTracks.holder(of: $0) }
        var present: Set<String> = []
        func isKnown(_ path: String, _ stamp: UInt32) -> Bool {
            known[path].map { Self.stamp(in: $0.hash) } == stamp
        }
        for disc in discs.discs {
            present.formUnion(disc.tracks.map(\.path))
            if !rescan, disc.tracks.allSatisfy({ isKnown($0.path, disc.stamp) }) {
                unchanged += disc.tracks.count
            } else if rescan || passedOver[disc.sheet.path] != disc.stamp {
                discsToRead.append(disc)
                continue
            }
            // Of some files no track could be made.
            partedFiles.formUnion(disc.tracks.lazy.filter { isKnown($0.path, disc.stamp) }.map(\.file.path))
        }
        var hidden = hidesFiles ? coveredFiles : []
        for track in discs.above.flatMap(\.tracks) where known[track.path] != nil || known[track.file.path] == nil {
            hidden.insert(track.file.path)
        }
        for file in findings.files where !hidden.contains(file.path) {
            present.insert(file.path)
            let stamp = Self.stamp(of: file, charset: charset)
            let tracks = knownTracks[file.path] ?? []
            if !rescan, isKnown(file.path, stamp) || !tracks.isEmpty && tracks.allSatisfy({ isKnown($0, stamp) }) {
                unchanged += max(1, tracks.count)
                present.formUnion(tracks)
                if !tracks.isEmpty { discFiles.insert(file.path) }
            } else if rescan || passedOver[file.path] != stamp {
                toRead.append((file, stamp))
                // Its earlier tracks are decided on when it has been read.
                present.formUnion(tracks)
            }
        }
        removals = known.keys.filter { path in
            Self.isBelow(start, path) && !present.contains(path)
                && !findings.unreadable.contains { Self.isBelow($0, path) }
        }
        removals.sort()
    }

    /// A file as it is read, of which no cue sheet beside it makes a track after all.
    func reading(_ file: FoundFile) -> (file: FoundFile, stamp: UInt32) {
        (file, Self.stamp(of: file, charset: charset))
    }

    /// Whether a file is read that had tracks, which may make room for it.
    var readsDiscsAgain: Bool { toRead.contains { knownTracks[$0.file.path] != nil } }

    /// The songs that the index has of a file that was read and of its tracks, and what the file no longer is.
    func leftovers(of file: String, now songs: [IndexedSong], known: [String: (id: SongID, hash: UInt64)]) -> [String] {
        let present = Set(songs.map(\.sourceID))
        return ([file] + (knownTracks[file] ?? [])).filter { known[$0] != nil && !present.contains($0) }
    }

    /// Whether `path` is `folder` or lies below it; everything lies below the empty path.
    static func isBelow(_ folder: String, _ path: String) -> Bool {
        folder.isEmpty || path == folder || path.hasPrefix(folder + "/")
    }

    /// The stamp of an unchanged file: one of the same size and time is taken to be the same, as long as its texts are
    /// read in the same charset.
    static func stamp(of file: FoundFile, charset: String) -> UInt32 {
        var hash = ContentHash()
        hash.combine(suffixesOfAPE.contains(file.suffix) ? versionOfAPE : version)
        if charset.lowercased() != TextDecoding.usualCharset.lowercased() { hash.combine(charset.lowercased()) }
        hash.combine(file.exactTime)
        hash.combine(file.size)
        return UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
    }

    /// The stamp within a song's hash.
    private static func stamp(in hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) }

    /// The hash of a local song: the stamp, which is known without reading the file, and what was read above it, so
    /// that `rescan` writes songs whose files did not change but whose tags are now read otherwise.
    static func hash(stamp: UInt32, tags: ScannedTags) -> UInt64 {
        var hash = ContentHash()
        for tag in tags.tags {
            hash.combine(Int64(tag.tag.rawValue))
            hash.combine(tag.value)
        }
        hash.combine(tags.duration?.components.seconds)
        hash.combine(tags.duration?.components.attoseconds)
        hash.combine(tags.format?.wireText)
        let gain = tags.replayGain
        for value in [gain.trackGain, gain.trackPeak, gain.albumGain, gain.albumPeak] { hash.combine(value) }
        return hash.value << 32 | UInt64(stamp)
    }
}

import LibraryIndex
import MusicModel

/// The songs that the index has of a source, by the source's ids.
typealias KnownSongs = [String: (id: SongID, hash: UInt64)]

/// The work of a scan of the music folder: files to read, songs to remove.
struct FolderPlan {
    private(set) var toRead: [(file: FoundFile, stamp: UInt32)] = []
    private(set) var removals: [String] = []
    private(set) var unchanged = 0
    private(set) var discsToRead: [DiscTracks] = []
    /// Files with a cue sheet of their own, if known without reading them.
    private(set) var discFiles: Set<String> = []
    /// Files that cue sheets next to them make tracks of, so that one of their own doesn't.
    var coveredFiles: Set<String> { partedFiles.union(discsToRead.lazy.flatMap(\.files).map(\.path)) }
    private(set) var partedFiles: Set<String> = []
    let hidesFiles: Bool
    /// Files that cue sheets next to them hide, unless no track can be made of them, and that the index doesn't know as
    /// hidden ones.
    private(set) var toHide: [FoundFile] = []
    /// Files with a sheet within them that the index may have from when sheets made no songs.
    private let unparted: Set<String>
    private var pathsToHide: Set<String> = []
    private let charset: String
    private let knownTracks: [String: [String]]

    /// Moves when files must be read again because more is taken from them.
    private static let version: Int64 = 5

    /// Compares the files found below `start` with what the index knows. `passedOver` are files that could not be read
    /// before, by path with the stamp they had; `listed` are music files that are playlists for the cue sheets within
    /// them.
    init(
        findings: FolderWalk.Findings, known: KnownSongs, below start: String,
        rescan: Bool, passedOver: [String: UInt32], discs: FoundDiscs = FoundDiscs(), listed: Set<String> = [],
        charset: String = TextDecoding.usualCharset
    ) {
        hidesFiles = discs.hidesFiles
        unparted = discs.partsFiles ? listed.filter { known[$0] != nil } : []
        self.charset = charset
        knownTracks = Dictionary(grouping: known.keys.filter(DiscTracks.isTrack)) { DiscTracks.holder(of: $0) }
        var present: Set<String> = []
        let isKnown = { (path: String, stamp: UInt32) in known[path].map { Self.stamp(in: $0.hash) } == stamp }
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
        for file in findings.files {
            present.insert(file.path)
            let isWanted = rescan || passedOver[file.path] != Self.stamp(of: file, charset: charset)
            if hidden.contains(file.path) {
                hide(file, isWanted: isWanted, rescan: rescan, isKnown)
            } else {
                present.formUnion(read(file, isWanted: isWanted, rescan: rescan, listed: listed, isKnown))
            }
        }
        pathsToHide = Set(toHide.map(\.path))
        removals = known.keys.filter { path in
            path.isPath(in: start) && !present.contains(path)
                && !findings.unreadable.contains { path.isPath(in: $0) }
        }
        removals.sort()
    }

    private mutating func hide(
        _ file: FoundFile, isWanted: Bool, rescan: Bool, _ isKnown: (_ path: String, _ stamp: UInt32) -> Bool
    ) {
        let stamp = Self.hidden(Self.stamp(of: file, charset: charset))
        if rescan || isWanted && !isKnown(file.path, stamp) { toHide.append(file) }
    }

    /// Has a file read unless the index knows it as it is; returns the tracks of its own that it may still have.
    private mutating func read(
        _ file: FoundFile, isWanted: Bool, rescan: Bool, listed: Set<String>,
        _ isKnown: (_ path: String, _ stamp: UInt32) -> Bool
    ) -> [String] {
        let stamp = Self.stamp(of: file, charset: charset)
        let tracks = knownTracks[file.path] ?? []
        let isDisc =
            !tracks.isEmpty && isKnown(file.path, Self.hidden(stamp)) && tracks.allSatisfy { isKnown($0, stamp) }
        let isWhole = isKnown(file.path, stamp) && !unparted.contains(file.path)
        if !rescan, isDisc || isWhole {
            unchanged += max(1, tracks.count)
            if !tracks.isEmpty || listed.contains(file.path) { discFiles.insert(file.path) }
            return tracks
        }
        guard isWanted else { return [] }
        toRead.append((file, stamp))
        // Its earlier tracks are decided on when it has been read.
        return tracks
    }

    /// A file as it is read, of which no cue sheet next to it makes a track after all.
    func reading(_ file: FoundFile) -> (file: FoundFile, stamp: UInt32) {
        (file, Self.stamp(of: file, charset: charset))
    }

    func isToHide(_ file: String) -> Bool { pathsToHide.contains(file) }
    /// The stamp of a hidden file, by that of the same file as a song of the tree.
    static func hidden(_ stamp: UInt32) -> UInt32 { ~stamp }
    /// True if a file is read that had tracks, which may make room for it.
    var readsDiscsAgain: Bool { toRead.contains { knownTracks[$0.file.path] != nil } }

    /// The songs that the index has of a file that was read and of its tracks, and what the file no longer is.
    func leftovers(of file: String, now songs: [IndexedSong], known: KnownSongs) -> [String] {
        let present = Set(songs.map(\.sourceID))
        return ([file] + (knownTracks[file] ?? [])).filter { known[$0] != nil && !present.contains($0) }
    }

    /// The stamp of an unchanged file: one of the same size and time is taken to be the same, as long as its texts are
    /// read in the same charset.
    static func stamp(of file: FoundFile, charset: String) -> UInt32 {
        var hash = ContentHash()
        hash.combine(version)
        if charset.lowercased() != TextDecoding.usualCharset.lowercased() { hash.combine(charset.lowercased()) }
        hash.combine(file.exactTime)
        hash.combine(file.size)
        return UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
    }

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

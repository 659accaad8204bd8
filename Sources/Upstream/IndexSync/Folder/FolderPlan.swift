import LibraryIndex
import MusicModel

/// What a scan of the music folder has to do: files to read, songs to remove.
struct FolderPlan {
    /// Files that are new or changed, or all of them in a rescan.
    private(set) var toRead: [(file: FoundFile, stamp: UInt32)] = []
    /// Songs of the index whose files are gone.
    private(set) var removals: [String] = []
    /// Songs that the index already has and whose files did not change.
    private(set) var unchanged = 0

    /// Moves when files must be read again because more is taken from them.
    private static let version: Int64 = 1

    /// Compares the files found below `start` with what the index knows.
    ///
    /// - Parameter passedOver: files that could not be read before, by path with the stamp they had.
    init(
        findings: FolderWalk.Findings, known: [String: (id: SongID, hash: UInt64)], below start: String,
        rescan: Bool, passedOver: [String: UInt32]
    ) {
        var present: Set<String> = []
        for file in findings.files {
            present.insert(file.path)
            let stamp = Self.stamp(of: file)
            if !rescan, known[file.path].map({ Self.stamp(in: $0.hash) }) == stamp {
                unchanged += 1
            } else if rescan || passedOver[file.path] != stamp {
                toRead.append((file, stamp))
            }
        }
        removals = known.keys.filter { path in
            Self.isBelow(start, path) && !present.contains(path)
                && !findings.unreadable.contains { Self.isBelow($0, path) }
        }
        removals.sort()
    }

    /// Whether `path` is `folder` or lies below it; everything lies below the empty path.
    static func isBelow(_ folder: String, _ path: String) -> Bool {
        folder.isEmpty || path == folder || path.hasPrefix(folder + "/")
    }

    /// What an unchanged file keeps: a file of the same size and time is taken to be the same.
    private static func stamp(of file: FoundFile) -> UInt32 {
        var hash = ContentHash()
        hash.combine(version)
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

import LibraryIndex
import MusicModel

/// Phase 3: compares what was walked with what the index knows, by the server's ids and the content hashes.
struct Phase3Diff: Sendable {
    enum Plausibility: Hashable {
        case plausible
        /// So much is gone that it looks like a fault of the server; the sentence says so.
        case doubtful(String)
    }

    /// Below this number of songs any shrinking is taken for what it is.
    private static let smallLibrary = 20

    private let known: KnownSongs
    private var seen: Set<String> = []
    /// New and changed songs that have not been taken yet.
    private(set) var changed: [IndexedSong] = []
    private(set) var marks: [ServerSongMarks] = []
    /// Songs that came twice: the library moved under the walk.
    private(set) var duplicates = 0

    init(known: KnownSongs) {
        self.known = known
        seen.reserveCapacity(known.count)
    }

    /// Songs seen, each counted once; a disc that a cue sheet divides is one, as the server counts it.
    private(set) var count = 0
    private var lastID: String?

    var knownCount: Int { known.count }

    /// Songs that the index knows and the walk did not see; only a verified walk's are gone.
    var removals: [String] {
        known.keys.filter { !seen.contains($0) }.sorted()
    }

    mutating func add(_ songs: [IndexedSong]) {
        for song in songs {
            guard seen.insert(song.sourceID).inserted else {
                duplicates += 1
                continue
            }
            // The tracks of a disc come one after the other.
            if song.source.serverID == nil || song.source.serverID != lastID { count += 1 }
            lastID = song.source.serverID
            if let touched = song.marks { marks.append(touched) }
            let isUnchanged = known[song.sourceID].map { SplitHash(song.hash).isUnchanged(since: $0.hash) } ?? false
            if !isUnchanged { changed.append(song) }
        }
    }

    /// The new and changed songs so far; afterwards there are none until more are added.
    mutating func takeChanged() -> [IndexedSong] {
        defer { changed = [] }
        return changed
    }

    /// How many songs the index knew that no other one hides, as the server counts them.
    var knownWholes: Int { known.keys.count { !$0.utf8.contains(UInt8(ascii: "/")) } }
    /// How many of the songs seen the index didn't know, as the server counts them.
    var newWholes: Int { seen.count { known[$0] == nil && !$0.utf8.contains(UInt8(ascii: "/")) } }
    func knows(_ id: String) -> Bool { known[id] != nil }

    /// The changes of a walk of a part of the server, whose songs in `gone` are no more; taken once. The tracks that a
    /// sheet made of these, and of the songs seen, go with them where they were not seen.
    mutating func changes(of mount: String, gone: Set<String>) -> LibraryChanges {
        let removals = known.keys.filter { id in
            guard !seen.contains(id) else { return false }
            guard let slash = id.utf8.firstIndex(of: UInt8(ascii: "/")) else { return gone.contains(id) }
            let whole = String(id[..<slash])
            return gone.contains(whole) || seen.contains(whole)
        }
        return LibraryChanges(mount: mount, upserts: takeChanged(), removals: removals.sorted())
    }

    /// The changes of a verified walk; taken once.
    mutating func changes(of mount: String) -> LibraryChanges {
        LibraryChanges(mount: mount, upserts: takeChanged(), removals: removals)
    }

    /// True if the walk may remove what it did not see, for a server that can't confirm the count. `earlier` is the
    /// number of songs of a walk that was doubtful before; the same number again is believed.
    func plausibility(earlier: Int?) -> Plausibility {
        if count == 0, !known.isEmpty {
            return .doubtful("the server lists no song at all, but \(known.count) are known")
        }
        guard known.count >= Self.smallLibrary, seen.count < known.count / 2, earlier != count else {
            return .plausible
        }
        return .doubtful("the server lists only \(count) songs, but \(known.count) are known")
    }
}

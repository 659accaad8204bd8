import Coordination
import MusicModel

/// The features that identify a song when its source's id has changed.
struct SongIdentity {
    var path: String
    /// Hash of the MusicBrainz track id.
    var recording: Int64?
    /// Hash of artist, album and title.
    var identity: Int64?
    var duration: Int64?
}

extension SongIdentity {
    init(path: String, tags: [TagValue], duration: Int64?) {
        (self.path, self.duration) = (path, duration)
        func first(_ tag: Tag) -> String? { tags.first { $0.tag == tag }?.value }
        recording = first(.musicBrainzTrackID).map { StableHash.of([$0]) }
        identity = first(.title).map { StableHash.of([first(.artist) ?? "", first(.album) ?? "", $0]) }
    }
}

/// The hashes that the index keeps in place of texts, to find songs by them.
enum StableHash {
    static func of(_ parts: [String]) -> Int64 {
        var hash = FNV1a()
        for part in parts {
            hash.combine(part)
            hash.combine(byte: 0)
        }
        return Int64(bitPattern: hash.value)
    }
}

/// Finds out which lost songs came back under other ids, so that they keep their numbers. A recording may stand on
/// several albums, so its id alone decides only where it is unique on both sides.
struct IdentityMatching {
    private let lost: [SongIdentity]
    private let found: [SongIdentity]
    private var isTaken: [Bool]
    private(set) var matches: [Int?]

    init(lost: [SongIdentity], found: [SongIdentity]) {
        (self.lost, self.found) = (lost, found)
        isTaken = [Bool](repeating: false, count: lost.count)
        matches = [Int?](repeating: nil, count: found.count)
        guard !lost.isEmpty, !found.isEmpty else { return }
        match { song in song.recording.map { [$0, StableHash.of([song.path])] } }
        match { song in song.recording.flatMap { recording in song.identity.map { [recording, $0] } } }
        match(onlyIfUnique: true) { song in song.recording.map { [$0] } }
        match { song in [StableHash.of([song.path])] }
        match { song in song.identity.map { [$0, (song.duration ?? -1000) / 1000] } }
    }

    private mutating func match(onlyIfUnique: Bool = false, _ key: (SongIdentity) -> [Int64]?) {
        var candidates: [[Int64]: [Int]] = [:]
        for index in lost.indices.reversed() where !isTaken[index] {
            if let key = key(lost[index]) { candidates[key, default: []].append(index) }
        }
        guard !candidates.isEmpty else { return }
        let keys = found.indices.map { matches[$0] == nil ? key(found[$0]) : nil }
        var wanted: [[Int64]: Int] = [:]
        if onlyIfUnique { for key in keys { if let key { wanted[key, default: 0] += 1 } } }
        for (index, key) in keys.enumerated() {
            guard let key, let choice = candidates[key]?.last else { continue }
            if onlyIfUnique, wanted[key] != 1 || candidates[key]?.count != 1 { continue }
            candidates[key]?.removeLast()
            matches[index] = choice
            isTaken[choice] = true
        }
    }
}

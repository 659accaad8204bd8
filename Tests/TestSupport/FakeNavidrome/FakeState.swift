import Coordination

/// Everything the fake server knows, behind its lock.
struct FakeState: Sendable {
    let options: FakeOptions
    var library: FakeLibrary
    var playlists: [FakePlaylist] = []
    /// How many playlists were made.
    var playlistsMade = 0
    /// What an app saved as its queue.
    var queue: FakePlayQueue?
    var stations: [FakeStation] = []
    var faults: [FakeFault] = []
    /// Answers that wait for other faults.
    var held: [@Sendable () -> Void] = []
    /// How often the faults changed.
    var faultChanges = 0
    /// What is said of songs that are alike.
    var similarity = FakeSimilarity.right
    var requests: [FakeRequest] = []
    var scrobbles: [FakeScrobble] = []
    var bookmarks: [FakeBookmark] = []
    var lyricsBySong: [String: [FakeLyrics]] = [:]
    /// Bodies that are answered as they are, by call.
    var canned: [String: [UInt8]] = [:]
    var isScanning = false
    /// So many questions later a scan begins that a client asks for; nil is at once, and it has ended then.
    var scanDelay: Int?
    /// How often clients have asked for the status since they asked for a scan that isn't over.
    private(set) var questions: Int?
    /// Unix nanoseconds; moves by some at every scan.
    var lastScan: Int64 = 1_795_223_745_689_703_589
    var picturesInFlight = 0
    /// What the user did with albums and artists.
    var marks: [String: FakeMarks] = [:]
    var reports: [FakePlaybackReport] = []
    var playsByAlbum: [String: FakePlays]?
    /// Tokens of the native API, and whose they are.
    var sessions: [String: String] = [:]
    /// When a client signed in to it, in the last 20 seconds.
    var signIns: [ContinuousClock.Instant] = []
    /// Whether the user may have the server scan.
    var mayScan = true
    /// The libraries that the administrator sees, and others as far as nothing else is said.
    var libraries: Set<Int> = [1]
    /// The libraries that other users see.
    var rights: [String: Set<Int>] = [:]
    /// The user who asks; nil is the administrator.
    private(set) var asking: String?
    /// What was kept of it, to go back to.
    var backup: FakeBackup?
    /// When a scan touched albums last, by their ids, in Unix nanoseconds.
    var touched: [String: Int64] = [:]
    /// Bytes of the answers.
    var bytesSent = 0

    /// The places of the songs that lists show.
    private(set) var listed: [Int] = []
    private(set) var placeByID: [String: Int] = [:]
    private var rendered: [[UInt8]?] = []
    private var sounds: [String: [UInt8]] = [:]
    private var albumList: [FakeAlbum]?
    private var artistList: [String]?
    /// Above this many songs, they are rendered when they are asked for and not kept.
    private static let maxRendered = 100_000

    init(library: FakeLibrary, options: FakeOptions) {
        self.library = library
        self.options = options
        libraryChanged(at: Array(library.songs.indices))
        // Lists of large libraries must come as fast as from the real server.
        if library.songs.count <= Self.maxRendered { for place in library.songs.indices { _ = json(at: place) } }
    }

    /// Takes note of a change of the library, as the scan does that finds it.
    mutating func libraryChanged(at places: [Int]) {
        if rendered.count != library.songs.count {
            rendered = Array(rendered.prefix(library.songs.count))
            rendered += [[UInt8]?](repeating: nil, count: library.songs.count - rendered.count)
        }
        for place in places { rendered[place] = nil }
        list()
        placeByID = Dictionary(
            library.songs.indices.map { (library.songs[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        lastScan += 1_000_000_007
        for place in places { touched[library.songs[place].albumID] = lastScan }
    }

    /// The libraries that the user who asks sees.
    var seen: Set<Int> { asking.flatMap { rights[$0] } ?? libraries }

    /// Answers for a user from now on.
    mutating func become(_ name: String) {
        let before = seen
        asking = options.others.contains(name) ? name : nil
        if seen != before { list() }
    }

    /// Lists what the user who asks sees.
    private mutating func list() {
        let seen = seen
        listed = library.songs.indices.filter {
            !library.songs[$0].isMissing && seen.contains(library.songs[$0].libraryID)
        }
        albumList = nil
        artistList = nil
        playsByAlbum = nil
    }

    /// The rendered song.
    mutating func json(at place: Int) -> [UInt8] {
        if let bytes = rendered[place] { return bytes }
        let bytes = library.songs[place].json(size: generatedSize).bytes
        if rendered.count <= Self.maxRendered { rendered[place] = bytes }
        return bytes
    }

    /// Has a song rendered anew when it is asked for next; its plays have changed.
    mutating func forget(_ place: Int) {
        rendered[place] = nil
        playsByAlbum = nil
    }

    /// The song with this id, missing ones included.
    func song(_ id: String?) -> FakeSong? { id.flatMap { placeByID[$0] }.map { library.songs[$0] } }

    /// The albums of the listed songs, in the order in which they came.
    mutating func albums() -> [FakeAlbum] {
        if let albumList { return albumList }
        // Servers that don't find everything have no album for songs without one.
        let list = FakeAlbum.collect(listed.map { library.songs[$0] }.filter { options.findsAll || !$0.album.isEmpty })
        albumList = list
        return list
    }

    /// The names of the listed songs' artists, in the order in which they came.
    mutating func artistNames() -> [String] {
        if let artistList { return artistList }
        var seen: Set<String> = []
        let list = listed.flatMap { library.songs[$0].albumArtists + library.songs[$0].artists }
            .filter { seen.insert($0).inserted }
        artistList = list
        return list
    }

    /// What `stream` sends for a song.
    mutating func sound(of song: FakeSong) -> [UInt8] {
        if let milliseconds = song.soundMilliseconds { return FakeMedia.wave(for: song.id, milliseconds: milliseconds) }
        if let bytes = sounds[song.id] { return bytes }
        if sounds.count > 32 { sounds.removeAll() }
        let bytes = FakeMedia.wave(for: song.id, milliseconds: options.audioMilliseconds)
        sounds[song.id] = bytes
        return bytes
    }

    /// Which of the audio files belongs to a song.
    func audioFile(of song: FakeSong) -> String? {
        if song.soundPath != nil || options.audioFiles.isEmpty { return song.soundPath }
        return options.audioFiles[Int(SplitMix64.hash(song.id) % UInt64(options.audioFiles.count))]
    }

    /// The fault that a request meets; counted.
    mutating func fault(for request: FakeRequest) -> FakeFault.Mode? {
        guard
            let index = faults.firstIndex(where: { fault in
                fault.count != 0 && fault.match.map { request.call.contains($0) } ?? true
                    && fault.value.map { value in request.parameters.contains { $0.value == value } } ?? true
            })
        else { return nil }
        faults[index].count = faults[index].count.map { $0 - 1 }
        return faults[index].mode
    }

    private var generatedSize: Int64 { 44 + Int64(44100 * options.audioMilliseconds / 1000) * 4 }
}

/// What a backup of the server has.
struct FakeBackup: Sendable {
    let library: FakeLibrary
    let playlists: [FakePlaylist]
    let queue: FakePlayQueue?
    let bookmarks: [FakeBookmark]
    let marks: [String: FakeMarks]
    let lastScan: Int64
    let touched: [String: Int64]
}

extension FakeState {
    /// Keeps everything as it is now.
    mutating func backUp() {
        backup = FakeBackup(
            library: library, playlists: playlists, queue: queue, bookmarks: bookmarks, marks: marks,
            lastScan: lastScan, touched: touched)
    }

    /// Goes back to the backup. Files that came later are there, but not known before a scan finds them.
    mutating func recover() {
        guard let backup else { return }
        let later = library.songs.dropFirst(backup.library.songs.count).map { song in
            var song = song
            (song.isMissing, song.isStarred, song.rating, song.playCount, song.lastPlayed) = (true, false, 0, 0, nil)
            return song
        }
        library = backup.library
        library.songs += later
        (playlists, queue, bookmarks, marks) = (backup.playlists, backup.queue, backup.bookmarks, backup.marks)
        libraryChanged(at: Array(library.songs.indices))
        lastScan = backup.lastScan
        touched = backup.touched
    }
}

/// An album, gathered from its songs.
struct FakeAlbum: Sendable {
    let id: String
    let name: String
    let artists: [String]
    let year: Int?
    let genres: [String]
    let coverArt: String
    var songs = 0
    var discs: Set<Int> = []

    static func collect(_ songs: [FakeSong]) -> [FakeAlbum] {
        var places: [String: Int] = [:]
        var albums: [FakeAlbum] = []
        for song in songs {
            let id = song.albumID
            if places[id] == nil {
                places[id] = albums.count
                albums.append(
                    FakeAlbum(
                        id: id, name: song.album, artists: song.albumArtists, year: song.year, genres: song.genres,
                        coverArt: "al-\(id)_\(String(song.modified, radix: 16))"))
            }
            albums[places[id] ?? 0].songs += 1
            albums[places[id] ?? 0].discs.insert(song.disc)
        }
        return albums
    }

    /// The album as Navidrome writes it; every eighth name has labels and dates, unless all are plain.
    func json(isPlain: Bool) -> FakeJSON {
        let isRich = !isPlain && SplitMix64.hash(id) % 8 == 0
        let date: [(name: String, value: FakeJSON)] =
            isRich ? [("year", .int(1999)), ("month", .int(5)), ("day", .int(1))] : []
        let titles: [FakeJSON] =
            discs.count < 2
            ? []
            : discs.sorted().map {
                .object([("disc", .int(Int64($0))), ("title", .string("Disc title \($0)"))])
            }
        return .object([
            ("id", .string(id)), ("name", .string(name)), ("artist", .string(artists.first ?? "")),
            ("artistId", .string(FakeSong.artistID(artists.first ?? ""))), ("coverArt", .string(coverArt)),
            ("songCount", .int(Int64(songs))), ("year", .int(Int64(year ?? 0))),
            ("genres", .array(genres.map { .object([("name", .string($0))]) })),
            ("musicBrainzId", .string(isRich ? "mbid-\(id)" : "")), ("isCompilation", .bool(false)),
            ("sortName", .string(name.lowercased())), ("discTitles", .array(titles)), ("releaseDate", .object(date)),
            ("originalReleaseDate", .object(isRich ? [("year", .int(1971))] : [])),
            ("recordLabels", .array(isRich ? [.object([("name", .string("A Label"))])] : [])),
            ("artists", FakeSong.references(artists)), ("displayArtist", .string(artists.joined(separator: " • "))),
        ])
    }
}

/// Scans that a client asks for.
extension FakeState {
    /// Starts one, at once or when its time has come.
    mutating func beginScan() {
        if scanDelay == nil { lastScan += 1_000_000_007 } else { questions = 0 }
    }

    /// A scan that is late begins, goes on for two questions, and ends.
    mutating func goOnScanning() {
        guard let scanDelay, let asked = questions else { return }
        isScanning = (scanDelay..<scanDelay + 2).contains(asked)
        questions = asked + 1
        guard asked >= scanDelay + 2 else { return }
        questions = nil
        lastScan += 1_000_000_007
    }
}

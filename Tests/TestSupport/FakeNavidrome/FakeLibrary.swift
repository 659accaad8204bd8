import Coordination

/// A library that is the same for the same size and seed, and a prefix of every larger one.
package struct FakeLibrary: Sendable {
    /// All songs ever added, missing ones included, in the order in which they came.
    public internal(set) var songs: [FakeSong] = []
    /// Where the generator is, so that `add` goes on from there.
    private var generator: any FakeSongSource
    /// Whether albums and artists tell nothing beyond their names.
    let isPlain: Bool
    private var picker: SplitMix64
    private var changes = 0

    /// Generates songs of many kinds, for tests.
    package init(songs count: Int, seed: UInt64 = 1) {
        self.init(FakeSongGenerator(seed: seed), count: count, seed: seed, isPlain: false)
    }

    /// Generates songs as in a large collection, for measuring.
    package init(catalogue count: Int, seed: UInt64 = 1) {
        self.init(FakeCatalogue(seed: seed), count: count, seed: seed, isPlain: true)
    }

    private init(_ source: any FakeSongSource, count: Int, seed: UInt64, isPlain: Bool) {
        generator = source
        self.isPlain = isPlain
        picker = SplitMix64(seed: seed &+ 0x5EED)
        songs.reserveCapacity(count)
        for _ in 0..<count { songs.append(generator.next()) }
    }

    /// Takes songs as they are.
    package init(_ songs: [FakeSong]) {
        self.init(songs: 0)
        self.songs = songs
    }

    /// Writes the listed songs as MPD's database file, and tells whether that worked.
    package func writeMPDDatabase(to path: String) -> Bool {
        FakeMPDDatabase.write(songs.filter { !$0.isMissing }, to: path)
    }

    // MARK: Changes, each of which returns the places of the songs that it changed

    /// Retags songs: new titles and times, same ids.
    package mutating func touch(_ count: Int) -> [Int] {
        change(pick(count) { !$0.isMissing }) { song, change in
            let title = song.title.prefix { $0 != "(" }
            song.title = "\(title)(touched \(change))"
            song.modified += 1000
        }
    }

    /// Adds the next songs of the sequence.
    package mutating func add(_ count: Int) -> [Int] {
        let first = songs.count
        for _ in 0..<count { songs.append(generator.next()) }
        return Array(first..<songs.count)
    }

    /// Takes songs' files away.
    package mutating func remove(_ count: Int) -> [Int] {
        change(pick(count) { !$0.isMissing }) { song, _ in song.isMissing = true }
    }

    /// Brings missing files back, with their ids, at their old places in the list.
    package mutating func restore(_ count: Int) -> [Int] {
        change(pick(count) { $0.isMissing }) { song, _ in song.isMissing = false }
    }

    /// Has a database forget a song, as when its administrator cleans up.
    package mutating func forget(_ place: Int) { (songs[place].isMissing, songs[place].isForgotten) = (true, true) }

    /// Moves files: new paths, same ids.
    package mutating func move(_ count: Int) -> [Int] {
        change(pick(count) { !$0.isMissing }) { song, change in song.path = "Moved \(change)/\(song.path)" }
    }

    /// Makes a new database of the same files: all ids change, stars, ratings and plays are gone.
    package mutating func rebuild() -> [Int] {
        songs.removeAll { $0.isMissing }
        return change(Array(songs.indices)) { song, change in
            song.id = SplitMix64.id(for: "\(song.id) rebuilt \(change)")
            song.isStarred = false
            song.rating = 0
            song.playCount = 0
            song.lastPlayed = nil
        }
    }

    /// Changes the song at a place by hand.
    package mutating func edit(_ place: Int, _ body: (inout FakeSong) -> Void) { body(&songs[place]) }

    private mutating func pick(_ count: Int, where isWanted: (FakeSong) -> Bool) -> [Int] {
        Array(songs.indices.filter { isWanted(songs[$0]) }.shuffled(using: &picker).prefix(count).sorted())
    }

    private mutating func change(_ places: [Int], _ body: (inout FakeSong, Int) -> Void) -> [Int] {
        changes += 1
        for place in places { body(&songs[place], changes) }
        return places
    }
}

/// Makes songs, album by album: about 12 songs each, some on two discs, some by several artists, in several scripts.
struct FakeSongGenerator: FakeSongSource {
    private static let words = [
        "Night", "River", "Glass", "Été", "Ночь", "夜の音楽", "Jóga", "Straße", "Señor", "Light", "Stone", "Hunter",
        "Zölner", "さくら", "Winter", "Paper", "Ocean", "Кино", "Velvet", "Echo", "Naïve", "Ł\u{F3}dź", "Æther", "Blue",
    ]
    private static let genres = [
        "Rock", "Jazz", "Electronic", "Классика", "J-Pop", "Folk", "Hip-Hop", "Ambient", "Metal",
    ]

    private let seed: UInt64
    private var random: SplitMix64
    private var count = 0
    private var remaining = 0
    private var template = FakeSong(id: "", title: "")
    private var discOneSongs = 0

    init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    mutating func next() -> FakeSong {
        if remaining == 0 { beginAlbum() }
        remaining -= 1
        count += 1
        var song = template
        template.track += 1
        if template.track > discOneSongs && template.disc == 1 {
            template.disc = 2
            template.track = 1
        }
        song.id = SplitMix64.id(for: "song \(seed) \(count)")
        song.title = "\(words(2)) \(count)"
        song.duration = Int.random(in: 120...420, using: &random)
        song.bpm = count % 5 == 0 ? Int.random(in: 60...180, using: &random) : 0
        song.created = 1_700_000_000 + Int64(count)
        song.trackGain = count % 3 == 0 ? nil : Double(Int.random(in: -1200 ... -100, using: &random)) / 100
        song.musicBrainzID = count % 2 == 0 ? mbid() : ""
        if count % 11 == 0 { song.artists.append("Guest \(words(1))") }
        if count % 7 == 0 { song.composers = ["Composer \(words(1))", "\(words(1)) Writer"] }
        song.path = "\(song.albumArtists[0])/\(song.album)/\(song.disc)-\(song.track) - \(song.title).wav"
        return song
    }

    private mutating func beginAlbum() {
        remaining = Int.random(in: 6...18, using: &random)
        let artist = "\(words(2)) \(Int.random(in: 1...400, using: &random))"
        template = FakeSong(id: "", title: "", artists: [artist], album: "\(words(2)) Vol. \(count)")
        template.year = count % 13 == 0 ? nil : Int.random(in: 1960...2025, using: &random)
        template.genres = (0...(count % 2)).map { _ in Self.genres.randomElement(using: &random) ?? "Rock" }
        if template.genres.count == 2, template.genres[0] == template.genres[1] { template.genres.removeLast() }
        template.comment = count % 4 == 0 ? "ripped & checked <ok>" : ""
        discOneSongs = count % 3 == 0 ? remaining / 2 : remaining
    }

    private mutating func words(_ number: Int) -> String {
        (0..<number).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }

    private mutating func mbid() -> String {
        let digits = String(random.next() | 1 << 63, radix: 16) + String(random.next() | 1 << 63, radix: 16)
        var id = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { id += "-" }
            id.append(digit)
        }
        return id
    }
}

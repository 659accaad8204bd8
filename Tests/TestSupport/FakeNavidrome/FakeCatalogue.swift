import Coordination

/// Makes an endless sequence of songs, the same for the same seed.
protocol FakeSongSource: Sendable {
    /// The next song.
    mutating func next() -> FakeSong
}

/// Makes songs for measuring: artists with one to four albums of 6 to 15 songs each, names of common and rare words,
/// some in other scripts, and only the tags that every MPD knows.
///
/// Folders and files are named so that they have the same order by bytes as by the rules of language.
struct FakeCatalogue: FakeSongSource {
    private static let words = """
        Love Night Time Day Heart Light World Home Dream Blue Rain Fire Road Moon Sun Star River Summer Winter Dance
        Baby Girl Boy Street City Train Window Garden Tree Bird Wolf Tiger Angel King Queen Radio Silence Echo Shadow
        Mirror Glass Stone Gold Silver Paper Letter Book Story Game Money Blood Bone Eye Hand Voice Tear Smile Kiss
        Soul Mind Body Ghost Spirit Magic Mystery Red Black White Green Grey Golden Broken Lost Lonely Wild Young Old
        New First Last Only Forever Never Always Again Tonight Tomorrow Yesterday Morning Evening Midnight Sunrise
        Sunset Twilight Dawn Away Down Under Over Through Run Walk Fall Fly Swim Burn Turn Hold Give Leave Stay Wait
        Come Sing Cry Laugh Live Free Harbour Meadow Lantern Compass Orchard Velvet Thunder Cinder Willow Marble
        Copper Ribbon Feather Anchor Canyon Prairie Glacier Ember Saffron Juniper Quartz Zephyr Obsidian Xylophone
        """.split { $0 == " " || $0 == "\n" }.map(String.init)

    /// Names that are not plain ASCII, each with the folder that goes with it.
    private static let foreignNames: [(name: String, folder: String)] = [
        ("Sólstafir", "Solstafir"), ("Кино", "Кино"), ("宇多田ヒカル", "宇多田ヒカル"), ("Café Sáo", "Cafe Sao"),
        ("Zölner Blühm", "Zolner Bluhm"), ("Океан Эльзы", "Океан Эльзы"), ("Françoise Été", "Francoise Ete"),
        ("東京事変", "東京事変"),
    ]
    private static let genres = [
        "Rock", "Pop", "Jazz", "Electronic", "Classical", "Hip-Hop", "Folk", "Metal", "Ambient", "Blues", "Soul",
        "Funk", "Reggae", "Country", "Punk", "Techno", "House", "Indie Rock", "Trip-Hop", "Soundtrack",
    ]

    private let seed: UInt64
    private var random: SplitMix64
    private var made = 0
    private var artists = 0
    private var artist = (name: "", folder: "")
    private var albumsLeft = 0
    private var year = 0
    private var songsLeft = 0
    private var folder = ""
    private var template = FakeSong(id: "", title: "")

    init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(seed: seed &+ 0xCA7A_1060)
    }

    mutating func next() -> FakeSong {
        if songsLeft == 0 { beginAlbum() }
        songsLeft -= 1
        made += 1
        template.track += 1
        var song = template
        song.id = SplitMix64.id(for: "catalogue \(seed) \(made)")
        song.title = words(1...5)
        song.duration = Int.random(in: 90...480, using: &random)
        song.created = 1_600_000_000 + Int64(made)
        song.modified = 1_500_000_000 + Int64.random(in: 0...90_000_000, using: &random)
        if chance(7) { song.artists.append("\(words(1...2)) Band") }
        let number = song.track < 10 ? "0\(song.track)" : "\(song.track)"
        song.path = "\(folder)/\(number) - \(song.title).flac"
        return song
    }

    private mutating func beginAlbum() {
        if albumsLeft == 0 { beginArtist() }
        albumsLeft -= 1
        songsLeft = Int.random(in: 6...15, using: &random)
        year += Int.random(in: 1...6, using: &random)
        template = FakeSong(id: "", title: "", artists: [artist.name], album: words(1...4), track: 0, year: year)
        template.genres = [Self.genres[skewed(Self.genres.count)]]
        if chance(15), template.genres != ["Folk"] { template.genres.append("Folk") }
        if chance(40) { template.composers = ["\(words(1...1)) Composer \(Int.random(in: 1...40, using: &random))"] }
        template.suffix = "flac"
        template.contentType = "audio/flac"
        folder = "\(artist.folder)/\(year) - \(template.album)"
    }

    private mutating func beginArtist() {
        artists += 1
        albumsLeft = Int.random(in: 1...4, using: &random)
        year = Int.random(in: 1960...2000, using: &random)
        let plain = words(1...3)
        let isForeign = artists % 29 == 0
        let name: (name: String, folder: String) =
            isForeign ? Self.foreignNames[artists / 29 % Self.foreignNames.count] : (plain, plain)
        // The number makes it the only one of its name.
        artist = ("\(name.name) \(artists)", "\(name.folder) \(artists)")
    }

    private mutating func words(_ range: ClosedRange<Int>) -> String {
        var text = Self.words[skewed(Self.words.count)]
        for _ in 1..<Int.random(in: range, using: &random) {
            text += " "
            text += Self.words[skewed(Self.words.count)]
        }
        return text
    }

    /// An index below `count`; the lower ones come more often.
    private mutating func skewed(_ count: Int) -> Int {
        let fraction = Double.random(in: 0..<1, using: &random)
        return Int(fraction * fraction * Double(count))
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
}

import LibraryIndex
import MusicModel
@testable import Subsonic
import Testing

@testable import Sync

@Suite("Song mapping")
struct MappingTests {
    private let mapping = SongMapping(mount: "", details: CatalogDetails())

    private func song(_ change: (inout SubsonicSong) -> Void) -> SubsonicSong {
        var song = SubsonicSong(id: "yNckpTkiV7r36ZCljxK2xT")
        song.title = "Hunter"
        song.album = "Homogène Début"
        song.albumID = "3mQ4v8ShwrkO2JKiTWQw6C"
        song.artists = [ArtistReference(id: "4Gu", name: "Bjørk Sigurðsdóttir")]
        song.albumArtists = song.artists
        song.artist = "Bjørk Sigurðsdóttir"
        song.path = "Bjørk Sigurðsdóttir/Homogène Début/01-01 - Hunter.flac"
        song.track = 1
        song.discNumber = 1
        song.year = 1997
        song.genres = ["Electronic", "Art Pop"]
        song.suffix = "flac"
        song.samplingRate = 44_100
        song.bitDepth = 16
        song.channelCount = 2
        song.duration = 12
        song.created = "2026-11-21T01:15:45.646505196Z"
        song.coverArt = "mf-yNckpTkiV7r36ZCljxK2xT_6b00ef1c"
        song.sortName = "hunter"
        song.musicBrainzID = "000003e9-1111-4222-8333-00000078f487"
        change(&song)
        return song
    }

    private func values(_ tag: MusicModel.Tag, of song: SubsonicSong) -> [String] {
        mapping.tags(of: song).filter { $0.tag == tag }.map(\.value)
    }

    @Test("a tagged FLAC gets the tags that MPD reads from it")
    func taggedSong() {
        let indexed = mapping.song(song { _ in })
        #expect(
            indexed.tags == [
                TagValue(.artist, "Bjørk Sigurðsdóttir"), TagValue(.albumArtist, "Bjørk Sigurðsdóttir"),
                TagValue(.title, "Hunter"), TagValue(.album, "Homogène Début"), TagValue(.track, "1"),
                TagValue(.disc, "1"), TagValue(.date, "1997"), TagValue(.genre, "Electronic"),
                TagValue(.genre, "Art Pop"),
                TagValue(.musicBrainzTrackID, "000003e9-1111-4222-8333-00000078f487"),
            ])
        #expect(indexed.duration == .seconds(12))
        #expect(indexed.lastModified == 0x6b00_ef1c)
        #expect(indexed.added == 1_795_223_745)
        #expect(indexed.format?.wireText == "44100:16:2")
        #expect(indexed.source == .navidrome(id: "yNckpTkiV7r36ZCljxK2xT"))
    }

    @Test("a duet has one line per artist")
    func duet() {
        let duet = song {
            $0.artists = [ArtistReference(name: "The Testers"), ArtistReference(name: "Bjørk")]
            $0.artist = "The Testers feat. Bjørk"
        }
        #expect(values(.artist, of: duet) == ["The Testers", "Bjørk"])
    }

    @Test("a server without OpenSubsonic gives the single artist")
    func oldServer() {
        let old = song {
            $0.artists = []
            $0.albumArtists = []
        }
        #expect(values(.artist, of: old) == ["Bjørk Sigurðsdóttir"])
        #expect(values(.albumArtist, of: old).isEmpty)
    }

    @Test("contributors become the tags that MPD has for their roles")
    func contributors() {
        let song = song {
            $0.contributors = [
                Contributor(role: "composer", artist: ArtistReference(name: "Bach", sortName: "Bach, J. S.")),
                Contributor(role: "performer", subRole: "viola", artist: ArtistReference(name: "Ann")),
                Contributor(role: "conductor", artist: ArtistReference(name: "Carl")),
                Contributor(role: "producer", artist: ArtistReference(name: "Nobody")),
            ]
            $0.displayComposer = "Bach and others"
        }
        #expect(values(.composer, of: song) == ["Bach"])
        #expect(values(.composerSort, of: song) == ["Bach, J. S."])
        #expect(values(.performer, of: song) == ["Ann (viola)"])
        #expect(values(.conductor, of: song) == ["Carl"])
        #expect(!mapping.tags(of: song).contains { $0.value == "Nobody" })
    }

    @Test("albums and artists add sort names, exact dates, labels and ids")
    func details() {
        var album = SubsonicAlbum(id: "3mQ4v8ShwrkO2JKiTWQw6C")
        album.name = "Homogène Début"
        album.sortName = "Debut, Homogene"
        album.musicBrainzID = "album-mbid"
        album.releaseDate = PartialDate(year: 1997, month: 9, day: 22)
        album.originalReleaseDate = PartialDate(year: 1996)
        album.recordLabels = ["One Little Indian"]
        var artist = SubsonicArtist(id: "4Gu")
        artist.name = "Bjørk Sigurðsdóttir"
        artist.sortName = "Sigurðsdóttir, Bjørk"
        artist.musicBrainzID = "artist-mbid"
        var details = CatalogDetails()
        details.add(album)
        details.add(artist)
        let tags = SongMapping(mount: "", details: details).tags(of: song { _ in })
        func values(_ tag: MusicModel.Tag) -> [String] { tags.filter { $0.tag == tag }.map(\.value) }
        #expect(values(.albumSort) == ["Debut, Homogene"])
        #expect(values(.date) == ["1997-09-22"])
        #expect(values(.originalDate) == ["1996"])
        #expect(values(.label) == ["One Little Indian"])
        #expect(values(.artistSort) == ["Sigurðsdóttir, Bjørk"])
        #expect(values(.albumArtistSort) == ["Sigurðsdóttir, Bjørk"])
        #expect(values(.musicBrainzAlbumID) == ["album-mbid"])
        #expect(values(.musicBrainzArtistID) == ["artist-mbid"])
        #expect(values(.musicBrainzAlbumArtistID) == ["artist-mbid"])
    }

    @Test("a disc's title comes with the song, or with the album by the disc's number")
    func discTitles() {
        var album = SubsonicAlbum(id: "al")
        album.discTitles = [1: "Studio", 2: "Live\nat home"]
        var details = CatalogDetails()
        details.add(album)
        let mapping = SongMapping(mount: "", details: details)
        func titles(_ change: (inout SubsonicSong) -> Void) -> [String] {
            let song = song { song in
                song.albumID = "al"
                change(&song)
            }
            return mapping.tags(of: song).filter { $0.tag == .discSubtitle }.map(\.value)
        }
        #expect(titles { _ in } == ["Studio"])
        #expect(titles { $0.discNumber = 2 } == ["Live at home"])
        #expect(titles { $0.discNumber = 3 } == [])
        #expect(titles { $0.discSubtitle = "Of the song" } == ["Of the song"])
    }

    @Test("a release of another year does not replace the song's year")
    func reissue() {
        let reissue = song { $0.releaseDate = PartialDate(year: 2020) }
        #expect(values(.date, of: reissue) == ["1997"])
        let undated = song {
            $0.year = nil
            $0.releaseDate = PartialDate(year: 2020)
        }
        #expect(values(.date, of: undated) == ["2020"])
    }

    @Test(
        "sort names that the server made up are left out",
        arguments: [
            ("hunter", "Hunter", nil), ("bjork sigurdsdottir", "Bjørk Sigurðsdóttir", nil),
            ("testers", "The Testers", nil), ("坂本 龍二", "坂本 龍二", nil), ("Beatles, The", "The Beatles", "Beatles, The"),
            ("さかもと", "Sakamoto", "さかもと"), ("[unknown album]", "[Unknown Album]", nil),
        ] as [(String, String, String?)])
    func sortNames(sortName: String, name: String, shown: String?) {
        #expect(TagText.sortName(sortName, of: name) == shown)
    }

    @Test("Blanks round a text and signs that no line can have go, at once", .timeLimit(.minutes(1)))
    func clean() {
        #expect(TagText.clean("  a\tb\n ") == "a b" && TagText.clean(" \n ") == nil && TagText.clean("") == nil)
        let flags = String(repeating: "\u{1F1E9}", count: 1 << 18)
        #expect(TagText.clean(" " + flags) == flags)
    }

    @Test(
        "formats are those that MPD's decoders announce",
        arguments: [
            ("mp3", 0, 192, "44100:24:2"), ("opus", 0, 96, "44100:16:2"), ("ogg", 0, 21, "44100:f:2"),
            ("m4a", 16, 128, "44100:f:2"), ("m4a", 24, 900, "44100:24:2"), ("flac", 24, 900, "44100:24:2"),
            ("wav", 0, 1_411, "44100:*:2"), ("dsf", 1, 5_644, "dsd64:2"),
        ])
    func formats(suffix: String, bits: Int, bitRate: Int, text: String) {
        var song = song { _ in }
        song.bitDepth = bits
        song.bitRate = bitRate
        if suffix == "dsf" { song.samplingRate = 2_822_400 }
        #expect(SongMapping.format(of: song, suffix: suffix)?.wireText == text)
    }

    @Test("line feeds and other control characters never reach a tag")
    func controlCharacters() {
        let odd = song {
            $0.title = "  One\nTwo\u{0}Three\r "
            $0.genres = ["", " ", "\n", "Rock"]
            $0.comment = String(repeating: "x", count: 10_000)
        }
        #expect(values(.title, of: odd) == ["One Two Three"])
        #expect(values(.genre, of: odd) == ["Rock"])
        #expect(values(.comment, of: odd).first?.utf8.count == 10_000)
    }

    @Test("a song without anything but an id is still a song")
    func bareSong() {
        let indexed = mapping.song(SubsonicSong(id: "bare"))
        #expect(indexed.tags.isEmpty)
        #expect(indexed.path == "Unknown/Unknown/bare")
        #expect(indexed.duration == nil)
        #expect(indexed.format == nil)
    }

    @Test("the hash moves with every visible field and with nothing else")
    func hash() {
        let plain = mapping.song(song { _ in }).hash
        #expect(mapping.song(song { _ in }).hash == plain)
        let changes: [(inout SubsonicSong) -> Void] = [
            { $0.title = "Hunters" }, { $0.path = "x.flac" }, { $0.duration = 13 }, { $0.year = 1998 },
            { $0.replayGain.trackGain = -1 }, { $0.samplingRate = 48_000 }, { $0.genres = ["ElectronicArt Pop"] },
            { $0.coverArt = "mf-yNckpTkiV7r36ZCljxK2xT_6b00ef1d" }, { $0.size = 1 },
        ]
        for change in changes {
            #expect(mapping.song(song(change)).hash != plain)
        }
        let unseen = mapping.song(
            song {
                $0.playCount = 7
                $0.played = "2026-11-21T01:15:45Z"
                $0.starred = "2026-11-21T01:15:45Z"
            })
        #expect(unseen.hash == plain)
        #expect(unseen.starred)
    }

    @Test("the hash is the published FNV-1a, so that it never changes between versions of Swift")
    func knownHash() {
        #expect(ContentHash().value == 0xcbf2_9ce4_8422_2325)
        var hash = ContentHash()
        hash.combine("a")
        // FNV-1a of the bytes 61 ff.
        let ofA: UInt64 = 0xaf63_dc4c_8601_ec8c
        #expect(hash.value == (ofA ^ 0xff) &* 0x0000_0100_0000_01b3)
    }
}

@Suite("Times of the server")
struct TimeTextTests {
    @Test(
        "every form that servers write is read",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T01:15:45.646505196Z", 1_795_223_745),
            ("2026-11-21T03:15:45.646+02:00", 1_795_223_745), ("2026-11-20T19:45:45-05:30", 1_795_223_745),
            ("2026-11-21T01:15:45", 1_795_223_745), ("2000-02-29T12:00:00Z", 951_825_600),
        ] as [(String, Int64)])
    func forms(text: String, seconds: Int64) {
        #expect(TimeText.seconds(text) == seconds)
    }

    @Test(
        "what is no time is nil", arguments: ["", "yesterday", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00Z", "2026"])
    func nonsense(text: String) {
        #expect(TimeText.seconds(text) == nil)
    }
}

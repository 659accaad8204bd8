import MusicModel
import TestSupport
import Testing

@testable import MPDImport

@Suite(.enabled(if: testsEverything)) struct StateTests {
    @Test("the queue comes with priorities, ranges, streams and their tags")
    func queue() {
        let state = MPDStateReader.parse(
            """
            sw_volume: 63
            audio_device_state:1:My ALSA Device
            audio_device_state:0:Stream: two
            mount_begin
            uri: usb
            mounted_url: /media/usb
            mount_end
            state: pause
            current: 1
            time: 12.500000
            random: 1
            repeat: 0
            single: oneshot
            consume: 1
            crossfade: 5
            mixrampdb: -17.000000
            mixrampdelay: nan
            lastloadedplaylist: Evening
            playlist_begin
            0:Artist/Album/01 - One: two.flac
            Prio: 7
            1:b.mp3
            song_begin: http://radio.example/stream
            Title: Radio
            Name: A station
            song_end
            song_begin: long.flac
            Range: 1500-63000
            Time: 3600.5
            song_end
            playlist_end

            """)
        #expect(state.problems.isEmpty)
        #expect(
            state.queue.map(\.uri) == [
                "Artist/Album/01 - One: two.flac", "b.mp3", "http://radio.example/stream", "long.flac",
            ])
        #expect(state.queue.map(\.priority) == [0, 7, 0, 0])
        #expect(state.queue[2].tags == [TagValue(.title, "Radio"), TagValue(.name, "A station")])
        #expect(state.queue[3].range == SongRange(start: .milliseconds(1_500), end: .seconds(63)))
        #expect(state.player.state == .pause)
        #expect(state.player.position == 1)
        #expect(state.player.elapsed == .milliseconds(12_500))
        #expect((state.player.isRandom, state.player.isRepeating) == (true, false))
        #expect((state.player.single, state.player.consume) == (.oneshot, .on))
        #expect((state.player.volume, state.player.crossfade) == (63, 5))
        #expect(state.player.mixRampThreshold == -17)
        #expect(state.player.mixRampDelay == nil)
        #expect(state.player.lastLoadedPlaylist == "Evening")
        #expect(
            state.outputs == [
                .init(name: "My ALSA Device", isEnabled: true), .init(name: "Stream: two", isEnabled: false),
            ])
        #expect(state.mounts.map(\.name) == ["usb"] && state.mounts.map(\.url) == ["/media/usb"])
    }

    @Test("state as MPD 0.24 writes it is read like that of 0.23")
    func newerForm() {
        let state = MPDStateReader.parse(
            """
            sw_volume: 100
            audio_device_state:1:DAC
            state: play
            current: 0
            time: 12.5
            random: 0
            repeat: 1
            single: 1
            consume: oneshot
            crossfade: 0
            mixrampdb: -17
            mixrampdelay: 0.5
            lastloadedplaylist:\u{20}
            playlist_begin
            song_begin: a.flac
            Range: 1500-
            Time: 60.25
            Artist: A
            Format: 44100:16:2
            mtime: 1700000000
            added: 1700000001
            song_end
            playlist_end
            """)
        #expect(state.problems.isEmpty)
        #expect(state.player.elapsed == .milliseconds(12_500))
        #expect((state.player.single, state.player.consume) == (.on, .oneshot))
        #expect((state.player.mixRampThreshold, state.player.mixRampDelay) == (-17, 0.5))
        #expect(state.player.lastLoadedPlaylist.isEmpty)
        #expect(state.queue.map(\.range) == [SongRange(start: .milliseconds(1_500), end: nil)])
        #expect(state.queue.map(\.tags) == [[TagValue(.artist, "A")]])
    }

    @Test("an entry without a path is none")
    func emptyPath() {
        let state = MPDStateReader.parse("playlist_begin\n0:\nsong_begin: \nTitle: x\nsong_end\n1:a\nplaylist_end\n")
        #expect(state.queue.map(\.uri) == ["a"])
        #expect(state.problems.count == 2)
    }

    @Test("a file that has nothing of MPD's state is named once, with its path")
    func otherFiles() throws {
        let folder = try TemporaryFolder()
        try folder.write("state", String(repeating: "\u{1}x\n", count: 500))
        #expect(throws: MPDImportError.self) { try MPDStateReader.read(folder.path + "/state") }
        let state = MPDStateReader.parse("random: 1\n" + String(repeating: "x\n", count: 500))
        #expect(state.problems.count == 4)
        #expect(state.problems.last?.hasPrefix("497 more lines") == true)
    }

    @Test("numbers of any size are kept within bounds")
    func numbers() {
        let state = MPDStateReader.parse(
            """
            sw_volume: 99999999999999999999
            time: 1e400
            crossfade: -9223372036854775808
            mixrampdb: nan
            current: -1
            playlist_begin
            Prio: 4611686018427387904
            0:a
            song_begin: b
            Range: 9223372036854775807-9223372036854775807
            song_end
            playlist_end
            """)
        #expect(state.player.volume == 100)
        #expect(state.player.crossfade == 0)
        #expect(state.player.mixRampThreshold == 0)
        #expect(state.player.position == nil)
        #expect(state.queue.map(\.priority) == [255, 0])
    }

    @Test("lines of another kind are named and passed over; a file that ends early keeps what it had")
    func rubbish() {
        let state = MPDStateReader.parse("nonsense\nwhat: else\nrandom: 1\nplaylist_begin\n0:a\nx\n1:b")
        #expect(state.problems.count == 3)
        #expect(state.player.isRandom)
        #expect(state.queue.map(\.uri) == ["a", "b"])
    }

    @Test("a database's songs carry their folder, tags and length")
    func catalog() throws {
        let catalog = try MPDCatalog(
            text: """
                info_begin
                format: 2
                info_end
                directory: A
                mtime: 1
                begin: A
                directory: B
                begin: A/B
                song_begin: 1.flac
                Time: 10.5
                Title: One
                mtime: 5
                song_end
                end: A/B
                song_begin: 2.flac
                song_end
                playlist_begin: x.m3u
                mtime: 4
                playlist_end
                end: A
                song_begin: top.mp3
                song_end

                """, path: "db")
        #expect(Set(catalog.songs.keys) == ["A/B/1.flac", "A/2.flac", "top.mp3"])
        #expect(catalog.songs["A/B/1.flac"]?.duration == .milliseconds(10_500))
        #expect(catalog.songs["A/B/1.flac"]?.tags == [TagValue(.title, "One")])
        #expect(throws: MPDImportError.self) { try MPDCatalog(text: "PK\u{3}\u{4}", path: "db") }
    }

    @Test("an M3U file's comments are no songs, its titles belong to what follows")
    func playlists() {
        let entries = MPDPlaylist.entries(
            of: "\u{FEFF}#EXTM3U\r\na/b.flac\r\n#EXTINF:-1,Radio, one\nhttp://r/\n# note\n#EXTINF:3,\nc.mp3")
        #expect(
            entries == [
                .init(uri: "a/b.flac"), .init(uri: "http://r/", title: "Radio, one"), .init(uri: "c.mp3"),
            ])
    }
}

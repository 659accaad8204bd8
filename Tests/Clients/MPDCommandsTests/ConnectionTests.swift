import MPDCommands
import MusicModel
import ServerLoop
import Testing

@Suite("The connection as of MPD 0.24")
struct ConnectionTests {
    @Test("The title of a disc is a tag beside its number, as in MPD 0.25")
    func discSubtitle() async throws {
        let desk = try await Desk()
        let all = await desk.ask("tagtypes")
        let disc = try #require(all.firstIndex(of: "tagtype: Disc"))
        #expect(all[disc + 1] == "tagtype: DiscSubtitle" && all[disc + 2] == "tagtype: Label")
        // Stored values of before mean what they meant.
        #expect(Tag.disc.rawValue == 26 && Tag.label.rawValue == 27 && Tag.musicBrainzReleaseGroupID.rawValue == 34)
        #expect(Set(Tag.allCases.map(\.rawValue)) == Set(0..<UInt8(Tag.allCases.count)))
        try await desk.close()
    }

    @Test("tagtypes lists MPD's tags in MPD's order, with the MusicBrainz ones last")
    func tags() async throws {
        let desk = try await Desk()
        let all = await desk.ask("tagtypes")
        #expect(all.prefix(3) == ["tagtype: Artist", "tagtype: ArtistSort", "tagtype: Album"])
        #expect(all.count == 36 && !all.contains("tagtype: Comment"))
        let firstMusicBrainz = all.firstIndex { $0.hasPrefix("tagtype: MUSICBRAINZ") }
        #expect(firstMusicBrainz == all.count - 8)
        _ = await desk.ask("tagtypes clear")
        #expect(await desk.ask("tagtypes available") == all)
        #expect(await desk.ask("tagtypes reset album DATE") == ["OK"])
        #expect(await desk.ask("tagtypes") == ["tagtype: Album", "tagtype: Date", "OK"])
        #expect(await desk.ask("tagtypes reset") == ["ACK [2@0] {tagtypes} Not enough arguments"])
        _ = await desk.ask("tagtypes all")
        #expect(await desk.ask("tagtypes") == all)
        try await desk.close()
    }

    @Test("protocol features are listed, switched and checked")
    func features() async throws {
        let desk = try await Desk()
        let feature = "feature: hide_playlists_in_root"
        #expect(await desk.ask("protocol") == ["OK"])
        #expect(await desk.ask("protocol available") == [feature, "OK"])
        _ = await desk.ask("protocol all")
        #expect(await desk.ask("protocol") == [feature, "OK"])
        _ = await desk.ask("protocol disable hide_playlists_in_root")
        #expect(await desk.ask("protocol") == ["OK"])
        _ = await desk.ask("protocol enable hide_playlists_in_root")
        _ = await desk.ask("protocol clear")
        #expect(await desk.ask("protocol") == ["OK"])
        #expect(await desk.ask("protocol enable nope") == ["ACK [2@0] {protocol} Unknown protocol feature"])
        #expect(await desk.ask("protocol enable") == ["ACK [2@0] {protocol} Not enough arguments"])
        #expect(await desk.ask("protocol available x") == ["ACK [2@0] {protocol} Too many arguments"])
        #expect(await desk.ask("protocol nope") == ["ACK [2@0] {protocol} Unknown sub command"])
        try await desk.close()
    }

    @Test("Ways of comparing texts are listed, switched and checked")
    func normalizations() async throws {
        let desk = try await Desk()
        let stripped = "stringnormalization: strip_diacritics"
        #expect(await desk.ask("stringnormalization") == ["OK"])
        #expect(await desk.ask("stringnormalization available") == [stripped, "OK"])
        #expect(await desk.ask("stringnormalization enable strip_diacritics") == ["OK"])
        #expect(await desk.ask("stringnormalization") == [stripped, "OK"])
        #expect(
            await desk.ask("stringnormalization enable nope") == [
                "ACK [2@0] {stringnormalization} Unknown string normalization"
            ])
        _ = await desk.ask("stringnormalization clear")
        #expect(await desk.ask("stringnormalization") == ["OK"])
        try await desk.close()
    }

    @Test("Mounts are shown without secrets, a local folder only to local clients")
    func mounts() async throws {
        let desk = try await Desk()
        await desk.reassemble { _, facts in
            facts.mounts = [
                ShownMount("server", of: "http://me:secret@music.example"), ShownMount("files", of: "/srv/music"),
            ]
        }
        #expect(
            await desk.ask("listmounts") == [
                "mount: ", "mount: server", "storage: http://music.example", "mount: files", "OK",
            ])
        try await desk.close()
    }

    @Test("decoders and urlhandlers say what can be played")
    func abilities() async throws {
        let desk = try await Desk()
        await desk.reassemble { _, facts in facts.decoders = [("flacdec", ["flac"], ["audio/flac", "audio/x-flac"])] }
        #expect(
            await desk.ask("decoders") == [
                "plugin: flacdec", "suffix: flac", "mime_type: audio/flac", "mime_type: audio/x-flac", "OK",
            ])
        #expect(await desk.ask("urlhandlers") == ["handler: http://", "handler: https://", "OK"])
        try await desk.close()
    }
}

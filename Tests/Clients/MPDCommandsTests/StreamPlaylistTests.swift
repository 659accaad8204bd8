import Testing

@testable import MPDCommands

@Suite("Playlists where a stream was expected")
struct StreamPlaylistTests {
    private func streams(_ text: String, type: String?, url: String = "http://host/dir/tune") -> [String]? {
        StreamPlaylist.streams(in: Array(text.utf8), mimeType: type, url: url)
    }

    @Test("the streams are found by type, by the address's ending, and by how the text begins")
    func formats() {
        let pls = "[playlist]\nNumberOfEntries=2\nFile1=http://a/1\nFile2=https://b/2\n"
        #expect(streams(pls, type: "audio/x-scpls") == ["http://a/1", "https://b/2"])
        #expect(streams(pls, type: "application/octet-stream") == ["http://a/1", "https://b/2"])
        #expect(streams("http://a/1\r\n", type: "text/plain") == ["http://a/1"])
        #expect(streams("#EXTM3U\n#EXTINF:-1,X\nhttp://a/1\n", type: nil) == ["http://a/1"])
        #expect(streams("x\nhttp://a/1\n", type: nil, url: "http://host/x.m3u")?.last == "http://a/1")
    }

    @Test("relative entries lie beside the playlist")
    func relative() {
        #expect(streams("#EXTM3U\nlive.mp3\n", type: "audio/x-mpegurl") == ["http://host/dir/live.mp3"])
        #expect(streams("#EXTM3U\n/live.mp3\n", type: "audio/x-mpegurl") == ["http://host/live.mp3"])
    }

    @Test("HLS and web pages are no playlists, and what can't be played is left out")
    func none() {
        #expect(streams("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n", type: "audio/x-mpegurl") == nil)
        #expect(streams("<!DOCTYPE html><html></html>", type: "text/html") == nil)
        #expect(streams("#EXTM3U\nmms://a/1\nhttp://b/2\n", type: "audio/x-mpegurl") == ["http://b/2"])
        #expect(streams("", type: "audio/x-mpegurl") == nil)
    }

    @Test("sound is not read to its end in search of a playlist")
    func types() {
        #expect(!StreamPlaylist.mayBe(mimeType: "audio/mpeg", url: "http://host/live"))
        #expect(StreamPlaylist.mayBe(mimeType: "audio/x-mpegurl", url: "http://host/live"))
        #expect(StreamPlaylist.mayBe(mimeType: "text/html; charset=utf-8", url: "http://host/live"))
    }
}

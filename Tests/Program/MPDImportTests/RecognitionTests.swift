import MusicModel
import TestSupport
import Testing

@testable import MPDImport

@Suite(.enabled(if: testsEverything)) struct RecognitionTests {
    private let recognition = SongRecognition([
        candidate(1, "A/One/01 Start.flac", "A", "One", "Start", seconds: 100),
        candidate(2, "B/One/01 Start.flac", "B", "One", "Start", seconds: 200),
        candidate(3, "C/Live/Song.flac", "Ça", "Live", "Song", seconds: 300, recording: "ABC"),
        candidate(4, "D/x.flac", "D", "", "Same", seconds: 50),
        candidate(5, "E/x.flac", "E", "", "Other", seconds: 90),
    ])

    private static func candidate(
        _ id: Int64, _ uri: String, _ artist: String, _ album: String, _ title: String, seconds: Int,
        recording: String? = nil
    ) -> SongRecognition.Candidate {
        var tags = [TagValue(.artist, artist), TagValue(.title, title)]
        if !album.isEmpty { tags.append(TagValue(.album, album)) }
        if let recording { tags.append(TagValue(.musicBrainzTrackID, recording)) }
        return .init(id: SongID(rawValue: id), uri: uri, tags: tags, duration: .seconds(seconds))
    }

    @Test("the path comes first, then its end, where only one song has it")
    func paths() {
        #expect(way("A/One/01 Start.flac") == [1, 0])
        #expect(way("music/B/One/01 Start.flac") == [2, 1])
        #expect(way("One/01 Start.flac") == nil)
    }

    @Test("MusicBrainz's id, then artist, album and title find what has moved")
    func tags() {
        #expect(way("z.mp3", [TagValue(.musicBrainzTrackID, "abc")]) == [3, 2])
        let folded = [TagValue(.artist, "CA"), TagValue(.album, " live"), TagValue(.title, "SONG")]
        #expect(way("z.mp3", folded) == [3, 3])
        #expect(way("z.mp3", folded, seconds: 302) == [3, 3])
        #expect(way("z.mp3", folded, seconds: 310) == nil)
    }

    @Test("a file's name counts only with its length")
    func names() {
        #expect(way("elsewhere/X.FLAC", seconds: 51) == [4, 4])
        #expect(way("elsewhere/x.flac") == nil)
    }

    private func way(_ uri: String, _ tags: [TagValue] = [], seconds: Int? = nil) -> [Int64]? {
        recognition.song(uri, tags: tags, duration: seconds.map { .seconds($0) }).map {
            [$0.id.rawValue, Int64(RecognitionWay.allCases.firstIndex(of: $0.way) ?? -1)]
        }
    }
}

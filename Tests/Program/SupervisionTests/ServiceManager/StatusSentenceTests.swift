import MusicModel
import Testing

@testable import Supervision

@Suite("The sentence of systemctl status")
struct StatusSentenceTests {
    @Test("it says what plays, how large the library is, and whether the server can be reached")
    func parts() {
        #expect(
            StatusSentence.text(.play, title: "Bach: Air", songs: 12_345, connection: "connected")
                == "Playing Bach: Air, 12,345 songs, connected")
        #expect(
            StatusSentence.text(.pause, title: "Air", songs: 1_234_567, connection: nil)
                == "Paused: Air, 1,234,567 songs")
        #expect(StatusSentence.text(.stop, title: "Air", songs: 999, connection: nil) == "Stopped, 999 songs")
        #expect(StatusSentence.text(.play, title: nil, songs: 0, connection: nil) == "Stopped, 0 songs")
    }

    @Test("long names are shortened, a stream's name stands for its title, and without a title there is none")
    func titles() {
        let artist = TagValue(.artist, String(repeating: "x", count: 200))
        #expect(
            StatusSentence.title([artist, TagValue(.title, "Air")]) == String(repeating: "x", count: 79) + "…: Air")
        #expect(StatusSentence.title([TagValue(.name, "Radio One")]) == "Radio One")
        #expect(StatusSentence.title([TagValue(.title, ""), TagValue(.name, "Radio One")]) == "Radio One")
        #expect(StatusSentence.title([TagValue(.artist, "Bach")]) == nil)
    }
}

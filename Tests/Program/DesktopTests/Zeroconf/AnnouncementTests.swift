import Logging
import TestSupport
import Testing
@testable import Desktop

@Suite("Announcements", .enabled(if: testsEverything))
struct AnnouncementTests {
    @Test(
        "A name's %h is the machine's name",
        arguments: [
            ("Segue @ %h", "Segue @ kitchen"), ("%h", "kitchen"), ("Music", "Music"),
            ("100%% of %h", "100% of kitchen"),
            ("%x %", "%x %"), ("", ""),
        ])
    func pattern(_ pattern: String, name: String) {
        #expect(Announcement.name(pattern, host: "kitchen") == name)
    }

    @Test("A name has at most 63 bytes, and whole characters")
    func length() {
        let name = Announcement.name(String(repeating: "ü", count: 40), host: "")
        #expect(name == String(repeating: "ü", count: 31))
    }

    @Test("An announcer without a bus, and one with nothing to announce, end when they are told to")
    func ends() async {
        for announcements in [[], [Announcement(name: "Music", type: "_mpd._tcp", port: 6600)]] {
            let announcer = Announcer(announcements, log: Logger(label: "test"))
            let running = Task { await announcer.run() }
            running.cancel()
            await running.value
        }
    }
}

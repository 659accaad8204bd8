/// One kind of work: what is sent, how often, and what must have been sent before.
struct Work: Sendable {
    /// How it is called in the table of thresholds.
    let name: String
    /// How often it is done.
    var times = 5
    /// How many commands one request has.
    var commands = 1
    /// What is sent once before.
    var before: [String] = []
    /// The request of a round, which may be a whole list.
    let request: @Sendable (_ round: Int) -> String

    /// Every kind in its order; later ones find the queue as earlier ones left it.
    static let all: [Work] = [
        Work(name: "ping", times: 50) { _ in "ping" },
        Work(name: "status, stopped", times: 50) { _ in "status" },
        Work(name: "listallinfo, a song", times: 1, commands: 5000) { _ in "listallinfo" },
        Work(name: "lsinfo of an artist", times: 10) { "lsinfo \"Artist \($0)\"" },
        Work(name: "lsinfo of a song", times: 20) { _ in "lsinfo \"Artist 1/Album 5/1 Söng 50.flac\"" },
        Work(name: "listallinfo of an artist", times: 10) { "listallinfo \"Artist \($0)\"" },
        Work(name: "find in a folder", times: 10) { "find \"(base 'Artist \($0)')\"" },
        Work(name: "search any, three letters", times: 2) { _ in "search any \"g 4\" window 0:20" },
        Work(name: "search title, one letter", times: 1) { _ in "search title x" },
        Work(name: "find album", times: 10) { "find album \"Album \($0)\"" },
        Work(name: "list album group albumartist, a value", times: 1, commands: 500) { _ in
            "list album group albumartist"
        },
        Work(name: "count of a genre", times: 2, before: ["list genre"]) { _ in "count genre Rock" },
        Work(name: "search with a negation", times: 2, before: ["list title", "list genre"]) { _ in
            "search \"((title contains 'rain') AND (!(genre == 'rock')))\" window 0:20"
        },
        Work(name: "add of the whole library, a song", times: 3, commands: 5000) { _ in "add \"\"" },
        Work(name: "playlistinfo of the whole queue, an entry", times: 1, commands: 20_000) { _ in "playlistinfo" },
        Work(name: "playlistinfo of one entry", times: 20) { "playlistinfo \($0 * 900)" },
        Work(name: "playlistinfo of ten entries", times: 10) { "playlistinfo \($0 * 900):\($0 * 900 + 10)" },
        Work(name: "plchangesposid of the whole queue, an entry", times: 1, commands: 20_000) { _ in
            "plchangesposid 0"
        },
        Work(name: "status, playing", times: 50, before: ["play 10000"]) { _ in "status" },
        Work(name: "status in a list", times: 1, commands: 500) { _ in list(Array(repeating: "status", count: 500)) },
        Work(name: "currentsong", times: 20) { _ in "currentsong" },
        Work(name: "addid into 20,000 entries", times: 20) { round in
            "addid \"Artist 1/Album 5/1 Söng 50.flac\" \(round * 400)"
        },
        Work(name: "move in 20,000 entries", times: 20) { "move \($0 * 300) \(19_000 - $0 * 200)" },
        Work(name: "delete from 20,000 entries", times: 20) { "delete \($0 * 350)" },
        Work(name: "delete with random on", times: 10, before: ["random 1"]) { "delete \($0 * 350)" },
        Work(name: "next with random on", times: 10) { _ in "next" },
    ]

    private static func list(_ lines: [String]) -> String {
        (["command_list_begin"] + lines + ["command_list_end"]).joined(separator: "\n")
    }
}

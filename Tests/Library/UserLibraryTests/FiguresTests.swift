import Coordination
import Foundation
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing
import UserLibrary

/// Times the index on a made-up library: `SEGUE_FIGURES=50000 swift test -c release -Xswiftc -enable-testing --filter
/// Figures`.
@Suite(
    "Figures", .enabled(if: ProcessInfo.processInfo.environment["SEGUE_FIGURES"] != nil, "SEGUE_FIGURES isn't set"),
    .serialized)
struct FiguresTests {
    @Test("Writing, opening and reading")
    func figures() async throws {
        let count = ProcessInfo.processInfo.environment["SEGUE_FIGURES"].flatMap { Int($0) } ?? 50_000
        // A second run with the same path reads what the first one wrote, so that the memory is that of reading alone.
        if let kept = ProcessInfo.processInfo.environment["SEGUE_FIGURES_DATABASE"] {
            let isThere = FileManager.default.fileExists(atPath: kept)
            let library = try await Self.time("open", runs: 1) { try Library(path: kept) }
            if !isThere { _ = try await library.index.apply(LibraryChanges(mount: "", upserts: Self.songs(count))) }
            Self.memory("after opening")
            try await Self.reads(library.index, Self.songs(2000))
            Self.memory("after reading")
            return try library.close()
        }
        let songs = Self.songs(count)
        let test = try TestLibrary()
        var library = test.library
        _ = try await Self.time("first write of \(count) songs", runs: 1) {
            try await library.index.apply(LibraryChanges(mount: "", upserts: songs)).added
        }
        _ = try await Self.time("the same again", runs: 1) {
            try await library.index.apply(LibraryChanges(mount: "", upserts: songs)).added
        }
        _ = try await Self.time("knownSongs") { try await library.index.knownSongs(mount: "").count }
        Self.memory("after writing")
        try library.close()
        let size = try FileManager.default.attributesOfItem(atPath: test.path)[.size] as? Int ?? 0
        Self.report("database", "\(size >> 20) MiB")
        library = try await Self.time("open", runs: 1) { try Library(path: test.path) }
        try await Self.reads(library.index, songs)
        Self.memory("after reading")
        try await Self.states(library)
        try await Self.changes(library, songs)
        Self.memory("at the end")
        try library.close()
    }

    private static func reads(_ index: MusicIndex, _ songs: [IndexedSong]) async throws {
        let artists = Array(Set(songs.compactMap { $0.tags.first { $0.tag == .albumArtist }?.value })).sorted().prefix(
            200)
        _ = try await time("list artist, cold", runs: 1) {
            try await index.list(.artist, filter: .all, groups: []).count
        }
        _ = try await time("list artist") { try await index.list(.artist, filter: .all, groups: []).count }
        _ = try await time("list album group albumartist, cold", runs: 1) {
            try await index.list(.album, filter: .all, groups: [.albumArtist]).count
        }
        _ = try await time("list album group albumartist") {
            try await index.list(.album, filter: .all, groups: [.albumArtist]).count
        }
        for (name, detail) in [("listallinfo", WalkDetail.blocks), ("listall", .uris)] {
            _ = try await time(name) { try await bytes(index.walk("", detail: detail, mask: .standard)) }
        }
        let narrow: TagMask = [TagMask(.artist), TagMask(.title), TagMask(.album)]
        _ = try await time("listallinfo with 3 tags") {
            try await bytes(index.walk("", detail: .blocks, mask: narrow))
        }
        _ = try await time("lsinfo root") { try await bytes(index.listDirectory("", mask: .standard)) }
        _ = try await time("lsinfo of 200 directories") {
            var total = 0
            for artist in artists { total += try await bytes(index.listDirectory(artist, mask: .standard)) }
            return total
        }
        _ = try await time("find albumartist x200") {
            var total = 0
            for artist in artists { total += try await find(index, .tag(.albumArtist, .equals, artist)) }
            return total
        }
        _ = try await time("list album albumartist x200") {
            var total = 0
            for artist in artists {
                total += try await index.list(.album, filter: .tag(.albumArtist, .equals, artist), groups: []).count
            }
            return total
        }
        _ = try await time("find genre Rock") { try await find(index, .tag(.genre, .equals, "Rock")) }
        let sorted = SongQuery(.tag(.genre, .equals, "Rock"), sort: SongSort(.tag(.title)), window: 0..<100)
        _ = try await time("find genre sort title, cold", runs: 1) {
            try await bytes(index.find(sorted, mask: .standard))
        }
        _ = try await time("find genre sort title window") { try await bytes(index.find(sorted, mask: .standard)) }
        for word in ["love", "wo", "w", "zzqqxx", artists.first ?? ""] {
            _ = try await time("search any \(word)") { try await find(index, .any(word)) }
            _ = try await time("search title \(word)") {
                try await find(index, .tag(.title, .contains, word, folds: true))
            }
        }
        let both = SongFilter.and([
            .tag(.title, .contains, "moon", folds: true), .tag(.artist, .contains, "star", folds: true),
        ])
        _ = try await time("search two words") { try await find(index, both) }
        _ = try await time("search file") {
            try await find(index, .text(.file, StringTest(.contains, "love", foldsCase: true)))
        }
        _ = try await time("search title =~") {
            try await find(index, .tag(.title, .regularExpression, "^lo.*e$", folds: true))
        }
        _ = try await time("count group artist") { try await index.count(filter: .all, groups: [.artist]).count }
        memory("after lists and searches")
        _ = try await time("statistics") { try await index.statistics().songs }
        _ = try await time("queueable of everything") { try await index.queueable(below: "").count }
        let ids = try await index.queueable(below: "").map(\.id)
        _ = try await time("songs of everything") { try await index.songs(ids).count }
    }

    private static func states(_ library: Library) async throws {
        let ids = try await library.index.queueable(below: "").map(\.id)
        var queue = SavedQueue(
            entries: (0..<100_000).map {
                SavedQueue.Entry(id: QueueEntryID(rawValue: UInt32($0)), item: .song(ids[$0 % ids.count]))
            })
        _ = try await time("save a queue of 100,000", runs: 1) { try await library.saveQueue(queue) }
        queue.entries.swapAt(5, 70_000)
        queue.entries.remove(at: 99)
        let changed = queue
        _ = try await time("save it with two changes", runs: 1) { try await library.saveQueue(changed) }
        _ = try await time("load it", runs: 1) { try library.savedQueue().entries.count }
        _ = try await time("save the player") { try await library.savePlayer(SavedPlayer()) }
    }

    private static func changes(_ library: Library, _ songs: [IndexedSong]) async throws {
        var one = songs[songs.count / 2]
        one.hash &+= 1
        one.tags.append(TagValue(.mood, "Changed"))
        let changed = one
        _ = try await time("one changed song", runs: 1) {
            try await library.index.apply(LibraryChanges(mount: "", upserts: [changed])).updated.count
        }
        let renamed = songs.map { song in
            var song = song
            song.sourceID = "new-\(song.sourceID)"
            return song
        }
        let old = songs.map(\.sourceID)
        _ = try await time("all ids new", runs: 1) {
            try await library.index.apply(LibraryChanges(mount: "", upserts: renamed, removals: old)).updated.count
        }
        _ = try await time("all songs gone", runs: 1) {
            try await library.index.apply(LibraryChanges(mount: "", removals: renamed.map(\.sourceID))).removed.count
        }
    }

    // MARK: -

    private static func find(_ index: MusicIndex, _ filter: SongFilter) async throws -> Int {
        try await bytes(index.find(SongQuery(filter), mask: .standard))
    }

    private static func bytes(_ cursor: AnswerCursor) async throws -> Int {
        var count = 0
        while let piece = try await cursor.next() { count += piece.count }
        return count
    }

    private static func time<Value>(
        _ name: String, runs: Int = 7, _ body: () async throws -> Value
    ) async throws -> Value {
        let clock = ContinuousClock()
        var times: [Duration] = []
        var value: Value?
        for _ in 0..<runs {
            let start = clock.now
            value = try await body()
            times.append(clock.now - start)
        }
        let median = times.sorted()[times.count / 2]
        let milliseconds = Double(median.components.seconds) * 1000 + Double(median.components.attoseconds) / 1e15
        report(name, "\(String(format: "%.2f", milliseconds)) ms\(value is Int ? " (\(value as? Int ?? 0))" : "")")
        return try #require(value)
    }

    private static func memory(_ when: String) {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS") {
            report("memory \(when)", String(line))
        }
    }

    private static func report(_ name: String, _ value: String) {
        print("FIGURE", name.padding(toLength: 40, withPad: " ", startingAt: 0), value)
    }

    /// A library of artists with albums of about ten songs, from a fixed seed.
    private static func songs(_ count: Int) -> [IndexedSong] {
        var generator = Generator()
        let words = """
            love night day blue heart time world light fire rain road home dream dance moon sun star river ocean \
            summer winter baby girl boy city street train car window door house garden flower tree bird wolf lion \
            tiger angel devil god king queen song music
            """.split(separator: " ").map { $0.capitalized }
        func phrase(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }
                .joined(separator: " ")
        }
        let genres = ["Rock", "Pop", "Jazz", "Electronic", "Classical", "Folk", "Metal", "Ambient", "Blues", "Soul"]
        var songs: [IndexedSong] = []
        var artist = 0
        while songs.count < count {
            artist += 1
            let artistName = "\(phrase(1...3)) \(artist)"
            for album in 0..<Int.random(in: 1...4, using: &generator) {
                let albumName = "\(phrase(1...4)) \(album)"
                let genre = genres.randomElement(using: &generator) ?? ""
                for track in 1...Int.random(in: 6...16, using: &generator) where songs.count < count {
                    let title = phrase(1...5)
                    let number = songs.count
                    let uuid = String(format: "%08x-aaaa-4bbb-8ccc-%012x", number, number &* 7919)
                    songs.append(
                        song(
                            "\(artistName)/\(albumName)/\(track) - \(title).flac", id: "id\(number)",
                            duration: .milliseconds(Int.random(in: 90_000...480_000, using: &generator)),
                            modified: 1_500_000_000 + Int64(number), added: 1_600_000_000,
                            format: AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2),
                            (.artist, artistName), (.albumArtist, artistName), (.album, albumName), (.title, title),
                            (.track, "\(track)"), (.date, "\(1955 + number % 70)"), (.disc, "1"), (.genre, genre),
                            (.musicBrainzTrackID, uuid)))
                }
            }
        }
        return songs
    }

    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        private var state: UInt64 = 1

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}

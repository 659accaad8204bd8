import Discovery
import Foundation
import MusicModel

/// Measures how fast and how well choosing works in a large library; `contrib/measure-discovery` prints the figures.
///
/// The songs are made up: twelve by each artist on two albums, in 60 styles; what is measured of a song is its style's,
/// its artist's and its own part. The same ones each time.
@main
enum DiscoveryBench {
    /// A figure, with its target where there is one.
    struct Row: Encodable {
        var what: String
        var found: String
        var wanted: String
        var isMet: Bool

        private enum CodingKeys: String, CodingKey {
            case what, found, wanted
            case isMet = "is_met"
        }
    }

    /// Beside the real time, which others on the machine make longer.
    private static func milliseconds(_ times: Int, _ work: (Int) -> Void) -> (median: Double, most: Double) {
        let taken = (0..<times).map { time in
            var before = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
            work(time)
            var after = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
            return Double(after.tv_sec - before.tv_sec) * 1000 + Double(after.tv_nsec - before.tv_nsec) / 1_000_000
        }.sorted()
        return (taken[times / 2], taken[times - 1])
    }

    private static func row(_ what: String, _ found: (median: Double, most: Double), wanted: Double?) -> Row {
        Row(
            what: what, found: String(format: "%.2f ms (most %.2f)", found.median, found.most),
            wanted: wanted.map { String(format: "<= %.0f", $0) } ?? "none set",
            isMet: wanted.map { found.median <= $0 } ?? true)
    }

    static func main() async throws {
        var rows: [Row] = []
        for (songs, wanted) in [(50_000, 5.0), (500_000, 15.0)] { rows += measure(songs, wanted) }
        rows.append(try await HeardLibrary.row(songs: 50_000))
        print(String(decoding: try JSONEncoder().encode(rows), as: UTF8.self))
    }

    private static func measure(_ songs: Int, _ wanted: Double) -> [Row] {
        let library = SyntheticLibrary(songs: songs)
        let vectors = library.vectors
        var space = SoundSpace()
        let loading = milliseconds(3) { _ in space = SoundSpace(slots: songs, vectors) }
        let catalogue = SongCatalogue(library.entries)
        let listening = Listening(count: songs)
        let rules = PickRules()
        let seeds = (0..<15).map { $0 * songs / 15 + 7 }
        let maker = MixMaker(catalogue, listening, space, rules: rules, excluded: [], day: 1, now: now)
        let similar = milliseconds(15) { _ = maker.similar(to: catalogue.ids[seeds[$0]]) }
        let refill = milliseconds(15) { time in
            var request = PickRequest(mode: .similar, now: now)
            request.anchors = [catalogue.ids[seeds[time]]: 1]
            request.current = catalogue.ids[seeds[time]]
            var picker = Picker(catalogue, listening, space, rules: rules, generator: PickGenerator(seed: UInt64(time)))
            _ = picker.pick(3, request)
        }
        var rows = [
            row("making the space of \(songs) measured songs", loading, wanted: nil),
            row("the three playlists like a song (songs, albums, artists), of \(songs)", similar, wanted: wanted),
            row("the auto-DJ's next three songs, of \(songs)", refill, wanted: songs > 50_000 ? nil : 10),
        ]
        if songs <= 50_000, let quality = SoundQuality(catalogue, space) { rows += qualityRows(quality, songs) }
        return rows
    }

    private static func qualityRows(_ quality: SoundQuality, _ songs: Int) -> [Row] {
        func row(_ what: String, _ share: SoundQuality.Share) -> Row {
            Row(
                what: "\(what) of the five nearest, of \(songs): by sound, by tags, by chance",
                found: String(format: "%.3f, %.3f, %.4f", share.sound, share.tags, share.chance),
                wanted: "above chance", isMet: share.sound > share.chance)
        }
        return [
            row("album", quality.album), row("artist (other albums)", quality.artist),
            row("genre (other artists)", quality.genre),
            Row(
                what: "hubs among \(songs): skew, of 2,000 of them", found: String(format: "%.2f", quality.hubs),
                wanted: "<= 1.5", isMet: quality.hubs <= 1.5),
        ]
    }

    private static let now: Int64 = 1_790_000_000
}

import MusicModel
import Testing

@testable import AudioFiles

@Suite("Channels that are mixed and routed")
struct ChannelMatrixTests {
    private static let half = Float(0.5.squareRoot())

    /// The factors of each channel that leaves, as decibels are told apart by them.
    private func factors(_ matrix: ChannelMatrix) -> [[Float]] {
        matrix.rows.map { row in (0..<matrix.sources).map { index in row.first { $0.source == index }?.factor ?? 0 } }
    }

    @Test("surround becomes stereo by the usual factors, so much softer that nothing clips")
    func stereo() {
        let h = Self.half
        let expected: [Int: [[Float]]] = [
            3: [[1, 0, h], [0, 1, h]], 4: [[1, 0, h, 0], [0, 1, 0, h]], 5: [[1, 0, h, h, 0], [0, 1, h, 0, h]],
            6: [[1, 0, h, 0, h, 0], [0, 1, h, 0, 0, h]],
            7: [[1, 0, h, 0, 0.5, h, 0], [0, 1, h, 0, 0.5, 0, h]],
            8: [[1, 0, h, 0, h, 0, h, 0], [0, 1, h, 0, 0, h, 0, h]],
        ]
        for (channels, rows) in expected {
            let found = factors(.between(channels, 2))
            let scale = rows[0].reduce(0, +)
            for (row, wanted) in zip(found, rows) {
                // 0.01 dB is a part of 870.
                for (one, other) in zip(row, wanted) { #expect(abs(one - other / scale) <= other / 870, "\(channels)") }
                #expect(row.reduce(0, +) <= 1.000001)
            }
        }
    }

    @Test("whatever is mixed, nothing leaves louder than full scale", arguments: 1...8)
    func neverClips(sources: Int) {
        for targets in 1...8 {
            let matrix = ChannelMatrix.between(sources, targets)
            #expect(matrix.targets == targets && matrix.sources == sources)
            for row in factors(matrix) { #expect(row.reduce(0) { $0 + abs($1) } <= 1.000001) }
            #expect(matrix.isIdentity == (sources == targets))
        }
    }

    @Test("more channels than a song has are silent, and mono plays on both fronts")
    func more() {
        #expect(ChannelMatrix.between(2, 6).apply(to: [0.1, 0.2]) == [0.1, 0.2, 0, 0, 0, 0])
        #expect(ChannelMatrix.between(1, 6).apply(to: [0.3]) == [0.3, 0.3, 0, 0, 0, 0])
        let seven: [Float] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        #expect(ChannelMatrix.between(6, 8).apply(to: seven) == seven + [0, 0])
    }

    @Test("a sample that is no number stays in its own channel")
    func notANumber() {
        let heard = ChannelMatrix.between(6, 8).apply(to: [.nan, 0.2, 0.3, 0.4, 0.5, .infinity])
        #expect(heard[0].isNaN && heard[5] == .infinity && heard[1] == 0.2 && heard[6] == 0)
        #expect(ChannelMatrix.between(6, 2).apply(to: []).isEmpty)
    }

    // MARK: What decoders give

    private func arranged(_ channels: Int, _ mask: UInt64, limit: Int = 8) -> [[Float]]? {
        SourceChannels.matrix(SourceChannels.Layout(channels: channels, mask: mask), limit: limit).map(factors)
    }

    @Test(
        "the usual layouts pass as they are, wherever the surrounds stand",
        arguments: [
            (3, 0x7), (4, 0x33), (4, 0xc03), (5, 0x37), (5, 0xc07), (6, 0x3f), (6, 0xc0f), (7, 0xd0f), (8, 0xc3f),
        ] as [(Int, UInt64)])
    func usual(channels: Int, mask: UInt64) { #expect(arranged(channels, mask) == nil) }

    @Test(
        "places that are missing, too few, too many or unknown are taken for the usual ones",
        arguments: [(6, 0), (6, 0x3), (6, .max), (8, 0x3f), (3, 0)] as [(Int, UInt64)])
    func nonsense(channels: Int, mask: UInt64) { #expect(arranged(channels, mask) == nil) }

    @Test("other layouts get the fewest channels that have all their speakers")
    func others() {
        // 2.1, 4.1, and a centre behind the listener.
        #expect(arranged(3, 0xb)?.count == 6)
        #expect(arranged(3, 0xb)?[3] == [0, 0, 1])
        #expect(arranged(5, 0x3b)?.map { $0.max() } == [1, 1, 0, 1, 1, 1])
        #expect(arranged(4, 0x107)?.count == 7)
        // A seventh channel behind the listener comes last here, and fourth in the usual order.
        #expect(arranged(7, 0x13f)?[4] == [0, 0, 0, 0, 0, 0, 1])
        // Speakers above the listener sound in those below.
        #expect(arranged(8, 0x303f)?.count == 6)
        // Channels of which nothing is known are left out.
        #expect(arranged(3, 1 << 63 | 0x3)?.count == 2)
    }

    @Test("every mask of three to eight channels gives at most eight, none too loud")
    func anyMask() {
        var state: UInt64 = 7
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let mask = (state >> 33) & (state >> 20) & 0xfff_ffff
            let channels = mask.nonzeroBitCount
            guard (3...8).contains(channels) else { continue }
            for limit in [2, 8] {
                let rows = arranged(channels, mask, limit: limit)
                #expect((rows?.count ?? channels) <= limit, "\(String(mask, radix: 16))")
                for row in rows ?? [] { #expect(row.reduce(0) { $0 + abs($1) } <= 1.000001) }
            }
        }
    }

    // MARK: Routes

    private func routed(_ text: String, _ samples: [Float], targets: Int = 0) throws -> [Float] {
        ChannelMatrix.routing(try ChannelRoute(text), samples.count, targets: targets).apply(to: samples)
    }

    @Test("a route sends channels where it says, and leaves the others silent")
    func routes() throws {
        #expect(try routed("0>0, 1>1, 0>2, 1>3", [0.1, 0.2]) == [0.1, 0.2, 0.1, 0.2])
        #expect(try routed("0>1, 1>0", [0.1, 0.2]) == [0.2, 0.1])
        #expect(try routed("0>2, 1>3", [0.1, 0.2]) == [0, 0, 0.1, 0.2])
        #expect(try routed("0>0, 1>1", [0.1, 0.2], targets: 4) == [0.1, 0.2, 0, 0])
        #expect(try routed("5>0, 4>1", [0, 1, 2, 3, 4, 5]) == [5, 4])
        // A song without the third channel.
        #expect(try routed("0>0, 1>1, 2>2", [0.1, 0.2]) == [0.1, 0.2, 0])
        // Mono counts as stereo.
        #expect(try routed("0>0, 1>1", [0.25]) == [0.25, 0.25])
    }

    @Test("what goes to the same channel is mixed in equal parts")
    func mixed() throws {
        #expect(try routed("0>0, 1>1, 2>0, 2>1", [0.5, 0.25, 1]) == [0.75, 0.625])
        // A song without a centre is as loud as ever.
        #expect(try routed("0>0, 1>1, 2>0, 2>1", [0.5, 0.25]) == [0.5, 0.25])
    }

    @Test("a route of two channels gets the stereo of a surround song")
    func folded() throws {
        let heard = try routed("0>2, 1>3", [1, 0, 1, 1, 0, 0])
        let expected = (1 + Self.half) / (1 + 2 * Self.half)
        #expect(heard[0] == 0 && heard[1] == 0 && abs(heard[2] - expected) < 1e-5)
    }
}

import CSound
import Testing

/// A graph at 48 kHz, freed in the end.
private final class Graph {
    let pointer: OpaquePointer

    /// - Throws: FFmpeg's reason for not making it.
    init(_ text: String, channels: Int32 = 2, mask: UInt64 = 3) throws(Refusal) {
        var reason = [CChar](repeating: 0, count: 256)
        guard let made = segue_graph_new(text, 48_000, channels, mask, &reason, reason.count) else {
            throw Refusal(
                reason: String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        pointer = made
    }

    deinit { segue_graph_free(pointer) }

    func push(_ samples: [Float]) -> [Float] {
        guard segue_graph_push(pointer, samples, samples.count) != 0 else { return [] }
        var count = 0
        let result = segue_graph_output(pointer, &count)
        return Array(UnsafeBufferPointer(start: result, count: count))
    }
}

private struct Refusal: Error {
    let reason: String
}

@Suite("FFmpeg's graphs")
struct FilterGraphTests {
    private let sound: [Float] = (0..<7700).map { Float(($0 * 7919) % 2003 - 1001) / 2048 }

    @Test("a graph that changes nothing gives back the very samples", arguments: [1, 2, 6, 7, 8])
    func nothing(channels: Int) throws {
        let masks: [Int: UInt64] = [1: 4, 2: 3, 6: 0x3f, 7: 0x70f, 8: 0x63f]
        let graph = try Graph("anull", channels: Int32(channels), mask: masks[channels] ?? 0)
        let whole = sound.prefix(sound.count / channels * channels)
        #expect(graph.push(Array(whole)) == Array(whole))
        #expect(graph.push([]) == [])
    }

    @Test("a graph with branches is one, as long as it has one input and one output")
    func branches() throws {
        for text in ["[in]asplit[a][b];[a][b]amix[out]", "asplit[a][b];[a][b]amix", "[x]volume[y]"] {
            let graph = try Graph(text)
            let heard = (0..<4).flatMap { _ in graph.push(sound) }
            #expect(heard.count == sound.count * 4)
        }
        for text in ["asplit", "sine", "anullsink", "[in]asplit[a][b]"] {
            #expect(throws: Refusal.self, "\(text)") { try Graph(text) }
        }
    }

    @Test(
        "what is wrong with a graph is said in FFmpeg's words, without addresses",
        arguments: [
            ("nothing", "No such filter: 'nothing'"), ("equalizer=x=1", "Option 'x' not found"),
            ("volume=loud", "Undefined constant or missing '(' in 'loud'"),
        ])
    func reasons(text: String, reason: String) {
        do throws(Refusal) {
            _ = try Graph(text)
            Issue.record("\(text) is a graph")
        } catch { #expect(error.reason.contains(reason) && !error.reason.contains("0x"), "\(error.reason)") }
    }

    @Test("texts of any kind make no graph and do no harm")
    func garbage() {
        var state: UInt64 = 7
        for length in 0..<400 {
            let bytes = (0..<length).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(state >> 33 & 0x7e) | 1
            }
            _ = try? Graph(String(decoding: bytes, as: UTF8.self))
        }
        #expect(throws: Refusal.self) { try Graph(String(repeating: "a", count: 1_000_000)) }
    }

    @Test("a package is named that brings the library")
    func package() {
        #expect(segue_graph_is_available() != 0)
        #expect(String(cString: segue_graph_package()).wholeMatch(of: #/libavfilter\d+/#) != nil)
    }
}

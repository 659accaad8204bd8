import Discovery
import MPDProtocol
import MusicModel
import NIOHTTP1
import Playback
import Players
import ServerLoop

enum WishesResource {
    static let routes = [
        Route(.GET, "/api/wish") { request in
            let wish = await request.api.parts.wishes?.currentWish(in: try await request.partition())
            return .object { json in write(wish, to: &json) }
        },
        Route(.POST, "/api/wish", .control) { request in
            let words = try await request.body().text("words")?.split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
            guard let words, (1...PickWish.maxTextLength).contains(words.count) else {
                throw APIError.wrong("words", "A wish has up to \(PickWish.maxTextLength) characters.")
            }
            guard let wishes = request.api.parts.wishes else { throw APIError.missing("Nothing reads wishes here.") }
            guard let taken = await wishes.wish(words, in: try await request.partition()) else {
                throw APIError(.conflict, code: .exist, "A newer wish has taken this one's place.")
            }
            return .object { json in
                write(taken.read.wish, to: &json)
                json.field("by", taken.isReadByServer ? "server" : "rules")
                json.field("sentence", taken.read.sentence)
                json.field("trouble", taken.read.trouble)
            }
        },
        Route(.DELETE, "/api/wish", .control) { request in
            let partition = try await request.partition()
            guard await request.api.parts.wishes?.takeWishBack(in: partition) == true else {
                throw APIError.missing("There is no wish to take back.")
            }
            return .done
        },
    ]

    /// Writes what a wish means, part by part, so that a page can say it in the listener's language.
    private static func write(_ wish: PickWish?, to json: inout JSONWriter) {
        let wish = wish ?? PickWish()
        json.field("isEmpty", wish.isEmpty)
        json.field("summary", wish.sentence)
        json.field("genres", wish.genres.sorted())
        json.field("moods", wish.moods.sorted())
        range("years", wish.years.map { [$0.lowerBound, $0.upperBound] }, to: &json)
        range("energy", wish.energy.map { [percent($0.lowerBound), percent($0.upperBound)] }, to: &json)
        range("tempo", wish.tempo.map { [whole($0.lowerBound), whole($0.upperBound)] }, to: &json)
    }

    private static func range(_ name: StaticString, _ ends: [Int]?, to json: inout JSONWriter) {
        guard let ends else { return json.field(name, Int?.none) }
        json.array(name, ends) { $0.value($1) }
    }

    private static func percent(_ energy: Double) -> Int { Int((energy.clamped(to: 0...1) * 100).rounded()) }
    private static func whole(_ tempo: Double) -> Int { Int(tempo.clamped(to: PickWish.possibleTempos).rounded()) }
}

import Testing

@testable import UserLibrary

@Suite("What becomes of a star or rating when the server tells what it has")
struct MarkMergeTests {
    private func edit(
        _ value: Int, number: Int64 = 5, at edited: Int64 = 1000, _ state: MarkMerge.Edit.State = .waiting
    )
        -> MarkMerge.Edit
    {
        MarkMerge.Edit(number: number, value: value, edited: edited, state: state)
    }

    @Test("Without an edit the server's changes are taken, and only those")
    func noEdit() {
        #expect(MarkMerge(observed: 3, base: 3, local: 4, clock: 9).verdict == .ignore)
        #expect(MarkMerge(observed: 0, base: 3, local: 3, clock: 9).verdict == .takeTheirs)
    }

    @Test("What the server never heard of goes there, unless it has a value of its own")
    func firstMeeting() {
        #expect(MarkMerge(observed: 0, base: nil, local: 4, clock: 9).verdict == .publish)
        #expect(MarkMerge(observed: 2, base: nil, local: 4, clock: 9).verdict == .takeTheirs)
        #expect(MarkMerge(observed: 0, base: nil, local: nil, clock: 9).verdict == .takeTheirs)
    }

    @Test("An edit outlives answers that were asked for before it, done or not", arguments: [0, 1, 2, 3, 4] as [Int64])
    func olderAnswers(_ state: Int64) throws {
        let state = try #require(MarkMerge.Edit.State(rawValue: state))
        for observed in 0...5 {
            let merge = MarkMerge(observed: observed, base: 3, local: 4, edit: edit(4, number: 10, state), clock: 9)
            #expect(merge.verdict == .ignore)
        }
    }

    @Test("An edit that is done leaves the word to the server")
    func done() {
        #expect(MarkMerge(observed: 1, base: 4, local: 4, edit: edit(4, .done), clock: 9).verdict == .takeTheirs)
        #expect(MarkMerge(observed: 4, base: 4, local: 4, edit: edit(4, .done), clock: 9).verdict == .ignore)
    }

    @Test("Of two edits the later wins; a rating that changed unseen is taken for the earlier one")
    func conflicts() {
        #expect(MarkMerge(observed: 4, base: 3, local: 4, edit: edit(4), clock: 9).verdict == .agree)
        #expect(MarkMerge(observed: 3, base: 3, local: 4, edit: edit(4), clock: 9).verdict == .wait)
        #expect(MarkMerge(observed: 1, base: 3, local: 4, edit: edit(4), clock: 9).verdict == .keepOurs)
        let overtaken = MarkMerge(observed: 1, base: 3, local: 4, edit: edit(4, .overtakable), clock: 9)
        #expect(overtaken.verdict == .takeTheirs)
        let laterStar = MarkMerge(observed: 1, starred: 1001, base: 0, local: 0, edit: edit(0), clock: 9)
        #expect(laterStar.verdict == .agree || laterStar.verdict == .takeTheirs)
        let earlierStar = MarkMerge(observed: 1, starred: 999, base: 0, local: 0, edit: edit(0), clock: 9)
        #expect(earlierStar.verdict == .keepOurs)
    }

    @Test("While an earlier edit of ours may be under way, the server's value proves nothing")
    func shadowed() {
        for observed in 0...5 {
            let merge = MarkMerge(
                observed: observed, starred: 2000, base: 3, local: 4, edit: edit(4, .shadowed), clock: 9)
            #expect(merge.verdict == (observed == 3 ? .ignore : .keepOurs))
        }
        #expect(MarkMerge(observed: 4, base: 3, local: 4, edit: edit(4, .sent), clock: 9).verdict == .agree)
        #expect(MarkMerge(observed: 3, base: 3, local: 4, edit: edit(4, .sent), clock: 9).verdict == .ignore)
    }

    @Test("Stickers and the server's values mean the same")
    func convention() {
        for stars in 0...5 {
            #expect(MarkConvention.meaning(.rating, MarkConvention.text(.rating, stars)) == stars)
        }
        for star in 0...1 { #expect(MarkConvention.meaning(.star, MarkConvention.text(.star, star)) == star) }
        let odd: [(String, Int?)] = [
            ("1", 1), ("7", 4), ("9", 5), ("12", 5), ("-3", 0), ("0", 0), ("", 0), ("good", nil), ("3.5", nil),
        ]
        for (text, meaning) in odd { #expect(MarkConvention.meaning(.rating, text) == meaning) }
        #expect(["0", "1", "2", "3"].map { MarkConvention.meaning(.star, $0) } == [0, 0, 1, 1])
    }
}

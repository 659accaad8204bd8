package import Coordination
import LibraryIndex
package import Logging
import MusicModel
package import Subsonic
package import UserLibrary

/// Asks the library's server which artists are like one when a client looks at that one: once a day for each, one
/// question after the other, and not within an hour of a failure.
package actor SimilarArtists {
    /// How many artists are asked for.
    package static let count = 20
    private static let maxNameLength = 1000

    private let client: SubsonicClient
    private let library: Library
    private let pause: Duration
    private let patience: Duration
    private let clock: any ServiceClock
    private let log: Logger
    private var questions: [String: Task<[String], Never>] = [:]
    /// The question that all later ones come after.
    private var last: Task<[String], Never>?
    private var nextQuestion: ContinuousClock.Instant
    private var policy: AskingPolicy

    /// Makes it; nothing is asked before a client wants to know. It pauses between two questions, and one that wants to
    /// know waits for the server with `patience`; the answer is kept all the same. `now` is the present in Unix
    /// seconds.
    package init(
        _ client: SubsonicClient, _ library: Library, pause: Duration = .seconds(1), patience: Duration = .seconds(10),
        clock: any ServiceClock = ContinuousClock(), now: (@Sendable () -> Int64)? = nil, log: Logger
    ) {
        (self.client, self.library, self.pause, self.patience) = (client, library, pause, patience)
        self.clock = clock
        nextQuestion = clock.now
        policy = AskingPolicy(clock: now)
        self.log = log
    }

    /// The names of artists that are like one, in the server's order, those that the library doesn't have among them;
    /// empty where the server knows none, can't be asked, or takes too long.
    package func names(like artist: String) async -> [String] {
        if let known = await known(artist) { return known }
        let question: Task<[String], Never>
        if let asked = questions[artist] {
            question = asked
        } else {
            guard policy.mayAsk, questions.count < AskingPolicy.maxQuestions else { return [] }
            question = Task { [last] in
                _ = await last?.value
                return await ask(artist)
            }
            (questions[artist], last) = (question, question)
        }
        return await withTimeLimit(patience, clock: clock) { await question.value } ?? []
    }

    private func known(_ artist: String) async -> [String]? {
        do {
            guard let answer = try await library.savedSimilarArtists(of: artist) else { return nil }
            return policy.isKnown(since: answer.asked) ? answer.names : nil
        } catch {
            log.error("can't read stored answers about artists: \(chain: error)")
            return nil
        }
    }

    private func ask(_ artist: String) async -> [String] {
        defer { questions[artist] = nil }
        try? await clock.sleep(until: nextQuestion, tolerance: nil)
        // The question before may have failed.
        guard policy.mayAsk else { return [] }
        defer { nextQuestion = clock.now + pause }
        do {
            guard let id = try await library.serverArtist(named: artist) else { return [] }
            let found = try await client.similarArtists(id: id, count: Self.count)
            let names = Self.names(found, except: artist)
            try await library.save(SavedSimilarArtists(asked: policy.now, names: names), of: artist)
            return names
        } catch {
            log.debug("the server doesn't say which artists are similar", metadata: ["because": "\(ErrorChain(error))"])
            policy.failed()
            return []
        }
    }

    /// Names as tags have them, each once.
    private static func names(_ artists: [SubsonicArtist], except artist: String) -> [String] {
        var seen: Set<ExactText> = [ExactText(artist)]
        return artists.compactMap { TagText.clean($0.name) }.filter {
            $0.utf8.count <= maxNameLength && seen.insert(ExactText($0)).inserted
        }
    }
}

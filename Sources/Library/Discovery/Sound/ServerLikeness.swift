import LibraryIndex
package import Logging
package import MusicModel
package import UserLibrary

/// Keeps what the server says about which songs are alike: asked once a day in the background, and never waited for.
package actor ServerLikeness {
    /// Asks the server which songs are like one, each with a likeness from 0 to 1.
    package typealias Asking = @Sendable (SongID) async throws -> [SongID: Float]

    private let asking: Asking
    private let library: Library
    private let pause: Duration
    private let log: Logger
    private var questions: [(song: SongID, told: @Sendable () -> Void)] = []
    private var isAsking = false
    private var policy: AskingPolicy

    /// Makes it; it pauses between two questions, and `now` counts Unix seconds.
    package init(
        _ asking: @escaping Asking, library: Library, pause: Duration = .seconds(1),
        now: (@Sendable () -> Int64)? = nil, log: Logger
    ) {
        (self.asking, self.library, self.pause) = (asking, library, pause)
        policy = AskingPolicy(clock: now)
        self.log = log
    }

    /// The songs that are known to be like any of these; those of which nothing is known are asked for, unless the
    /// server failed within the hour. `told` is called when an answer has come that was not known.
    package func related(
        to seeds: some Sequence<SongID> & Sendable, told: @escaping @Sendable () -> Void = {}
    ) async -> [SongID: Float] {
        let waiting = Set(questions.map(\.song))
        guard let answers = await answers(about: Array(seeds)) else { return [:] }
        var related: [SongID: Float] = [:]
        let mayAsk = policy.mayAsk
        for seed in seeds {
            if let answer = answers[seed], policy.isKnown(since: answer.asked) {
                related.merge(answer.songs) { max($0, $1) }
            } else if mayAsk, !waiting.contains(seed), !questions.contains(where: { $0.song == seed }) {
                questions.append((seed, told))
                if questions.count > AskingPolicy.maxQuestions { questions.remove(at: 1) }
            }
        }
        if !questions.isEmpty, !isAsking {
            isAsking = true
            Task { await ask() }
        }
        return related
    }

    private func answers(about songs: [SongID]) async -> [SongID: SavedLikeness]? {
        do { return try await library.savedLikenesses(of: songs) } catch {
            log.error("the server's answers about what is alike can't be read: \(chain: error)")
            return nil
        }
    }

    private func ask() async {
        while let question = questions.first {
            do {
                let answer = SavedLikeness(asked: policy.now, songs: try await asking(question.song))
                try await library.save(answer, of: question.song)
                questions.removeFirst()
                if !answer.songs.isEmpty { question.told() }
            } catch {
                log.debug("the server doesn't say which songs are alike", metadata: ["because": "\(ErrorChain(error))"])
                policy.failed()
                questions = []
            }
            try? await Task.sleep(for: pause)
        }
        isAsking = false
    }
}

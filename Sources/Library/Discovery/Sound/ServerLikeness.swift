package import Logging
package import MusicModel

/// Keeps what the library's server says about which songs are alike: asked once for each song in the background, known
/// for a day, and never waited for.
///
/// - Isolation: its own actor.
package actor ServerLikeness {
    /// Asks the server which songs are like one, each with a likeness from 0 to 1.
    package typealias Asking = @Sendable (SongID) async throws -> [SongID: Float]

    private struct Answer {
        var songs: [SongID: Float]
        var expires: ContinuousClock.Instant
    }

    private struct Question {
        var song: SongID
        var told: @Sendable () -> Void
    }

    private static let day = Duration.seconds(86_400)
    /// After a failure the server is left alone for so long, whichever song it was asked about.
    private static let rest = Duration.seconds(3600)
    private static let mostAnswers = 200
    private static let mostQuestions = 10

    private let asking: Asking
    private let pause: Duration
    private let log: Logger
    private var answers: [SongID: Answer] = [:]
    private var questions: [Question] = []
    private var isAsking = false
    private var restUntil: ContinuousClock.Instant?

    /// Makes it; nothing is asked before something is wanted.
    ///
    /// - Parameter pause: how long to wait between two questions.
    package init(_ asking: @escaping Asking, pause: Duration = .seconds(1), log: Logger) {
        self.asking = asking
        self.pause = pause
        self.log = log
    }

    /// The songs that are known to be like any of these; those of which nothing is known are asked for, unless the
    /// server failed within the hour.
    ///
    /// - Parameter told: called when an answer has come that was not known.
    package func related(
        to seeds: some Sequence<SongID> & Sendable, told: @escaping @Sendable () -> Void = {}
    ) -> [SongID: Float] {
        var related: [SongID: Float] = [:]
        let mayAsk = restUntil.map { $0 <= .now } ?? true
        for seed in seeds {
            if let answer = answers[seed], answer.expires > .now {
                related.merge(answer.songs) { max($0, $1) }
            } else if mayAsk, !questions.contains(where: { $0.song == seed }) {
                questions.append(Question(song: seed, told: told))
                if questions.count > Self.mostQuestions { questions.remove(at: 1) }
            }
        }
        if !questions.isEmpty, !isAsking {
            isAsking = true
            Task { await ask() }
        }
        return related
    }

    private func ask() async {
        while let question = questions.first {
            do {
                let answer = Answer(songs: try await asking(question.song), expires: ContinuousClock.now + Self.day)
                questions.removeFirst()
                keep(answer, of: question.song)
                if !answer.songs.isEmpty { question.told() }
            } catch {
                log.debug("the server doesn't say which songs are alike", metadata: ["because": "\(ErrorChain(error))"])
                restUntil = .now + Self.rest
                questions = []
            }
            try? await Task.sleep(for: pause)
        }
        isAsking = false
    }

    private func keep(_ answer: Answer, of song: SongID) {
        if answers.count >= Self.mostAnswers, let oldest = answers.min(by: { $0.value.expires < $1.value.expires }) {
            answers[oldest.key] = nil
        }
        answers[song] = answer
    }
}

import LibraryIndex
import MusicModel

/// When the server is asked once more about likeness: after a day, or an hour after a failure.
package struct AskingPolicy: Sendable {
    /// The maximum number of questions that wait.
    package static let maxQuestions = 10
    private static let day: Int64 = 86_400
    private static let rest = Duration.seconds(3600)

    private let clock: @Sendable () -> Int64
    private var restUntil: ContinuousClock.Instant?

    /// Makes a policy of a server that has not failed yet; `clock` gives Unix seconds, nil is the system's.
    package init(clock: (@Sendable () -> Int64)? = nil) { self.clock = clock ?? { UnixTime.seconds } }

    /// The present in Unix seconds, which goes with an answer.
    package var now: Int64 { clock() }

    /// True if the server may be asked now.
    package var mayAsk: Bool { restUntil.map { $0 <= .now } ?? true }

    /// The server did not answer.
    package mutating func failed() { restUntil = .now + Self.rest }

    /// True if an answer of then still counts. One of the future does not: the clock was set back.
    package func isKnown(since asked: Int64) -> Bool {
        let now = clock()
        return asked <= now && now.subtractingClamped(asked) < Self.day
    }
}

package import Discovery
import MusicModel
package import Playback
import ServerLoop
import UserLibrary

/// The answer to a client that waits for its wish to be read.
package struct ReadWishReply: Hashable, Sendable {
    /// The query that it means; may be empty.
    package let wish: PickWish
    /// True if another program than the rules read it.
    package let isReadByServer: Bool
    /// The sentence for the listener: what was understood, and why rules had to do where something better is there.
    package let sentence: String
    /// Why rules had to do, as the beginning of a sentence; nil where nothing went wrong.
    package let problem: String?
}

/// Wishes of those who wait for the answer, such as a page.
extension DiscJockey {
    /// Takes a wish in words, such as `calm 90s jazz`, and waits until it was read; nil where it was not, or a newer
    /// one has replaced it. Where nothing plays music begins once there is some.
    package func wish(_ words: String, in partition: Partition) async -> ReadWishReply? {
        guard let session = sessions[ObjectIdentifier(partition)] else { return nil }
        let answer = Answer()
        let reading = read(words, session) { answer.read = $0 }
        await reading.value
        guard let read = answer.read else { return nil }
        if !read.wish.isEmpty, !partition.player.isPlaying {
            session.beginsPlaying = partition.player.status.state == .stop
        }
        return ReadWishReply(
            wish: read.wish, isReadByServer: asksOfWishes && read.trouble == nil && !read.wish.isEmpty,
            sentence: read.sentence, problem: read.trouble)
    }

    /// The wish that picks of a partition meet; nil without one, or while it is off.
    package func currentWish(in partition: Partition) -> PickWish? {
        sessions[ObjectIdentifier(partition)].flatMap { $0.saved.isOn ? $0.wish : nil }
    }

    /// Takes the last wish back with the songs that were added since and wait, or gives up the one that is being read;
    /// false without one.
    @discardableResult
    package func takeWishBack(in partition: Partition) -> Bool {
        guard let session = sessions[ObjectIdentifier(partition)] else { return false }
        if session.reading.cancel() { return true }
        guard let last = session.history.takeLastWish() else {
            guard session.wish != nil else { return false }
            session.wish = nil
            startAgain(session)
            return true
        }
        noticeRemovals(session)
        remove(waiting: session.waiting.filter { last.added.contains($0.entry) }, session)
        takeWishBack(to: last.before, last.wish, session)
        return true
    }

    @ServerActor
    private final class Answer {
        var read: ReadWish?

        nonisolated init() {}
    }
}

import MPDSessions
import NIOCore
import ServerLoop

extension ChangeFeed {
    /// How often the progress of a sync is told at most.
    private static let pause = Duration.milliseconds(250)

    /// Tells what no subsystem of MPD stands for, until the task is cancelled.
    ///
    /// - Isolation: ServerActor; what has to be read is read elsewhere.
    func follow(_ news: PageNews) async {
        while !Task.isCancelled {
            for kind in await news.next() {
                if kind == .access { await closeUnwelcome() } else if count > 0 { await tell(kind) }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func tell(_ kind: PageNews.Kind) async {
        let facts = parts.facts
        switch kind {
        case .connection:
            let connection = facts.connection()
            tell("connection") { json in json.object { StatusWriter.connection(connection, to: &$0) } }
        case .sync: tell("sync") { json in json.object { writer.sync(to: &$0) } }
        case .waiting:
            let waiting = await facts.waiting()
            guard waiting != toldWaiting else { return }
            toldWaiting = waiting
            tell("waiting") { json in json.object { StatusWriter.waiting(waiting, to: &$0) } }
        case .requests: tell("requests") { json in json.object { _ in } }
        case .access: break
        }
    }
}

package import Coordination
import LibraryIndex
package import Logging
package import MusicModel
package import Subsonic
package import UserLibrary

/// Reports plays to the server: what is playing at once, what was heard through an outbox that survives everything.
///
/// A play is written to the index before it is sent and deleted after the answer, so that neither a crash nor an outage
/// loses it. The server counts every copy, so nothing is sent again that was answered.
package actor Scrobbler {
    private let library: Library
    private let outbox: PlayOutbox
    private let server: PlayServer
    private let settings: ScrobbleSettings
    private let stickersChanged: @Sendable () -> Void
    private let logger: Logger
    private var tracker = ScrobbleTracker()
    /// The newest things to announce: an end, a beginning, and where that is. Older ones are of no interest.
    private nonisolated let announcements: AsyncStream<(room: Int, report: PlayServer.Report)>
    private nonisolated let announce: AsyncStream<(room: Int, report: PlayServer.Report)>.Continuation
    /// The play that was announced last of each partition, with the server's id of its song.
    private var announced: [Int: (play: UInt64, id: String)] = [:]

    /// How plays ended.
    package nonisolated var figures: Figures<PlayFigures> { outbox.figures }

    /// Makes the service; nothing happens before `run`. `session` is the way to Navidrome's own API, which lists plays;
    /// `clock` is the one by which the outbox pauses.
    package init(
        library: Library, client: SubsonicClient, session: NavidromeSession? = nil,
        settings: ScrobbleSettings = ScrobbleSettings(),
        clock: any ServiceClock = ContinuousClock(), stickersChanged: @escaping @Sendable () -> Void = {},
        logger: Logger
    ) {
        self.init(
            library: library, server: PlayServer(client, session), settings: settings, clock: clock,
            stickersChanged: stickersChanged, logger: logger)
    }

    init(
        library: Library, server: PlayServer, settings: ScrobbleSettings, clock: any ServiceClock,
        stickersChanged: @escaping @Sendable () -> Void = {}, logger: Logger
    ) {
        outbox = PlayOutbox(library, server, settings, clock, logger)
        (self.library, self.server, self.settings) = (library, server, settings)
        (self.stickersChanged, self.logger) = (stickersChanged, logger)
        (announcements, announce) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    /// Reports what `events` tell until they end or the task is cancelled; first whatever waits from before.
    package func run(events: AsyncStream<PlaybackEvent>) async {
        guard settings.isEnabled else {
            // The events have to be taken, or they would pile up.
            for await _ in events {}
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.outbox.drain() }
            group.addTask { await self.sendAnnouncements() }
            await listen(to: events)
            group.cancelAll()
        }
    }

    /// Tries again to send what waits, because the server is back.
    package nonisolated func retryNow() { outbox.alarm.ring() }

    private func listen(to events: AsyncStream<PlaybackEvent>) async {
        for await event in events {
            switch event {
            case .started(let play, let song, let milliseconds):
                tracker.start(play, song: song, at: milliseconds)
                if let id = await lookUp(play, song: song) {
                    announced[PlaybackEvent.partition(of: play)] = (play, id)
                    post(.playing(id: id), of: play)
                }
            case .heard(let play, let song, let total):
                if let current = tracker.plays[play], current.threshold == nil { _ = await lookUp(play, song: song) }
                await record(play, heard: total)
            case .moved(let play, _, let place, let isPaused):
                if let id = announcedID(of: play) { post(.moved(id: id, place: place, isPaused: isPaused), of: play) }
            case .ended(let play, _):
                tracker.end(play)
                guard let id = announcedID(of: play) else { continue }
                post(.stopped(id: id), of: play)
                announced[PlaybackEvent.partition(of: play)] = nil
            }
        }
    }

    private func post(_ report: PlayServer.Report, of play: UInt64) {
        announce.yield((PlaybackEvent.partition(of: play), report))
    }

    /// The server's id of the song of a play, if that is what was announced last of its partition.
    private func announcedID(of play: UInt64) -> String? {
        announced[PlaybackEvent.partition(of: play)].flatMap { $0.play == play ? $0.id : nil }
    }

    /// Finds the song's length and its id on the server; songs that are not the server's are forgotten.
    private func lookUp(_ play: UInt64, song: SongID) async -> String? {
        do {
            guard case .navidrome(let id)? = try await library.index.source(of: song)?.source else {
                tracker.end(play)
                return nil
            }
            tracker.setLength(try await library.index.queueable([song])[song]?.duration, of: play)
            return id
        } catch {
            // It is tried again at the next sign of the play.
            logger.debug("can't look up the current song: \(chain: error)")
            return nil
        }
    }

    private func record(_ play: UInt64, heard: Duration) async {
        guard let due = tracker.due(play, heard: heard) else { return }
        do {
            try await library.enqueuePlay(song: due.song, startedAt: due.startedAt)
            tracker.count(play)
            outbox.alarm.ring()
            stickersChanged()
        } catch {
            logger.error("can't save a play: \(chain: error)")
        }
    }

    /// Says what plays; lost if the server does not listen.
    private func sendAnnouncements() async {
        for await (room, report) in announcements {
            do {
                try await server.tell(report, room)
            } catch {
                logger.debug("can't tell the server what is playing: \(chain: error)")
            }
        }
    }
}

package import Coordination
package import Logging
import MusicModel
package import Subsonic
package import UserLibrary

/// Keeps stars, ratings and plays the same here and on the server: sends what clients change and fetches what the
/// user's other clients did.
///
/// They move without a scan, so they are polled separately. Stars, rated albums and albums played lately are
/// short lists; what songs are rated is in no list, so a piece of the library is read at a time, and all of it within
/// half an hour. The walk of a sync brings them as well. Where the server's events are heard they say at once what to
/// check; they may get lost, so everything is checked all the same, but less often.
package actor MarkSync: UpstreamWriting {
    package nonisolated let name = "stars and ratings"

    let library: Library
    let client: SubsonicClient
    let settings: MarkSettings
    let logger: Logger
    private nonisolated let hint: Alarm

    /// Where the next piece of each list begins.
    var offsets: [MarkedKind: Int] = [:]
    /// Albums by their plays when they were checked last.
    var recentAlbums: [String: Int] = [:]
    var absent: Set<String> = []
    /// True if more changed than can be asked for one by one, so that everything is read next time.
    var hasToReadAll = false
    /// True if a sticker changed that was not told yet.
    var hasChanged = false
    var faults = EditFaults<MarkEdit>()

    /// True if the server's events are heard; nil before the first of them.
    private var hearsEvents: Bool?

    /// Makes it; nothing happens before `push`, `pull` or `run`, which pauses by the clock.
    package init(
        library: Library, client: SubsonicClient, settings: MarkSettings = MarkSettings(),
        clock: any ServiceClock = ContinuousClock(), logger: Logger
    ) {
        hint = Alarm(clock: clock)
        (self.library, self.client, self.settings, self.logger) = (library, client, settings, logger)
    }

    /// Fetches what the server has before the interval is over, because the server is back.
    package nonisolated func checkSoon() { hint.ring() }

    /// Takes note of whether the server's events are heard. When that changes, what they may have missed is fetched.
    package func hears(events: Bool) {
        guard events != hearsEvents else { return }
        if hearsEvents != nil { checkSoon() }
        hearsEvents = events
    }

    /// How long to wait until the next check of everything.
    func pause(_ interval: Duration, failures: Int) -> Duration {
        if failures > 0 { return max(interval, settings.retries.pause(after: failures)) }
        return hearsEvents == true ? interval * settings.intervalsWithEvents : interval
    }

    /// Fetches what the server has now and at every interval until the task is cancelled; after failures, and where the
    /// server's events are heard, less often. `changed` is called when a sticker says something else now.
    package func run(interval: Duration, changed: @Sendable () async -> Void) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                if try await pull() { await changed() }
                failures = 0
            } catch is CancellationError {
                return
            } catch {
                failures += 1
                logger.debug("stars and ratings can't be read now: \(chain: error)")
            }
            await hint.wait(atMost: pause(interval, failures: failures))
        }
    }
}

/// How stars, ratings and plays are fetched.
package struct MarkSettings: Sendable {
    /// Songs, albums or artists in one request.
    package var pageSize: Int = 500
    /// In how many rounds every song is checked once.
    package var rounds: Int = 30
    /// Albums played lately that are checked in a round.
    package var recentAlbums: Int = 20
    /// How many intervals apart the rounds are where the server's events are heard.
    package var intervalsWithEvents: Int = 5
    /// Songs that are asked for one by one after a hint; when more changed, everything is read.
    package var maxHints: Int = 50
    /// Edits in one request to the server.
    package var batchSize: Int = 50
    /// The pauses after failures.
    package var retries: Backoff = Backoff()
}

import Coordination
import LibraryIndex
import Logging
import MusicModel
import Subsonic

extension LibrarySync {
    /// How long after a hint a change is searched for: Navidrome announces it a little before its scan status tells.
    static let hintLifetime = Duration.seconds(15)

    /// Listens to Navidrome's events, and connects again after a while when they end, until the task is cancelled.
    ///
    /// Events make changes appear sooner. Where there are none, the scan status is asked for every few seconds; and in
    /// any case the interval continues.
    func followEvents(of session: NavidromeSession) async {
        while !Task.isCancelled {
            while connectionStatus != .connected, !Task.isCancelled { await connected.wait() }
            guard session.canSignIn, !Task.isCancelled else { return }
            do {
                try await session.follow { await self.handle($0) }
            } catch is CancellationError {
                return
            } catch let error as SubsonicError where error.code == .unsupported || error.code == .closed {
                logger.debug("the server has no event stream; polling its scan status instead")
                return
            } catch {
                logger.debug("can't receive the server's events: \(chain: error)")
                // A wrong password is the sync's to tell, and a session that ended is no fault.
                if !session.canSignIn { logger.info("changes appear a little later until the next `segue login`") }
            }
            scans.streams.ended(at: .now)
            await setHasStream(false)
            // The server may have ended with it.
            await checkConnection()
            alarm.ring()
            await connected.wait(atMost: settings.retryDelay(after: scans.streams.failures))
        }
    }

    private func setHasStream(_ has: Bool) async {
        scans.hasStream = has
        await server?.marks?.hears(events: has)
    }

    private func handle(_ event: NavidromeEvent) async {
        if scans.streams.brought(event, at: .now) {
            logger.debug("receiving the server's events")
            await setHasStream(true)
            // Changes from before the stream was open.
            checkSoon()
        }
        switch event {
        case .opened: break
        case .everythingChanged:
            scans.expectsChangeUntil = .now + Self.hintLifetime
            checkSoon()
        case .scanning(let isRunning):
            let hasEnded = !isRunning && scans.wasRunning
            scans.wasRunning = isRunning
            if hasEnded {
                scans.due = .now
                alarm.ring()
            }
        case .changed(let resources): await resourcesChanged(resources)
        }
    }

    // MARK: Looking at the scan status

    /// When the scan status is checked next, between two syncs; nil is not before the next sync.
    func scheduleCheck() {
        guard scans.isStatusKnown, connectionStatus == .connected else {
            scans.due = nil
            return
        }
        if let expected = scans.expectsChangeUntil, expected > .now {
            scans.due = .now + min(settings.scanCheckInterval, settings.expectedChangeInterval)
        } else if scans.hasStream, !scans.wasRunning {
            // No event tells that the user sees other libraries.
            scans.due = .now + max(settings.scanCheckInterval, settings.rightsCheckInterval)
        } else {
            scans.due = .now + settings.scanCheckInterval
        }
    }

    /// One small request: whether the server has scanned since the index was last complete. If so, syncs.
    func checkScans(_ sync: ServerSync) async {
        scans.due = nil
        do {
            let mayWait = schedule.nextWalk.map { $0 > .now } ?? false
            let hasScanned = try await sync.hasScanned()
            if hasScanned && !mayWait { return await syncServer(asked: nil) }
            scheduleCheck()
        } catch { _ = noteEnd(error, otherwise: "the index can't be read") }
    }
}

import Coordination
import Foundation
import LibraryIndex
import Logging
import MusicModel
import Subsonic
import Synchronization
import UserLibrary

extension LibrarySync {
    /// Syncs until the task is cancelled.
    package func run() async {
        let sentence = server == nil ? "no server is configured" : "looking for the server"
        observer.report(.connectionChanged(connectionStatus, sentence))
        if server == nil { logger.info("\(connectionStatus.rawValue): \(connectionStatus.tier.meaning)") }
        await withTaskGroup(of: Void.self) { group in
            if let session = server?.session, session.canSignIn {
                group.addTask { await self.followEvents(of: session) }
            }
            while !Task.isCancelled {
                await workOff()
                let due = [schedule.due, scans.due] + folders.map(\.due)
                await alarm.wait(until: due.compactMap(\.self).min())
            }
            for folder in folders { folder.scan.watcher.withLock { $0.take() }?.stop() }
            group.cancelAll()
        }
    }

    /// Does everything that is due: jobs first, then what the clock asks for.
    private func workOff() async {
        while let job = jobs.start() {
            await run(job)
            if Task.isCancelled { return }
        }
        await scanDueFolders()
        await pingServer()
        let now = ContinuousClock.now
        if let due = schedule.due, due <= now {
            await syncServer(asked: nil)
        } else if let due = scans.due, due <= now, let sync = serverSync {
            await checkScans(sync)
        }
    }

    private func run(_ job: UpdateJobs.Job) async {
        observer.subsystemsChanged(.update)
        let scope = UpdateScope(
            uris: job.uris, serverMount: server?.mount, folderMounts: folders.map(\.scan.mount))
        for (mount, paths) in scope.folders.sorted(by: { $0.key < $1.key }) {
            for path in paths.sorted() { await scanFolder(at: mount, below: path, rescan: job.isRescan) }
        }
        if scope.server { await syncServer(asked: job) }
        jobs.finish()
        observer.subsystemsChanged(.update)
    }

    /// Shows work that no client asked for as a job.
    func beginUnasked() -> Bool {
        guard jobs.startUnasked() != nil else { return false }
        observer.subsystemsChanged(.update)
        return true
    }

    func endUnasked() {
        jobs.finish()
        observer.subsystemsChanged(.update)
    }

    // MARK: The server

    var serverSync: ServerSync? {
        server.map {
            ServerSync(
                client: $0.client, session: $0.session, mount: $0.mount, library: library, settings: settings,
                observer: observer, logger: logger)
        }
    }

    func syncServer(asked job: UpdateJobs.Job?) async {
        guard let sync = serverSync else { return }
        let hintsBefore = scans.hints
        let start = ContinuousClock.now
        scans.due = nil
        do {
            let greeting = try await greet(sync.client)
            // Only a first sync shows in `updating_db` without being asked for: others mostly find nothing.
            let isFirst = try await sync.isFirst()
            let isShown = job == nil && isFirst && beginUnasked()
            defer { if isShown { endUnasked() } }
            if let job { await scanOnServer(sync.client, full: job.isRescan) }
            let mayWait = job == nil && (schedule.nextWalk.map { $0 > .now } ?? false)
            let request = SyncRequest(force: job != nil, acceptsLoss: job?.isRescan ?? false, mayWait: mayWait)
            let ending = try await syncPhases.run(sync, request)
            noteSuccess(of: sync.client, greeting)
            note(ending)
            figures.change { figures in
                guard ending.postponement == nil else { return figures.failures += 1 }
                figures.successes += 1
                (figures.duration, figures.lastSuccess) = (.now - start, Date())
            }
        } catch {
            guard noteEnd(error, otherwise: "the index can't be written") else { return }
            figures.change { $0.failures += 1 }
        }
        // A hint that came meanwhile may be about something that the walk had passed already.
        if scans.hints != hintsBefore, connectionStatus == .connected { schedule.due = .now }
    }

    /// Plans the next sync after one that ended without an error.
    private func note(_ ending: SyncEnding) {
        scans.isStatusKnown = ending.hasScanStatus
        if let reason = ending.postponement {
            // The first postponement is normal; that it lasts is for the debug log.
            logger.log(
                level: schedule.failures == 0 ? .info : .debug, "the library is not complete yet: \(reason)")
            postponeServer(isCheap: ending.isCheapToRepeat)
            return
        }
        schedule.failures = 0
        if ending.outcome.summary.changedSongs { scans.expectsChangeUntil = nil }
        if let walked = ending.walkDuration {
            let isWorthWaiting = walked > settings.longWalk && !ending.outcome.summary.changedSongs
            schedule.nextWalk = isWorthWaiting ? .now + walked * 9 : nil
        }
        let interval = settings.server.interval
        schedule.due = .now + (scans.isStatusKnown ? interval : max(interval, settings.intervalWithoutScanStatus))
        scheduleCheck()
    }

    /// The phases that every sync runs.
    var syncPhases: SyncPhases { SyncPhases(observer: observer, logger: logger) }

    func postponeServer(isCheap: Bool = false) {
        schedule.failures += isCheap && schedule.failures > 0 ? 0 : 1
        let pause = min(settings.retryDelay(after: schedule.failures), settings.maxOutagePause)
        // A wrong password stays wrong until the user corrects it.
        let isAwaited = server?.client.reachability.isAwaited == true && connectionStatus == .unreachable
        if isAwaited {
            schedule.due = .now + min(pause, settings.outageCheckInterval)
        } else {
            schedule.due = .now + (isCheap ? min(pause, settings.scanCheckInterval) : pause)
        }
    }

    /// Has the server scan its files and waits for it, if it lets us.
    private func scanOnServer(_ client: SubsonicClient, full: Bool) async {
        do {
            let before = try await client.scanStatus()
            try await client.startScan(full: full)
            let deadline = ContinuousClock.now + settings.maxScanWait
            // The server starts its scan in its own time: "not scanning" right after the request is no end.
            let latestStart = ContinuousClock.now + settings.maxScanStart
            var hasBegun = false
            while let before, ContinuousClock.now < deadline {
                guard let status = try await client.scanStatus() else { return }
                hasBegun = hasBegun || status.isScanning || status.lastScan != before.lastScan
                if !status.isScanning, hasBegun || ContinuousClock.now >= latestStart { return }
                try await Task.sleep(for: settings.scanPollInterval)
            }
        } catch let error as SubsonicError {
            logger.info("can't have the server scan its files: \(chain: error)")
        } catch {
            // Cancelled; the caller notices.
        }
    }

    // MARK: Once

    /// Syncs every source once, for `segue sync`. With `force`, walks the server even if it says that nothing changed,
    /// and reads unchanged files again.
    /// - Throws: `SubsonicError`, `FolderError`, `LibraryError` or `SyncPostponed`; what was written until then stays.
    package func syncOnce(force: Bool = false) async throws -> SyncSummary {
        var summary = SyncSummary()
        summary.wasUnchanged = true
        for folder in folders {
            let sync = FolderSync(scan: folder.scan, observer: observer)
            let request = SyncRequest(force: force, acceptsLoss: force)
            do {
                summary.add(try await syncPhases.run(sync, request).outcome.summary)
            } catch let error as FolderError where folder.scan.isRemote {
                // A server that is away keeps nothing else from being brought up to date.
                logger.warning("\(folder.scan.mount) is unchanged: \(chain: error)")
            }
        }
        if let serverSync { summary.add(try await syncServerOnce(serverSync, force: force)) }
        return summary
    }

    private func syncServerOnce(_ sync: ServerSync, force: Bool) async throws -> SyncSummary {
        do {
            let greeting = try await greet(sync.client)
            let ending = try await syncPhases.run(sync, SyncRequest(force: force, acceptsLoss: force))
            noteSuccess(of: sync.client, greeting)
            if let reason = ending.postponement { throw SyncPostponed(reason: reason) }
            return ending.outcome.summary
        } catch let error as SubsonicError {
            noteFailure(error)
            throw error
        }
    }
}

/// A sync that ended without knowing whether the index is complete.
struct SyncPostponed: Error, Hashable, Sendable, CustomStringConvertible {
    let reason: String

    var description: String { "the sync is not complete: \(reason); run it again" }
}

extension SyncSettings {
    func retryDelay(after failures: Int) -> Duration { Backoff(retryDelays).pause(after: failures) }
}

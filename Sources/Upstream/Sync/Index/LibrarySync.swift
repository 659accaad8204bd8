import Coordination
import LibraryIndex
package import Logging
import MusicModel
import Subsonic
package import UserLibrary

/// Keeps the index up to date with the server and the music folder: at the start, every interval, and when a client
/// asks; see README.md for the phases. The index answers clients all the time, and a sync that fails leaves it as it
/// was.
package actor LibrarySync: LibraryUpdating {
    let library: Library
    let server: ServerSource?
    /// The music folders, those of the configuration first.
    var folders: [MusicFolder]
    /// Reads the tags in folders that clients mount; nil where they can't.
    let mountReader: (any TagReading)?
    let settings: SyncSettings
    let observer: SyncObserver
    let logger: Logger
    nonisolated let jobs = UpdateJobs()
    /// How the server's syncs ended.
    package nonisolated let figures = Figures(SyncFigures())
    /// Rings when there is something to do; for the loop.
    nonisolated let alarm = Alarm()
    /// Rings whenever the server can be reached again; for the one that listens to its events.
    nonisolated let connected = Alarm()

    /// How the server could be reached last.
    package private(set) var connectionStatus: ConnectionStatus
    private var identity: ServerIdentity?
    /// True if `checkConnection` waits for an answer.
    private var isChecking = false
    var schedule = ServerSchedule()
    var scans = ScanWatch()

    /// Makes the service; nothing happens before `run` or `syncOnce`. `mounted` are folders that clients mounted
    /// before, and `mountReader` reads the tags in folders that they mount; nil if they may not.
    package init(
        library: Library, server: ServerSource?, folder: FolderSource? = nil,
        mounted: [FolderSource] = [], mountReader: (any TagReading)? = nil, settings: SyncSettings = SyncSettings(),
        observer: SyncObserver = SyncObserver(), logger: Logger
    ) {
        self.library = library
        self.server = server
        folders = ([folder].compactMap { $0 } + mounted).enumerated().map { position, source in
            MusicFolder(
                scan: LocalFolderScan(
                    source: source, links: settings.folders.links, cueSheets: settings.folders.cueSheets,
                    index: library.index,
                    logger: logger),
                isMountedByClient: folder == nil || position > 0,
                // A network storage is read as soon as it is there.
                due: source.isRemote ? nil : .now)
        }
        (self.mountReader, self.settings, self.observer) = (mountReader, settings, observer)
        self.logger = logger
        connectionStatus = server == nil ? .notConfigured : .checking
        schedule.due = server == nil ? nil : .now
    }

    package nonisolated func startUpdate(uri: String, rescan: Bool) -> Int? {
        defer { alarm.ring() }
        return jobs.request(uri: uri, rescan: rescan)
    }

    package nonisolated var runningJob: Int? { jobs.shownNumber }

    /// Checks the server again without waiting for the interval, as a hint that something may have changed.
    package func checkSoon() {
        scans.hints += 1
        schedule.nextWalk = nil
        if server != nil { schedule.due = .now }
        alarm.ring()
    }

    /// Finds out whether the server answers, because something has begun to wait for it. If it doesn't, its return is
    /// searched for every few seconds, for as long as something waits.
    package func tryServer() {
        schedule.isAskedFor = true
        alarm.ring()
    }

    // MARK: Connection

    /// Keeps the status and tells everybody, once per change.
    func setConnection(_ status: ConnectionStatus, _ sentence: String, because error: SubsonicError? = nil) {
        guard status != connectionStatus else { return }
        connectionStatus = status
        let cause = error.map { " <- \(chain: $0)" } ?? ""
        let line: Logger.Message =
            "\(status.rawValue): \(sentence) (\(status.tier.rawValue): \(status.tier.meaning))\(cause)"
        switch status {
        case .authFailed: logger.error(line)
        case .unreachable: logger.warning(line)
        case .notConfigured, .checking, .connected: logger.info(line)
        }
        observer.report(.connectionChanged(status, sentence))
        if status == .connected { connected.ring() }
    }

    private func speak(of client: SubsonicClient) -> ConnectionSentence {
        ConnectionSentence(address: client.shownAddress, identity: identity)
    }

    func noteFailure(_ error: SubsonicError) {
        guard let server else { return }
        if error.code == .rateLimited, connectionStatus == .connected {
            return logger.info("checking the library later: \(chain: error)")
        }
        setConnection(ConnectionStatus(error), speak(of: server.client).trouble(error), because: error)
    }

    /// Takes note of what ended a look at the server, which is tried again later; false where it ends for good.
    func noteEnd(_ error: any Error, otherwise problem: String) -> Bool {
        switch error {
        case is CancellationError: return false
        case let error as SubsonicError where error.code == .closed: return false
        case let error as SubsonicError: noteFailure(error)
        default: logger.error("\(problem): \(chain: error)")
        }
        postponeServer()
        return true
    }

    /// Turns a sync that succeeded into a status: also where `checkConnection` met a failure in its course.
    func noteSuccess(of client: SubsonicClient, _ greeting: String?) {
        let known = identity.map { speak(of: client).connected(api: $0.apiVersion) }
        if let sentence = greeting ?? known { setConnection(.connected, sentence) }
    }

    /// Checks address and credentials unless the last sync succeeded. Returns what to call the server in the log; nil
    /// if it is known.
    func greet(_ client: SubsonicClient) async throws -> String? {
        guard connectionStatus != .connected else { return nil }
        if connectionStatus == .authFailed, let credential = server?.storedCredential() { client.use(credential) }
        // A server that was away is asked again soon; repetitions would only make that later.
        let identity = try await client.ping(repeats: connectionStatus == .checking)
        self.identity = identity
        let sentence = speak(of: client).connected(api: identity.apiVersion)
        // After a failure a ping proves little: the sync has to succeed, or the status would flicker.
        if connectionStatus == .checking { setConnection(.connected, sentence) }
        return sentence
    }

    func pingServer() async {
        guard schedule.isAskedFor, let server else { return }
        schedule.isAskedFor = false
        guard connectionStatus == .connected else {
            let soon = ContinuousClock.now + settings.outageCheckInterval
            schedule.due = min(schedule.due ?? soon, soon)
            return
        }
        do {
            identity = try await server.client.ping()
        } catch { _ = noteEnd(error, otherwise: "the server can't be asked") }
    }

    /// Finds out at once whether the server still answers, because a call to it failed or waits for long. The loop may
    /// wait for the same server.
    package func checkConnection() async {
        guard let client = server?.client, connectionStatus == .connected, !isChecking else { return }
        isChecking = true
        defer { isChecking = false }
        do {
            try await client.pingSoon()
        } catch let error as SubsonicError where error.code != .closed && connectionStatus == .connected {
            noteFailure(error)
            postponeServer()
            alarm.ring()
        } catch {
            // It ends, or the loop was sooner.
        }
    }

    /// Stars, ratings or plays changed on the server, as its events say.
    func resourcesChanged(_ resources: NavidromeEvent.Resources) async {
        guard let marks = server?.marks else { return }
        do {
            if try await marks.refresh(resources) { observer.subsystemsChanged(.sticker) }
        } catch {
            // The next check of everything finds it.
            logger.debug("can't read what the server's event named: \(chain: error)")
        }
    }
}

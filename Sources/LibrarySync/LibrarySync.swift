public import Library
public import Logging
import MusicModel
import Subsonic

/// Keeps the index up to date with the server and the music folder.
///
/// Runs at the start, every interval, and when a client asks; see README.md for the phases. The index answers clients
/// all the time, and a sync that fails leaves it as it was.
/// - Isolation: its own actor; `startUpdate` and `runningJob` may be called from anywhere and return at once.
public actor LibrarySync: LibraryUpdating {
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
    nonisolated let wakes: AsyncStream<Void>
    private nonisolated let wakeUp: AsyncStream<Void>.Continuation

    /// How the server could be reached last.
    public private(set) var connectionStatus: ConnectionStatus
    /// Failures in a row, which lengthen the pause before the next attempt.
    var serverFailures = 0
    /// When the server is due; nil is never, or not before a client asks.
    var serverDue: ContinuousClock.Instant?

    /// Makes the service; nothing happens before `run` or `syncOnce`.
    ///
    /// - Parameters:
    ///   - library: the index.
    ///   - server: the server; nil if none is configured.
    ///   - folder: the music folder; nil if none is configured.
    ///   - mounted: folders that clients mounted before.
    ///   - mountReader: reads the tags in folders that clients mount; nil if they may not.
    ///   - settings: intervals and sizes.
    ///   - observer: hears of changes, progress and the connection.
    ///   - logger: gets a line per change, and the progress of long walks.
    public init(
        library: Library, server: ServerSource?, folder: FolderSource? = nil,
        mounted: [FolderSource] = [], mountReader: (any TagReading)? = nil, settings: SyncSettings = SyncSettings(),
        observer: SyncObserver = SyncObserver(), logger: Logger
    ) {
        self.library = library
        self.server = server
        folders = ([folder].compactMap { $0 } + mounted).enumerated().map { place, source in
            MusicFolder(
                scan: LocalFolderScan(source: source, library: library, logger: logger),
                isMountedByClient: folder == nil || place > 0, due: .now)
        }
        self.mountReader = mountReader
        self.settings = settings
        self.observer = observer
        self.logger = logger
        (wakes, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        connectionStatus = server == nil ? .notConfigured : .checking
        serverDue = server == nil ? nil : .now
    }

    /// Starts an update of `uri` (empty: everything) and returns its job number; a waiting job is joined.
    public nonisolated func startUpdate(uri: String, rescan: Bool) -> Int {
        defer { wakeUp.yield() }
        return jobs.request(uri: uri, rescan: rescan)
    }

    /// The number of the job that runs or is about to; nil when none is.
    public nonisolated var runningJob: Int? { jobs.shownNumber }

    /// Looks at the server again without waiting for the interval, as a hint that something may have changed.
    public func lookSoon() {
        if server != nil { serverDue = .now }
        wakeUp.yield()
    }

    /// Wakes the loop; from a timer.
    nonisolated func wake() { wakeUp.yield() }

    // MARK: Connection

    /// Keeps the status and tells everybody, once per change.
    func setConnection(_ status: ConnectionStatus, _ sentence: String) {
        guard status != connectionStatus else { return }
        connectionStatus = status
        switch status {
        case .authFailed: logger.error("\(sentence)")
        case .unreachable: logger.warning("\(sentence)")
        case .notConfigured, .checking, .connected: logger.info("\(sentence)")
        }
        observer.connectionChanged(status, sentence)
    }

    /// Turns a failed call into a status.
    func noteFailure(_ error: SubsonicError) {
        switch error.code {
        case .unauthorized, .credentialNotSupported, .notPermitted:
            setConnection(
                .authFailed,
                "the server refuses the sign-in: \(error.message) Run `segue login` or correct [navidrome].")
        default:
            setConnection(
                .unreachable,
                "the server can't be used: \(error.message) The library and cached songs stay; it is tried again."
            )
        }
    }

    /// Checks address and credentials unless the last sync succeeded.
    ///
    /// - Returns: what to call the server in the log; nil if it is known.
    func greet(_ client: SubsonicClient) async throws -> String? {
        guard connectionStatus != .connected else { return nil }
        let identity = try await client.ping()
        let name = [identity.type, identity.serverVersion].compactMap { $0 }.joined(separator: " ")
        let sentence = "connected to \(name.isEmpty ? "the server" : name), Subsonic API \(identity.apiVersion)"
        // After a failure a ping proves little: the sync has to succeed, or the status would flicker.
        if connectionStatus == .checking { setConnection(.connected, sentence) }
        return sentence
    }
}

/// How folders of music are read and watched.
package struct FolderRules: Hashable, Sendable {
    /// Which links are followed.
    package var links = LinkRules()
    /// The handling of cue sheets.
    package var cueSheets = CueSheetRules()
    /// How changes are noticed.
    package var watching = FolderWatching()

    /// Makes rules; without arguments nothing is watched.
    package init(cueSheets: CueSheetRules = CueSheetRules(), watching: FolderWatching = FolderWatching()) {
        (self.cueSheets, self.watching) = (cueSheets, watching)
    }
}

/// How changes in local folders are noticed.
package struct FolderWatching: Hashable, Sendable {
    /// True if they are noticed without an `update`.
    package var isOn = false
    /// Time between two checks of folders whose changes the system doesn't tell, such as those of network file systems;
    /// nil is no such look.
    package var interval: Duration?
    /// Time between two scans at the least.
    package var pause = Duration.seconds(2)
    /// True if the system doesn't tell of what changes below a folder; blocks for a read of it.
    var isSilent: @Sendable (_ folder: String) -> Bool = { SilentFileSystem.holds($0) }
    /// How changes are gathered.
    var pace = FolderWatcher.Pace()

    /// Makes settings.
    package init(isOn: Bool = false, interval: Duration? = nil) { (self.isOn, self.interval) = (isOn, interval) }

    package static func == (a: FolderWatching, b: FolderWatching) -> Bool {
        a.isOn == b.isOn && a.interval == b.interval
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(isOn) }
}

/// How a server's library is read.
package struct ServerReading: Hashable, Sendable {
    /// Time between two checks of the server.
    package var interval = Duration.seconds(60)
    /// The absolute path of a folder with cue sheets of the server's songs; nil without one.
    package var cueFolder: String?
    /// True if cue sheets are read from the tags and lyrics of the server's songs, where it is a Navidrome.
    package var readsTaggedSheets = true

    /// The program's.
    package init() {}
}

/// How often and how gently the sync works.
package struct SyncSettings: Sendable {
    /// How the server is read.
    package var server = ServerReading()
    /// How folders of music are read.
    package var folders = FolderRules()
    /// Time between two walks of a server that can't say whether anything changed.
    package var intervalWithoutScanStatus = Duration.seconds(600)
    /// Time between two checks of the scan status where no events tell of changes.
    package var scanCheckInterval = Duration.seconds(3)
    /// The same while a change is expected, because an event announced it.
    package var expectedChangeInterval = Duration.milliseconds(500)
    /// Longest pause between two attempts to reach the server: it costs nearly nothing, and its return is waited for.
    package var maxOutagePause = Duration.seconds(60)
    /// A walk that takes longer than this is not repeated at every scan of the server if it found nothing, unless an
    /// event or a client asks for it.
    package var longWalk = Duration.seconds(5)
    /// First and longest wait after a failure; each failure doubles it.
    package var retryDelays: ClosedRange<Duration> = .seconds(5) ... .seconds(300)
    /// Time between two checks of a scan that the server is running.
    package var scanPollInterval = Duration.milliseconds(500)
    /// How long a sync waits for a scan of the server to end before it gives up until the next interval.
    package var maxScanWait = Duration.seconds(300)
    /// Songs in one page of a walk.
    package var pageSize = 500
    /// Pages that are requested at once.
    package var pagesInFlight = 4
    /// How often a walk is repeated when the library moved under it.
    package var walkAttempts = 3
    /// Songs in one transaction of a first sync.
    package var firstSyncBatch = 4_000
    /// Songs, albums or artists of a server at most. A list that continues beyond them has no end, and would fill the
    /// memory; this is several times the largest library that is known.
    package var maxEntries = 2_000_000
    /// How long the server may take to begin with a scan that it was asked for.
    package var maxScanStart = Duration.seconds(3)
    /// Time between two checks of the scan status where events tell of changes, but not of the user's libraries.
    package var rightsCheckInterval = Duration.seconds(15)
    /// Time between two checks whether a server is back for which something waits.
    package var outageCheckInterval = Duration.seconds(2)
    /// Folders below which clients on the network may mount folders.
    package var mountRoots: [String] = []

    /// The program's; tests shorten them.
    package init() {}
}

// swift-tools-version: 6.2
import PackageDescription

// Targets stand in the order in which data flows through them. A target may import what is
// listed here and nothing else; `contrib/check-imports` compares this list with the code.

/// The folders of Sources, and the targets in each; Tests has the same folders.
let floors: [(folder: String, targets: [String])] = [
    ("Model", ["MusicModel", "ServerLoop", "Coordination", "Hashing", "NetworkAddresses", "MPDProtocol"]),
    ("Library", ["CPCRE2", "LibraryIndex", "UserLibrary", "Discovery"]),
    (
        "Sound",
        [
            "Outputs", "Playback", "CALSA", "AudioJacks", "GStreamerHeaders", "CGStreamer", "PipeWireHeaders",
            "CPipeWire",
            "HTTPStreaming", "CFFmpeg", "AudioFilters", "AudioFiles", "AudioOutputs", "PlaybackEngine", "CEBUR128",
            "SongAnalysis", "Partitions", "AutoDJ",
        ]
    ),
    ("Upstream", ["Subsonic", "UserSync", "IndexSync", "MediaCache", "Scrobbling", "Lidarr", "Wishes"]),
    (
        "Clients",
        [
            "MPDCommands", "MPDSessions", "SongDetails", "PlaylistFetching", "CWebPage", "CQREncode",
            "WebServer",
            "WebAPI",
        ]
    ),
    (
        "Program",
        [
            "CZlib", "MPDImport", "Diagnosis", "ServiceManager", "CGIO", "DBus", "NetworkStorages", "Zeroconf",
            "MediaControls",
            "CMosquitto",
            "HomeAutomation", "SegueConfiguration",
            "ServiceLog",
            "StateFiles",
            "ProcessControl", "Services", "Demonstration", "segue",
        ]
    ),
]

/// swift-log is allowed everywhere but in the two pure targets.
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioCompression: Target.Dependency = .product(name: "NIOHTTPCompression", package: "swift-nio-extras")

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
if Context.environment["SEGUE_WARNINGS_AS_ERRORS"] == "1" {
    settings.append(.treatAllWarnings(as: .error))
}
// contrib/fuzz builds everything so that libFuzzer sees what an input reaches, in a build folder of its own.
let isFuzzing = Context.environment["SEGUE_FUZZING"] == "1"
if isFuzzing { settings.append(.unsafeFlags(["-sanitize=fuzzer"])) }
let asynchronousCalls = SwiftSetting.enableUpcomingFeature("NonisolatedNonsendingByDefault")
// Tests stay as they are where the rest is optimised: that would only make them take longer to build.
let testSettings = settings + [asynchronousCalls]
// contrib/check-instructions counts what optimised code does, likewise in a folder of its own.
let isOptimised = Context.environment["SEGUE_OPTIMISED"] == "1"
if isOptimised { settings.append(.unsafeFlags(["-O"])) }
// contrib/check-races has ThreadSanitizer look at what plays; the rest would only take long to build.
let isCheckingRaces = Context.environment["SEGUE_RACES"] == "1"
// What works for the event loop inherits its isolation. Elsewhere asynchronous functions leave their caller's executor:
// optimised builds with Swift 6.3 lose the way back from functions that only inherit it (decision 18).
let loopSettings = settings + [asynchronousCalls]
// A client's command runs through these; releases leave out looking for overlapping accesses there (decision 37).
let commandSettings =
    loopSettings + [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

let package = Package(
    name: "segue",
    products: [
        .executable(name: "segue", targets: ["segue"])
    ],
    // Exact versions: see decision 26, and contrib/dependencies.txt for the packages of these packages.
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // Values and the loop they live on.
        .target(name: "MusicModel", swiftSettings: loopSettings),
        .target(name: "ServerLoop", dependencies: [nioCore, nioPosix, log], swiftSettings: commandSettings),
        .target(name: "Coordination", swiftSettings: settings),
        .target(name: "Hashing", swiftSettings: settings),
        .target(name: "NetworkAddresses", swiftSettings: settings),

        // Client line to answer.
        .target(name: "MPDProtocol", dependencies: ["MusicModel", nioCore], swiftSettings: commandSettings),
        .target(
            name: "Playback", dependencies: ["Hashing", "MusicModel", "ServerLoop", "Coordination", log],
            swiftSettings: commandSettings),
        // What an output is: the configuration reads it, the engine plays through it.
        .target(name: "Outputs", dependencies: ["MusicModel"], swiftSettings: loopSettings),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        // Headphones that are pulled.
        .target(name: "AudioJacks", dependencies: ["CALSA", "Coordination", log], swiftSettings: settings),
        .systemLibrary(
            name: "GStreamerHeaders",
            pkgConfig:
                "gstreamer-1.0 gstreamer-app-1.0 gstreamer-audio-1.0 gstreamer-fft-1.0 gstreamer-pbutils-1.0 "
                + "gstreamer-tag-1.0 gio-2.0",
            providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]
        ),
        .target(name: "CGStreamer", dependencies: ["GStreamerHeaders"]),
        .systemLibrary(
            name: "PipeWireHeaders", pkgConfig: "libpipewire-0.3", providers: [.apt(["libpipewire-0.3-dev"])]
        ),
        .target(name: "CPipeWire", dependencies: ["PipeWireHeaders"]),
        .target(
            name: "HTTPStreaming", dependencies: ["ServerLoop", "NetworkAddresses", nioCore, nioPosix, nioHTTP1, log],
            swiftSettings: loopSettings),
        // Loaded when it is wanted, so nothing is linked; the headers (libavfilter-dev) are those of the system.
        .target(name: "CFFmpeg"),
        // What outputs do to the sound on its way.
        .target(name: "AudioFilters", dependencies: ["CFFmpeg", "CGStreamer", "Outputs"], swiftSettings: settings),
        // What there is to know of files: tags, pictures, formats, samples.
        .target(
            name: "AudioFiles",
            dependencies: ["CGStreamer", "Coordination", "MusicModel", "Outputs", "Playback", log],
            swiftSettings: loopSettings
        ),
        .target(
            name: "AudioOutputs",
            dependencies: [
                "AudioFiles", "AudioFilters", "CALSA", "CGStreamer", "CPipeWire", "Coordination", "HTTPStreaming",
                "MusicModel", "NetworkAddresses", "Outputs", "Playback", log,
            ],
            swiftSettings: loopSettings
        ),
        .target(
            name: "PlaybackEngine",
            dependencies: [
                "AudioFiles", "AudioOutputs", "CGStreamer", "Coordination", "MusicModel", "NetworkAddresses",
                "Outputs", "Playback", log,
            ],
            swiftSettings: loopSettings
        ),
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .target(
            name: "LibraryIndex",
            dependencies: [
                "CPCRE2", "Hashing", "MusicModel", "Coordination", "MPDProtocol", grdb, log,
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings,
            // Foundation's own ICU, for case folding and collation as MPD has them; Foundation does not re-export its
            // symbols.
            linkerSettings: [.linkedLibrary("_FoundationICU")]
        ),
        .target(
            name: "UserLibrary", dependencies: ["Hashing", "Coordination", "MusicModel", "LibraryIndex", grdb],
            swiftSettings: settings),
        // What songs sound like, in numbers.
        .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .target(
            name: "SongAnalysis",
            dependencies: [
                "CEBUR128", "CGStreamer", "Coordination", "AudioFiles", "MusicModel", "Playback", "UserLibrary", log,
            ],
            swiftSettings: settings),
        // What to play next, of what there is.
        .target(
            name: "Discovery",
            dependencies: ["Hashing", "Coordination", "MusicModel", "LibraryIndex", "UserLibrary", grdb, log],
            swiftSettings: settings),

        // Navidrome to the index, and back.
        .target(
            name: "Subsonic",
            dependencies: [
                "NetworkAddresses", "Hashing", "MusicModel",
                .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore, nioHTTP1, nioSSL, crypto, log,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "UserSync",
            dependencies: ["Hashing", "MusicModel", "Coordination", "LibraryIndex", "UserLibrary", "Subsonic", log],
            swiftSettings: settings
        ),
        .target(
            name: "IndexSync",
            dependencies: [
                "Hashing", "MusicModel", "Coordination", "LibraryIndex", "UserLibrary", "Subsonic", "UserSync", log,
            ],
            exclude: ["README.md"], swiftSettings: settings
        ),
        .target(
            name: "MediaCache",
            dependencies: ["Hashing", "MusicModel", "Coordination", "Playback", "Subsonic", nioCore, log],
            swiftSettings: settings
        ),
        .target(
            name: "Scrobbling",
            dependencies: ["MusicModel", "Coordination", "LibraryIndex", "UserLibrary", "Subsonic", log],
            swiftSettings: settings),

        .target(
            name: "Lidarr",
            dependencies: [
                "Coordination", "MusicModel", "Subsonic",
                .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore, nioHTTP1, log,
            ],
            swiftSettings: settings),
        .target(
            name: "Wishes",
            dependencies: [
                "Coordination", "Discovery", "MusicModel", "Subsonic",
                .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore, nioHTTP1, log,
            ],
            swiftSettings: settings),

        // What people bring along from MPD.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "MPDImport",
            dependencies: [
                "CZlib", "MusicModel", "LibraryIndex", "UserLibrary", "SegueConfiguration", "StateFiles", grdb,
            ],
            swiftSettings: settings
        ),

        // The players of all partitions, and what follows them.
        .target(
            name: "Partitions",
            dependencies: [
                "Coordination", "LibraryIndex", "UserLibrary", "MusicModel", "Playback", "ServerLoop", log,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "AutoDJ",
            dependencies: [
                "Coordination", "Discovery", "LibraryIndex", "UserLibrary", "MusicModel", "Partitions", "Playback",
                "ServerLoop", log,
            ],
            swiftSettings: settings
        ),

        // Commands and sockets.
        .target(
            name: "MPDCommands",
            dependencies: [
                "MusicModel", "ServerLoop", "Coordination", "MPDProtocol", "Playback", "LibraryIndex", "UserLibrary",
            ],
            swiftSettings: commandSettings
        ),
        .target(
            name: "MPDSessions",
            dependencies: [
                "MusicModel", "ServerLoop", "Coordination", "MPDProtocol", "Playback", "MPDCommands",
                nioCore,
                nioPosix, nioSSL, nioTLS, crypto, cryptoExtras, log,
            ],
            swiftSettings: commandSettings
        ),
        // What commands ask of files, of the server's media and of the web.
        .target(
            name: "SongDetails",
            dependencies: [
                "Coordination", "MusicModel", "MPDProtocol", "Playback", "AudioFiles", "LibraryIndex",
                "UserLibrary", "Subsonic", "MediaCache", "MPDCommands",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PlaylistFetching",
            dependencies: [
                "MusicModel", "Coordination", "NetworkAddresses", "MPDProtocol", "Playback", "Subsonic",
                "MPDCommands", nioCore, nioHTTP1, log,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            swiftSettings: settings
        ),
        // The page and the HTTP interface: its files, HTTP, and what can be asked for.
        .target(name: "CWebPage", exclude: ["files"]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(
            name: "WebServer",
            dependencies: [
                "CWebPage", "CQREncode", "MusicModel", "NetworkAddresses", "ServerLoop", nioCore, nioPosix, nioHTTP1,
                nioWebSocket,
                nioCompression,
                nioSSL, crypto, log,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "WebAPI",
            dependencies: [
                "Coordination", "Lidarr", "Subsonic", "MusicModel", "ServerLoop", "MPDProtocol", "Playback",
                "LibraryIndex", "UserLibrary", "Discovery", "MPDCommands", "MPDSessions", "WebServer", nioCore,
                nioPosix, nioHTTP1, log,
            ],
            swiftSettings: settings
        ),
        // The service manager's side of the program: readiness, watchdog, inherited sockets.
        .target(
            name: "ServiceManager", dependencies: ["MusicModel", "ServerLoop", nioCore], swiftSettings: loopSettings),
        // Not `Configuration`: names of modules are unique in a package's graph, and swift-configuration, of
        // async-http-client, has that one.
        .target(
            name: "SegueConfiguration",
            dependencies: [
                "MusicModel", "NetworkAddresses", "Outputs", "MPDProtocol", "MPDSessions", "Playback", "Partitions",
                "UserLibrary", "Discovery", "AutoDJ", "Lidarr", "Wishes", "MediaControls", "HomeAutomation", nioCore,
                log,
            ], swiftSettings: loopSettings
        ),
        .target(
            name: "Diagnosis",
            dependencies: [
                "Coordination", "MusicModel", "ServiceManager", "SegueConfiguration", "Outputs", "StateFiles",
                "Subsonic", "IndexSync", "LibraryIndex", "Lidarr", "MPDSessions", "MediaControls", "Wishes",
                "Discovery",
                "UserLibrary", grdb, nioCore, nioPosix, nioSSL,
            ], swiftSettings: settings),
        .target(name: "ServiceLog", dependencies: ["MusicModel", "ServiceManager", log], swiftSettings: loopSettings),
        // What tells other machines on the network that the server is there.
        .systemLibrary(name: "CGIO", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .target(name: "DBus", dependencies: ["CGIO", "Coordination"], swiftSettings: settings),
        // Folders on other machines.
        .target(
            name: "NetworkStorages",
            dependencies: ["CGIO", "DBus", "Coordination", "Hashing", "LibraryIndex", "MusicModel", log],
            swiftSettings: settings),
        .target(name: "Zeroconf", dependencies: ["DBus", "Coordination", log], swiftSettings: settings),
        // The players in a home's automations.
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .target(
            name: "HomeAutomation",
            dependencies: ["CMosquitto", "MediaControls", "MusicModel", "ServerLoop", "Playback", "Coordination", log],
            swiftSettings: settings
        ),
        // The players at the desktop.
        .target(
            name: "MediaControls",
            dependencies: [
                "AudioJacks", "DBus", "Coordination", "Hashing", "MusicModel", "ServerLoop", "Playback", "Partitions",
                log,
            ],
            swiftSettings: settings
        ),
        .target(
            name: "StateFiles", dependencies: ["MusicModel", "SegueConfiguration", "Subsonic", log],
            swiftSettings: settings),
        .target(
            name: "ProcessControl",
            dependencies: [
                "MusicModel", "ServiceManager",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Services",
            dependencies: [
                "Coordination", log, .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        // What `segue demo` plays and shows.
        .target(
            name: "Demonstration",
            dependencies: [
                "AudioFiles", "AudioOutputs", "CGStreamer", "Coordination", "HTTPStreaming", "LibraryIndex",
                "MusicModel", "Outputs", "SegueConfiguration", "UserLibrary", log,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "segue",
            dependencies: [
                "Demonstration",
                "MusicModel", "ServerLoop", "Coordination", "MPDProtocol", "Playback", "AudioFiles", "AudioOutputs",
                "PlaybackEngine", "Partitions",
                "AutoDJ", "Discovery", "SongAnalysis", "LibraryIndex", "UserLibrary", "Outputs", "Subsonic", "UserSync",
                "IndexSync",
                "MediaCache",
                "Lidarr", "Scrobbling", "Wishes",
                "MPDCommands", "MPDSessions",
                "NetworkAddresses", "SongDetails", "PlaylistFetching", "MPDImport", "Diagnosis", "SegueConfiguration",
                "ServiceLog",
                "ServiceManager",
                "StateFiles", "ProcessControl", "Services", "DBus", "NetworkStorages", "Zeroconf", "MediaControls",
                "HomeAutomation", "WebServer",
                "WebAPI", log,
                nioCore,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),

        // Songs and tags made for tests of sound, and a clock that they move.
        .target(
            name: "SoundSamples", dependencies: ["Coordination"], path: "Tests/SoundSamples",
            swiftSettings: loopSettings
        ),

        // Songs for tests of the library.
        .target(
            name: "LibrarySamples", dependencies: ["MusicModel", "LibraryIndex"], path: "Tests/LibrarySamples",
            swiftSettings: loopSettings
        ),

        // A sync with a fake Navidrome, for the tests of both ways.
        .target(
            name: "SyncBench",
            dependencies: [
                "MusicModel", "LibraryIndex", "UserLibrary", "Subsonic", "IndexSync", "TestSupport",
            ],
            path: "Tests/SyncBench", swiftSettings: loopSettings
        ),

        // A fake Navidrome for tests, and the same as a program for tests from outside and for measuring.
        .target(
            name: "TestSupport", dependencies: ["Coordination", "Hashing", nioCore, nioPosix, nioHTTP1, log],
            path: "Tests/TestSupport",
            swiftSettings: loopSettings
        ),
        .executableTarget(
            name: "fake-navidrome",
            dependencies: ["TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tests/FakeNavidrome", swiftSettings: loopSettings
        ),

        // Measures choosing in large libraries, for contrib/measure-discovery.
        .executableTarget(
            name: "discovery-bench",
            dependencies: ["Discovery", "LibraryIndex", "LibrarySamples", "MusicModel", "UserLibrary", grdb],
            path: "Tests/DiscoveryBench", swiftSettings: settings
        ),

        // The server without sockets and sound, and what feeds it with arbitrary bytes.
        .target(
            name: "InProcessServer",
            dependencies: [
                "MusicModel", "ServerLoop", "MPDProtocol", "Playback", "LibraryIndex", "UserLibrary", "MPDCommands",
                "MPDSessions",
                nioCore,
                nioEmbedded,
            ],
            path: "Tests/InProcessServer", swiftSettings: loopSettings
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "MusicModel", "ServerLoop", "MPDProtocol", "LibraryIndex", "UserLibrary", "Subsonic", "MPDCommands",
                "SegueConfiguration", "MPDImport", "Lidarr", "Wishes",
                "InProcessServer", "HTTPStreaming", "AudioFiles", "AudioOutputs", "WebServer", "WebAPI", nioCore, log,
                nioEmbedded,
            ],
            path: "Tests/Fuzzing/Targets", swiftSettings: loopSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Each target's tests are in a folder of the target's name, on the target's floor.
let tests: [(target: String, uses: [Target.Dependency])] = [
    ("MusicModel", ["TestSupport"]),
    ("Coordination", ["TestSupport"]),
    ("Hashing", []),
    ("NetworkAddresses", ["TestSupport"]),
    ("ServerLoop", [nioCore]),
    ("MPDProtocol", ["MusicModel", nioCore]),
    ("Outputs", ["MusicModel"]),
    ("Playback", ["Coordination", "MusicModel", "ServerLoop", "TestSupport"]),
    ("HTTPStreaming", ["ServerLoop", "NetworkAddresses", nioCore, nioEmbedded, log]),
    ("CFFmpeg", []),
    ("AudioFilters", ["Outputs"]),
    ("CGStreamer", []),
    ("CPipeWire", []),
    ("AudioJacks", [log]),
    (
        "AudioFiles",
        ["CGStreamer", "Coordination", "Demonstration", "MusicModel", "Outputs", "Playback", "SoundSamples"]
    ),
    (
        "AudioOutputs",
        ["AudioFiles", "Coordination", "MusicModel", "Outputs", "Playback", "SoundSamples", "TestSupport", log]
    ),
    (
        "PlaybackEngine",
        [
            "AudioFiles", "AudioOutputs", "Coordination", "Demonstration", "MusicModel", "Outputs", "Playback",
            "SoundSamples", "TestSupport", log,
        ]
    ),
    (
        "LibraryIndex",
        [
            "MPDProtocol", "MusicModel", "LibrarySamples", "TestSupport", grdb, log,
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]
    ),
    ("UserLibrary", ["Coordination", "MusicModel", "LibraryIndex", "LibrarySamples", "TestSupport", grdb]),
    (
        "Discovery",
        ["Coordination", "MusicModel", "LibraryIndex", "UserLibrary", "LibrarySamples", "TestSupport", log]
    ),
    (
        "SongAnalysis",
        [
            "Coordination", "AudioFiles", "LibraryIndex", "LibrarySamples", "MusicModel", "Playback", "TestSupport",
            "UserLibrary", log,
        ]
    ),
    (
        "AutoDJ",
        [
            "Discovery", "MusicModel", "Partitions", "Playback", "ServerLoop", "UserLibrary", "InProcessServer",
            "TestSupport", log,
        ]
    ),
    ("Subsonic", ["MusicModel", "TestSupport", log, nioCore]),
    (
        "UserSync",
        [
            "Coordination", "MusicModel", "LibraryIndex", "UserLibrary", "Subsonic", "IndexSync", "LibrarySamples",
            "Scrobbling", "SyncBench", "TestSupport", log,
        ]
    ),
    (
        "IndexSync",
        [
            "Coordination", "MusicModel", "LibraryIndex", "UserLibrary", "Subsonic", "LibrarySamples", "SyncBench",
            "TestSupport",
            log,
        ]
    ),
    ("MediaCache", ["Coordination", "MusicModel", "Playback", "Subsonic", "TestSupport", log]),
    ("Scrobbling", ["MusicModel", "LibraryIndex", "UserLibrary", "Subsonic", "TestSupport", log]),
    ("Lidarr", ["Coordination", "MusicModel", "TestSupport", nioCore, nioPosix, log]),
    ("Wishes", ["Discovery", "MusicModel", "TestSupport", log]),
    ("MPDImport", ["MusicModel", "LibraryIndex", "UserLibrary", "SegueConfiguration", grdb]),
    (
        "MPDCommands",
        [
            "MusicModel", "ServerLoop", "Coordination", "MPDProtocol", "Playback", "LibraryIndex", "UserLibrary",
            "InProcessServer", "TestSupport", nioCore,
        ]
    ),
    (
        "MPDSessions",
        [
            "MusicModel", "ServerLoop", "Coordination", "MPDProtocol", "MPDCommands", "Playback", "LibraryIndex",
            "UserLibrary", "InProcessServer", "TestSupport", nioCore, nioEmbedded, nioPosix, log,
        ]
    ),
    ("DBus", ["CGIO"]),
    ("NetworkStorages", ["Coordination", "LibraryIndex", "MusicModel", "TestSupport", log]),
    ("Zeroconf", [log]),
    ("HomeAutomation", ["MediaControls", "MusicModel"]),
    ("MediaControls", ["DBus", "MusicModel", "Playback", "Partitions", "ServerLoop", "InProcessServer", log]),
    (
        "Partitions",
        ["LibraryIndex", "MusicModel", "Playback", "ServerLoop", "UserLibrary", "TestSupport", "InProcessServer", log]
    ),
    (
        "SongDetails",
        ["Coordination", "MediaCache", "MusicModel", "LibraryIndex", "UserLibrary", "InProcessServer", log]
    ),
    (
        "PlaylistFetching",
        [
            "MPDProtocol", "MPDCommands", "MusicModel", "NetworkAddresses", "TestSupport", nioHTTP1, log,
            .product(name: "AsyncHTTPClient", package: "async-http-client"),
        ]
    ),
    (
        "WebServer",
        [
            "NetworkAddresses", nioCore, nioHTTP1, nioEmbedded,
            .product(name: "NIOWebSocket", package: "swift-nio"),
        ]
    ),
    (
        "WebAPI",
        [
            "MPDProtocol", "MPDSessions", "MusicModel", "ServerLoop", "WebServer", "InProcessServer", nioCore,
            nioEmbedded, nioHTTP1, log,
        ]
    ),
    ("ServiceManager", ["MusicModel", "ServerLoop", "TestSupport"]),
    (
        "SegueConfiguration",
        ["MPDProtocol", "MPDSessions", "MusicModel", "NetworkAddresses", "Outputs", "UserLibrary", "Wishes", log]
    ),
    ("ServiceLog", ["Coordination", "MusicModel"]),
    (
        "Diagnosis",
        [
            "LibraryIndex", "MPDSessions", "MusicModel", "SegueConfiguration", "Subsonic", "TestSupport", "UserLibrary",
            grdb, log, nioCore, nioPosix,
        ]
    ),
    ("StateFiles", ["MusicModel", "SegueConfiguration", "Subsonic", log]),
    ("ProcessControl", []),
    ("Services", [log, .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")]),
    (
        "Demonstration",
        [
            "AudioFiles", "LibraryIndex", "LibrarySamples", "MusicModel", "Outputs", "SegueConfiguration",
            "SoundSamples", "UserLibrary", log,
        ]
    ),
    ("segue", ["PlaybackEngine", "MusicModel", "Partitions", "Playback", "SegueConfiguration", "StateFiles"]),
    ("FuzzTargets", []),
]
for (target, uses) in tests {
    package.targets.append(
        .testTarget(
            name: "\(target)Tests", dependencies: [.target(name: target)] + uses,
            path: target == "FuzzTargets" ? "Tests/Fuzzing/FuzzTargetsTests" : nil,
            exclude: target == "Subsonic" ? ["Fixtures"] : [], swiftSettings: testSettings
        )
    )
}
for floor in floors {
    for target in package.targets {
        if floor.targets.contains(target.name) {
            target.path = "Sources/\(floor.folder)/\(target.name)"
        } else if floor.targets.contains(where: { target.name == $0 + "Tests" }) {
            target.path = "Tests/\(floor.folder)/\(target.name)"
        }
    }
}
if isCheckingRaces {
    // What plays, and all that it is made of.
    var needed: Set<String> = []
    var found = ["AudioFilesTests", "AudioOutputsTests", "PlaybackEngineTests", "HTTPStreamingTests", "PlaybackTests"]
    while let name = found.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): found.append(name)
            default: continue
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
if isFuzzing {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Program", swiftSettings: loopSettings,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        )
    )
}
if isOptimised {
    package.targets.append(
        .executableTarget(
            name: "hot-paths", dependencies: ["InProcessServer", "ServerLoop", nioCore], path: "Tests/Guards",
            exclude: ["thresholds.json"], swiftSettings: loopSettings
        )
    )
}

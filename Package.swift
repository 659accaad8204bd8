// swift-tools-version: 6.2
import PackageDescription

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
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

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
if isFuzzing { settings.append(.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])) }
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

/// A target of Sources, and its tests, which may import what it may and `tests` besides; without `tests` it has none.
@MainActor
func target(
    _ name: String, as swiftSettings: [SwiftSetting]? = nil, except: [String] = [],
    imports: [Target.Dependency] = [], tests: [Target.Dependency]? = nil
) -> [Target] {
    // LibraryIndex folds case by Foundation's own ICU, whose symbols Foundation does not re-export.
    let linkerSettings: [LinkerSetting]? = name == "LibraryIndex" ? [.linkedLibrary("_FoundationICU")] : nil
    return [
        .target(
            name: name, dependencies: imports, exclude: except, swiftSettings: swiftSettings ?? settings,
            linkerSettings: linkerSettings)
    ] + testTarget(of: name, imports, tests)
}

/// A target in C.
@MainActor
func library(
    _ name: String, except: [String] = [], imports: [Target.Dependency] = [], tests: [Target.Dependency]? = nil
) -> [Target] {
    [.target(name: name, dependencies: imports, exclude: except)] + testTarget(of: name, [], tests)
}

/// The headers of a library of the system, by its name for pkg-config.
func headers(_ name: String, _ pkgConfig: String, apt: [String]) -> [Target] {
    [.systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(apt)])]
}

/// A program.
@MainActor
func program(_ name: String, imports: [Target.Dependency], tests: [Target.Dependency]) -> [Target] {
    [.executableTarget(name: name, dependencies: imports, swiftSettings: settings)]
        + testTarget(of: name, imports, tests)
}

@MainActor
func testTarget(
    of name: String, _ imports: [Target.Dependency], _ more: [Target.Dependency]?
) -> [Target] {
    guard let more else { return [] }
    let fixtures = name == "Subsonic" ? ["Fixtures"] : []
    return [
        .testTarget(
            name: "\(name)Tests", dependencies: [.target(name: name)] + imports + more, exclude: fixtures,
            swiftSettings: testSettings)
    ]
}

/// The targets that the program works without. To leave one out, remove its row here, and its line from the list in
/// `Sources/Program/segue/Extensions.swift`.
let extensions: [[Target]] = [
    target(
        "Demonstration",
        imports: [
            argumentParser, "AudioFiles", "AudioOutputs", "CSound", "Coordination", "Extensions",
            "LibraryIndex", log, "MPDSessions", "MusicModel", nioCore, nioPosix, "Outputs", "SegueConfiguration",
            "ServerLoop", "SystemLibraries", "UserLibrary",
        ],
        tests: ["LibrarySamples", "SoundSamples"]),
    target(
        "Desktop",
        imports: [
            "Coordination", "Diagnosis", "Extensions", log, "MPDCommands", "MPDProtocol", "MPDSessions",
            "MusicModel", "Outputs", "Playback", "Players", "SegueConfiguration", "ServerLoop", "Supervision",
            "SystemLibraries", "UserLibrary",
        ],
        tests: ["InProcessServer", "TestSupport"]),
    target(
        "HomeAutomation",
        imports: [
            "Coordination", "Extensions", log, "MPDCommands", "MPDProtocol", "MPDSessions", "MusicModel",
            "Playback", "Players", "SegueConfiguration", "ServerLoop", "SystemLibraries", "UserLibrary",
        ],
        tests: ["TestSupport"]),
    target(
        "Lidarr",
        imports: [
            httpClient, "Coordination", "Diagnosis", "Extensions", "LibraryIndex", log, "MusicModel", nioCore,
            nioHTTP1, "SegueConfiguration", "ServerLoop", "Subsonic", "WebAPI",
        ],
        tests: [nioPosix, "TestSupport"]),
    target(
        "MPDImport",
        imports: [
            argumentParser, "Extensions", grdb, "LibraryIndex", log, "MPDSessions", "MusicModel",
            "SegueConfiguration", "Supervision", "Sync", "SystemLibraries", "UserLibrary",
        ],
        tests: ["Players", "TestSupport"]),
    target(
        "NetworkStorages",
        imports: [
            "Coordination", "Diagnosis", "Extensions", "LibraryIndex", log, "MusicModel", "SegueConfiguration",
            "Supervision", "SystemLibraries",
        ],
        tests: ["TestSupport"]),
    target(
        "Wishes",
        imports: [
            httpClient, "Coordination", "Diagnosis", "Discovery", "Extensions", log, "MusicModel", nioCore,
            nioHTTP1, "SegueConfiguration", "ServerLoop", "Subsonic",
        ],
        tests: ["TestSupport"]),
]

/// Every target of Sources by its folder there: its name, what it may import and nothing else, and what its tests
/// import besides. A target imports only what stands above it. `contrib/check-imports` compares this with the code, and
/// Sources/README.md says what each is for.
let folders: [(name: String, targets: [[Target]])] = [
    (
        "Model",
        [
            target("Coordination", tests: ["TestSupport"]),
            target("MusicModel", as: loopSettings, imports: ["Coordination"], tests: ["TestSupport"]),
            target("ServerLoop", as: commandSettings, imports: [nioCore, nioPosix, log], tests: []),
            target("NetworkAddresses", tests: ["TestSupport"]),
            target("MPDProtocol", as: commandSettings, imports: ["MusicModel", nioCore], tests: []),
            headers(
                "SystemLibraries",
                "alsa gio-2.0 gstreamer-1.0 gstreamer-app-1.0 gstreamer-audio-1.0 "
                    + "gstreamer-fft-1.0 gstreamer-pbutils-1.0 gstreamer-tag-1.0 libebur128 "
                    + "libmosquitto libpcre2-8 libpipewire-0.3 libqrencode zlib",
                apt: [
                    "libasound2-dev", "libebur128-dev", "libglib2.0-dev", "libgstreamer1.0-dev",
                    "libgstreamer-plugins-base1.0-dev", "libmosquitto-dev", "libpcre2-dev",
                    "libpipewire-0.3-dev", "libqrencode-dev", "zlib1g-dev",
                ]),
        ]
    ),
    (
        "Library",
        [
            target(
                "LibraryIndex",
                imports: ["SystemLibraries", "Coordination", "MusicModel", "MPDProtocol", grdb, log, sqlite],
                tests: ["LibrarySamples", "TestSupport"]),
            target(
                "UserLibrary",
                imports: ["Coordination", "MusicModel", "LibraryIndex", grdb],
                tests: ["LibrarySamples", "TestSupport"]),
            target(
                "Discovery",
                imports: ["Coordination", "MusicModel", "LibraryIndex", "UserLibrary", grdb, log],
                tests: ["LibrarySamples", "TestSupport"]),
        ]
    ),
    (
        "Sound",
        [
            target("Outputs", as: loopSettings, imports: ["MusicModel"], tests: []),
            target(
                "Playback",
                as: commandSettings,
                imports: ["Coordination", "MusicModel", "ServerLoop", log],
                tests: ["TestSupport"]),
            library("CSound", imports: ["SystemLibraries"], tests: []),
            target(
                "AudioFiles",
                as: loopSettings,
                imports: ["CSound", "Coordination", "MusicModel", "Playback", log],
                tests: ["Demonstration", "SoundSamples"]),
            target(
                "AudioOutputs",
                as: loopSettings,
                imports: [
                    "ServerLoop", "NetworkAddresses", nioCore, nioPosix, nioHTTP1, log, "CSound", "Outputs",
                    "AudioFiles", "SystemLibraries", "Coordination", "MusicModel", "Playback",
                ],
                tests: [nioEmbedded, "SoundSamples", "TestSupport"]),
            target(
                "PlaybackEngine",
                as: loopSettings,
                imports: [
                    "AudioFiles", "AudioOutputs", "CSound", "Coordination", "MusicModel", "NetworkAddresses",
                    "Outputs", "Playback", log,
                ],
                tests: ["Demonstration", "SoundSamples", "TestSupport"]),
            target(
                "SongAnalysis",
                imports: [
                    "SystemLibraries", "CSound", "Coordination", "AudioFiles", "MusicModel", "Playback",
                    "UserLibrary", log,
                ],
                tests: ["LibraryIndex", "LibrarySamples", "TestSupport"]),
        ]
    ),
    (
        "Upstream",
        [
            target(
                "Subsonic",
                imports: [
                    "NetworkAddresses", "Coordination", "MusicModel", httpClient, nioCore, nioHTTP1, nioSSL,
                    crypto, log,
                ],
                tests: ["TestSupport"]),
            target(
                "Sync",
                except: ["Index/README.md"],
                imports: ["Coordination", "MusicModel", "LibraryIndex", "UserLibrary", "Subsonic", log],
                tests: ["LibrarySamples", "SyncBench", "TestSupport"]),
            target(
                "MediaCache",
                imports: ["Coordination", "MusicModel", "Playback", "Subsonic", nioCore, log],
                tests: ["TestSupport"]),
        ]
    ),
    (
        "Clients",
        [
            target(
                "MPDCommands",
                as: commandSettings,
                imports: [
                    "MusicModel", "NetworkAddresses", "ServerLoop", "Coordination", "MPDProtocol", "Playback",
                    "LibraryIndex", "UserLibrary",
                ],
                tests: ["InProcessServer", "TestSupport", nioCore]),
            target(
                "Players",
                imports: [
                    "Coordination", "Discovery", "LibraryIndex", log, "MPDCommands", "MusicModel", "Playback",
                    "ServerLoop", "UserLibrary",
                ],
                tests: ["InProcessServer", "TestSupport"]),
            target(
                "MPDSessions",
                as: commandSettings,
                imports: [
                    "Coordination", crypto, cryptoExtras, log, "MPDCommands", "MPDProtocol", "MusicModel",
                    nioCore, nioPosix, nioSSL, nioTLS, "NetworkAddresses", "Playback", "ServerLoop",
                ],
                tests: ["LibraryIndex", "UserLibrary", "InProcessServer", "TestSupport", nioEmbedded]),
            target(
                "MediaLookup",
                imports: [
                    "Coordination", "MusicModel", "MPDProtocol", "Playback", "AudioFiles", "LibraryIndex",
                    "UserLibrary", "Subsonic", "MediaCache", "MPDCommands", "NetworkAddresses", nioCore,
                    nioHTTP1, log, httpClient,
                ],
                tests: ["InProcessServer", "TestSupport"]),
            library("CWebPage", except: ["files"]),
            target(
                "WebServer",
                imports: [
                    "CWebPage", "SystemLibraries", "MusicModel", "NetworkAddresses", "ServerLoop", nioCore,
                    nioPosix, nioHTTP1, nioWebSocket, nioCompression, nioSSL, crypto, log,
                ],
                tests: [nioEmbedded]),
            target(
                "WebAPI",
                imports: [
                    "Coordination", "Discovery", "LibraryIndex", log, "MPDCommands", "MPDProtocol",
                    "MPDSessions", "MusicModel", nioCore, nioHTTP1, nioPosix, "Playback", "Players",
                    "ServerLoop", "Subsonic", "UserLibrary", "WebServer",
                ],
                tests: ["FuzzTargets", "InProcessServer", nioEmbedded]),
        ]
    ),
    (
        "Program",
        [
            target(
                "SegueConfiguration",
                as: loopSettings,
                imports: [
                    "Discovery", log, "MPDProtocol", "MPDSessions", "MediaCache", "MusicModel", nioCore,
                    "NetworkAddresses", "Outputs", "Playback", "Players", "Subsonic", "Sync", "UserLibrary",
                    "WebServer",
                ],
                tests: []),
            target(
                "Supervision",
                imports: [
                    "Coordination", log, "MusicModel", nioCore, "ServerLoop", lifecycle, "SystemLibraries",
                    signals,
                ],
                tests: ["TestSupport"]),
            target(
                "Diagnosis",
                imports: [
                    httpClient, "Coordination", "Discovery", grdb, "LibraryIndex", "MPDSessions", "MusicModel", nioCore,
                    nioHTTP1, nioPosix, nioSSL, "Outputs", "SegueConfiguration", "Subsonic", "Supervision", "Sync",
                    "UserLibrary",
                ],
                tests: [log, "TestSupport"]),
            target(
                "Extensions",
                imports: [
                    argumentParser, "Diagnosis", "Discovery", "LibraryIndex", log, "MPDCommands", "MPDSessions",
                    "Players", "SegueConfiguration", "ServerLoop", "Supervision", "Sync", "UserLibrary",
                    "WebAPI",
                ],
                tests: []),
        ] + extensions + [
            program(
                "segue",
                imports: [
                    argumentParser, "AudioFiles", "AudioOutputs", "Coordination", "Diagnosis", "Discovery",
                    "Extensions", "LibraryIndex", log, "MPDCommands", "MPDProtocol", "MPDSessions",
                    "MediaCache", "MediaLookup", "MusicModel", nioCore, "NetworkAddresses", "Outputs",
                    "Playback", "PlaybackEngine", "Players", "SegueConfiguration", "ServerLoop", lifecycle,
                    "SongAnalysis", "Subsonic", "Supervision", "Sync", signals, "UserLibrary", "WebAPI",
                    "WebServer",
                ] + extensions.map { .byName(name: $0[0].name) },
                tests: [])
        ]
    ),
]
for folder in folders {
    for target in folder.targets.joined() {
        target.path = "\(target.isTest ? "Tests" : "Sources")/\(folder.name)/\(target.name)"
    }
}

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
    targets: folders.flatMap { $0.targets.joined() } + [
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
            dependencies: ["MusicModel", "LibraryIndex", "UserLibrary", "Subsonic", "Sync", "TestSupport"],
            path: "Tests/SyncBench", swiftSettings: loopSettings
        ),

        // A fake Navidrome for tests, and the same as a program for tests from outside and for measuring.
        .target(
            name: "TestSupport", dependencies: ["Coordination", nioCore, nioPosix, nioHTTP1, log],
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
                "MPDSessions", nioCore, nioEmbedded,
            ],
            path: "Tests/InProcessServer", swiftSettings: loopSettings
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "MusicModel", "ServerLoop", "MPDProtocol", "LibraryIndex", "UserLibrary", "Subsonic", "MPDCommands",
                "SegueConfiguration", "MPDImport", "Lidarr", "Discovery", "Wishes", "InProcessServer", "AudioOutputs",
                "AudioFiles", "CSound", "Coordination", "Outputs", "WebServer", "WebAPI", nioCore, nioHTTP1, log,
                nioEmbedded,
            ],
            path: "Tests/Fuzzing/Targets", swiftSettings: loopSettings
        ),
        .testTarget(
            name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "AudioOutputs"],
            path: "Tests/Fuzzing/FuzzTargetsTests", swiftSettings: testSettings),
    ],
    swiftLanguageModes: [.v6]
)

if isCheckingRaces {
    // What plays, and all that it is made of.
    var needed: Set<String> = []
    var found = ["AudioFilesTests", "AudioOutputsTests", "PlaybackEngineTests", "PlaybackTests"]
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

import Foundation
import LibraryIndex
import MPDCommands
import MPDProtocol
import MPDSessions
import MusicModel
import NIOCore
import NIOHTTP1
import Playback
import ServerLoop
import UserLibrary
import WebServer

/// Figures for Prometheus; they are gathered for each request, and cost nothing otherwise.
enum MetricsResource {
    static let routes = [
        Route(.GET, "/metrics") { request in
            let library = request.api.rows.library
            var text = await figuresOfLoop(request.api, since: .now)
            text.add("segue_info", "What runs.", [(["version": request.api.parts.facts.version], 1)])
            let statistics = try await library.index.statistics()
            text.add(
                "segue_library_items", "Songs, albums and artists in the library.", by: "kind",
                [("songs", statistics.songs), ("albums", statistics.albums), ("artists", statistics.artists)])
            text.add("segue_library_updated_timestamp_seconds", "When the library changed last.", statistics.updated)
            let waiting = await request.api.parts.facts.waiting()
            text.add("segue_outbox_plays", "Plays that the server does not have yet.", waiting.plays)
            text.add("segue_outbox_edits", "Edits that the server does not have yet.", waiting.edits)
            text.add("segue_database_bytes", "The size of the database.", size(of: library.database.path))
            write(request.api.parts.facts.figures(), to: &text)
            ProcessFigures.write(to: &text)
            return HTTPResponse(.ok, text.buffer, type: "text/plain; version=0.0.4; charset=utf-8")
        }
    ]

    /// The figures of the cache and the sync; nothing without a server.
    private static func write(_ figures: UpstreamFigures, to text: inout MetricsText) {
        guard let cache = figures.cache else { return }
        text.add("segue_cache_bytes", "Songs that are kept on disk.", cache.size)
        text.add("segue_cache_limit_bytes", "How much the cache may keep.", cache.limit)
        text.add(
            "segue_cache_requests_total", "Songs that were opened, by whether they were on disk.", by: "result",
            [("hit", figures.cacheHits), ("miss", figures.cacheMisses)])
        text.add(
            "segue_download_bytes_total", "Bytes of songs that came from the server since the start.",
            figures.downloaded)
        text.add(
            "segue_plays_total", "Plays since the start, by whether the server took them.", by: "result",
            [("sent", figures.plays.sent), ("refused", figures.plays.givenUp)])
        text.add(
            "segue_syncs_total", "Syncs of the library since the start.",
            [
                (["source": "server", "result": "success"], Double(figures.syncs.successes)),
                (["source": "server", "result": "failure"], Double(figures.syncs.failures)),
            ])
        if let duration = figures.syncDuration {
            text.add("segue_sync_duration_seconds", "How long the last successful sync took.", duration)
        }
        if let time = figures.lastSync {
            text.add(
                "segue_sync_last_success_timestamp_seconds", "When the last successful sync ended.",
                [(["source": "server"], time)])
        }
    }

    private static func size(of path: String) -> Double {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? Int).map { Double($0) } ?? 0
    }
}

/// Figures that the event loop knows.
extension MetricsResource {
    /// Writes them in one go; they were asked for at `start`.
    @ServerActor
    private static func figuresOfLoop(_ api: WebInterface, since start: ContinuousClock.Instant) -> MetricsText {
        let (context, server) = (api.parts.context, api.parts.server)
        var text = MetricsText()
        text.add(
            "segue_loop_lag_seconds", "How long the event loop took to answer.",
            (ContinuousClock.now - start) / .seconds(1))
        text.add("segue_clients", "Clients of MPD's protocol.", server.clientCount)
        text.add(
            "segue_connections_total", "Connections of MPD's protocol since the start.", by: "result",
            [("accepted", server.connections.accepted), ("refused", server.connections.refused)])
        // A client that reads figures once reads them again; no other pays for counting.
        server.countCommands()
        if let commands = server.commandFigures {
            text.add(
                "segue_commands_total", "Commands of MPD's protocol since the start.", by: "command",
                commands.counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            text.histogram(
                "segue_command_seconds", "How long commands took.", bounds: CommandFigures.bounds,
                classes: commands.classes, sum: commands.total / .seconds(1))
        }
        if let expiry = server.certificateExpiry {
            text.add(
                "segue_tls_certificate_expiry_timestamp_seconds", "When the certificate of encrypted listeners ends.",
                expiry.timeIntervalSince1970)
        }
        text.add("segue_pages", "Open pages and scripts that follow events.", api.feed.count)
        text.add("segue_password_failures_total", "Wrong passwords since the start.", api.parts.passwords.failures)
        text.add(
            "segue_played_seconds_total", "Music that was heard since the start.",
            (context.parts.partitionHost?.playtime ?? .zero) / .seconds(1))
        text.add(
            "segue_source_connected", "Whether the library's server can be reached; 0 where there is none.",
            by: "source", [("server", api.parts.facts.connection().state == "connected" ? 1 : 0)])
        write(context.partitions, to: &text)
        writeOutputs(of: context.partitions, to: &text)
        return text
    }

    @ServerActor
    private static func write(_ partitions: [Partition], to text: inout MetricsText) {
        text.add(
            "segue_player_state", "1 for the state that a partition's player is in.",
            partitions.flatMap { partition in
                ["play", "pause", "stop"].map {
                    (["partition": partition.name, "state": $0], $0 == partition.player.status.state.rawValue ? 1 : 0)
                }
            })
        func add(_ name: String, _ help: String, _ count: @ServerActor (Player) -> Int) {
            text.add(name, help, by: "partition", partitions.map { ($0.name, count($0.player)) })
        }
        add("segue_queue_songs", "Entries of the queue.") { $0.status.queueLength }
        add("segue_stalls_total", "How often a song had to wait for its sound since the start.") { $0.faults.stalls }
        add("segue_stream_interruptions_total", "How often a station was lost and connected again since the start.") {
            $0.faults.interruptions
        }
        add("segue_play_failures_total", "Songs and stations that could not be played since the start.") {
            $0.faults.failures
        }
    }

    @ServerActor
    private static func writeOutputs(of partitions: [Partition], to text: inout MetricsText) {
        let outputs = partitions.flatMap { $0.player.engine.outputs.filter { !$0.isMovedAway } }
        var seen: Set<String> = []
        let shown = outputs.filter { seen.insert($0.name).inserted }
        text.add(
            "segue_output_enabled", "Whether an output should play.",
            shown.map { (["output": $0.name, "type": $0.plugin], $0.isEnabled ? 1 : 0) })
        text.add(
            "segue_output_failing", "Whether an output has a problem.",
            shown.map { (["output": $0.name, "type": $0.plugin], $0.problem == nil ? 0 : 1) })
        text.add(
            "segue_underruns_total", "How often an output had nothing to play in the middle of sound since the start.",
            by: "output", shown.map { ($0.name, $0.underruns) })
        text.add(
            "segue_output_failures_total", "How often an output got a problem since the start.",
            by: "output", shown.map { ($0.name, $0.failures) })
        text.add(
            "segue_listeners", "Listeners of outputs that are streams.", by: "output",
            shown.compactMap { output in output.listeners.map { (output.name, $0) } })
    }
}

/// Figures of the process, under the names that all programs use.
private enum ProcessFigures {
    static func write(to text: inout MetricsText) {
        let page = Double(sysconf(Int32(_SC_PAGESIZE)))
        if let fields = contents("/proc/self/statm")?.split(separator: " "), fields.count > 1 {
            text.add("process_virtual_memory_bytes", "Virtual memory size in bytes.", (Double(fields[0]) ?? 0) * page)
            text.add("process_resident_memory_bytes", "Resident memory size in bytes.", (Double(fields[1]) ?? 0) * page)
        }
        let fields = statistics
        if fields.count > 19, let user = Double(fields[11]), let system = Double(fields[12]) {
            text.add(
                "process_cpu_seconds_total", "Total user and system CPU time spent in seconds.",
                (user + system) / ticks)
            text.add("process_threads", "How many threads there are.", Double(fields[17]) ?? 0)
        }
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        text.add("process_open_fds", "Number of open file descriptors.", descriptors?.count ?? 0)
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.add(
                "process_max_fds", "Maximum number of open file descriptors.",
                limit.rlim_cur == .max ? .infinity : Double(limit.rlim_cur))
        }
        if let startTime {
            text.add("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", startTime)
        }
    }

    private static let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))

    /// Found out once, as a clock may be set later; from its age, as the sandbox hides when the machine began.
    private static let startTime: Double? = {
        let fields = statistics
        var time = timespec()
        guard fields.count > 19, let begin = Double(fields[19]), clock_gettime(CLOCK_BOOTTIME, &time) == 0 else {
            return nil
        }
        let age = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 - begin / ticks
        return Date().timeIntervalSince1970 - age
    }()

    /// The kernel's figures of this process, from the third on: the second may hold blanks and ends with a bracket.
    private static var statistics: [String] {
        guard let stat = contents("/proc/self/stat"), let end = stat.utf8.lastIndex(of: UInt8(ascii: ")")) else {
            return []
        }
        return stat[stat.index(after: end)...].split(separator: " ").map(String.init)
    }

    private static func contents(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Writes figures as Prometheus reads them.
struct MetricsText {
    private(set) var buffer = ByteBuffer()

    mutating func add(_ name: String, _ help: String, _ value: Double) { add(name, help, [([:], value)]) }
    mutating func add(_ name: String, _ help: String, _ value: some BinaryInteger) { add(name, help, Double(value)) }

    mutating func add<Count: BinaryInteger>(
        _ name: String, _ help: String, by label: String, _ counts: [(String, Count)]
    ) {
        add(name, help, counts.map { ([label: $0], Double($1)) })
    }

    mutating func histogram(_ name: String, _ help: String, bounds: [Double], classes: [Int], sum: Double) {
        buffer.writeString("# HELP \(name) \(help)\n# TYPE \(name) histogram\n")
        var count = 0
        for (number, added) in classes.enumerated() {
            count += added
            let bound = number < bounds.count ? "\(bounds[number])" : "+Inf"
            buffer.writeString("\(name)_bucket{le=\"\(bound)\"} \(count)\n")
        }
        buffer.writeString("\(name)_sum \(sum)\n\(name)_count \(count)\n")
    }

    /// Writes a figure for each set of labels; what only grows has a name that ends with `_total`.
    mutating func add(_ name: String, _ help: String, _ values: [([String: String], Double)]) {
        let type = name.hasSuffix("_total") ? "counter" : "gauge"
        guard !values.isEmpty else { return }
        buffer.writeString("# HELP \(name) \(help)\n# TYPE \(name) \(type)\n")
        for (labels, value) in values {
            let text = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
            let shown = text.isEmpty ? "" : "{\(text.joined(separator: ","))}"
            buffer.writeString("\(name)\(shown) \(value)\n")
        }
    }

    /// A label's value may hold anything but these.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

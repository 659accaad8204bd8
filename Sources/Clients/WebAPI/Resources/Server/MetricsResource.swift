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
            let start = ContinuousClock.now
            let state = await LoopFigures(request.api)
            let lag = ContinuousClock.now - start
            let library = request.api.rows.library
            var text = MetricsText()
            text.gauge("segue_info", "What runs.", [(["version": request.api.parts.facts.version], 1)])
            let statistics = try await library.index.statistics()
            text.gauge(
                "segue_library_items", "Songs, albums and artists in the library.",
                [
                    (["kind": "songs"], Double(statistics.songs)), (["kind": "albums"], Double(statistics.albums)),
                    (["kind": "artists"], Double(statistics.artists)),
                ])
            text.gauge(
                "segue_library_updated_timestamp_seconds", "When the library changed last.",
                [([:], Double(statistics.updated))])
            let waiting = await request.api.parts.facts.waiting()
            text.gauge("segue_outbox_plays", "Plays that the server does not have yet.", [([:], Double(waiting.plays))])
            text.gauge("segue_outbox_edits", "Edits that the server does not have yet.", [([:], Double(waiting.edits))])
            text.gauge("segue_database_bytes", "The size of the database.", [([:], size(of: library.database.path))])
            text.gauge("segue_loop_lag_seconds", "How long the event loop took to answer.", [([:], lag.seconds)])
            state.write(to: &text)
            write(request.api.parts.facts.figures(), to: &text)
            ProcessFigures.write(to: &text)
            return HTTPResponse(.ok, text.buffer, type: "text/plain; version=0.0.4; charset=utf-8")
        }
    ]

    /// The figures of the cache and the sync; nothing without a server.
    private static func write(_ figures: UpstreamFigures, to text: inout MetricsText) {
        guard let cache = figures.cache else { return }
        text.gauge("segue_cache_bytes", "Songs that are kept on disk.", [([:], Double(cache.size))])
        text.gauge("segue_cache_limit_bytes", "How much the cache may keep.", [([:], Double(cache.limit))])
        text.counter(
            "segue_cache_requests_total", "Songs that were opened, by whether they were on disk.",
            [(["result": "hit"], Double(figures.cacheHits)), (["result": "miss"], Double(figures.cacheMisses))])
        text.counter(
            "segue_download_bytes_total", "Bytes of songs that came from the server since the start.",
            [([:], Double(figures.downloaded))])
        text.counter(
            "segue_plays_total", "Plays since the start, by whether the server took them.",
            [
                (["result": "sent"], Double(figures.plays.sent)),
                (["result": "refused"], Double(figures.plays.givenUp)),
            ])
        text.counter(
            "segue_syncs_total", "Syncs of the library since the start.",
            [
                (["source": "server", "result": "success"], Double(figures.syncs.successes)),
                (["source": "server", "result": "failure"], Double(figures.syncs.failures)),
            ])
        if let duration = figures.syncDuration {
            text.gauge("segue_sync_duration_seconds", "How long the last successful sync took.", [([:], duration)])
        }
        if let time = figures.lastSync {
            text.gauge(
                "segue_sync_last_success_timestamp_seconds", "When the last successful sync ended.",
                [(["source": "server"], time)])
        }
    }

    private static func size(of path: String) -> Double {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? Int).map { Double($0) } ?? 0
    }
}

extension Duration {
    /// The same as a number.
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Figures that the event loop knows.
private struct LoopFigures: Sendable {
    private var clients: Int
    private var pages: Int
    private var passwordFailures: Int
    private var played: Double
    private var connection: String
    private var connections: (accepted: Int, refused: Int)
    private var expiry: Date?
    private var commands: (counts: [String: Int], classes: [Int], total: Double)?
    private var partitions: [Part]

    /// The figures of one partition.
    private struct Part {
        var name: String
        var state: String
        var songs: Int
        var outputs: [OutputStatus]
        var failures: PlayerTroubles
    }

    /// Gathers it in one go.
    @ServerActor
    init(_ api: WebInterface) {
        let context = api.parts.context
        (clients, pages) = (api.parts.server.clientCount, api.feed.count)
        passwordFailures = api.parts.passwords.failures
        played = (context.parts.partitionHost?.playtime ?? .zero).seconds
        connection = api.parts.facts.connection().state
        // A client that reads figures once reads them again; no other pays for counting.
        api.parts.server.countCommands()
        (connections, expiry) = (api.parts.server.connections, api.parts.server.certificateExpiry)
        commands = api.parts.server.commandFigures.map { ($0.counts, $0.classes, $0.total.seconds) }
        partitions = context.partitions.map { partition in
            let status = partition.player.status
            return Part(
                name: partition.name, state: status.state.rawValue, songs: status.queueLength,
                outputs: partition.player.engine.outputs, failures: partition.player.troubles)
        }
    }

    func write(to text: inout MetricsText) {
        text.gauge("segue_clients", "Clients of MPD's protocol.", [([:], Double(clients))])
        text.counter(
            "segue_connections_total", "Connections of MPD's protocol since the start.",
            [
                (["result": "accepted"], Double(connections.accepted)),
                (["result": "refused"], Double(connections.refused)),
            ])
        if let commands {
            text.counter(
                "segue_commands_total", "Commands of MPD's protocol since the start.",
                commands.counts.sorted { $0.key < $1.key }.map { (["command": $0.key], Double($0.value)) })
            text.histogram(
                "segue_command_seconds", "How long commands took.", bounds: CommandFigures.bounds,
                classes: commands.classes, sum: commands.total)
        }
        if let expiry {
            text.gauge(
                "segue_tls_certificate_expiry_timestamp_seconds", "When the certificate of encrypted listeners ends.",
                [([:], expiry.timeIntervalSince1970)])
        }
        text.gauge("segue_pages", "Open pages and scripts that follow events.", [([:], Double(pages))])
        text.counter(
            "segue_password_failures_total", "Wrong passwords since the start.", [([:], Double(passwordFailures))])
        text.counter("segue_played_seconds_total", "Music that was heard since the start.", [([:], played)])
        text.gauge(
            "segue_source_connected", "Whether the library's server can be reached; 0 where there is none.",
            [(["source": "server"], connection == "connected" ? 1 : 0)])
        writePlayers(to: &text)
    }

    private func writePlayers(to text: inout MetricsText) {
        text.gauge(
            "segue_player_state", "1 for the state that a partition's player is in.",
            partitions.flatMap { partition in
                ["play", "pause", "stop"].map {
                    (["partition": partition.name, "state": $0], $0 == partition.state ? 1 : 0)
                }
            })
        text.gauge(
            "segue_queue_songs", "Entries of the queue.",
            partitions.map { (["partition": $0.name], Double($0.songs)) })
        writeFailures(to: &text)
        writeOutputs(to: &text)
    }

    private func writeFailures(to text: inout MetricsText) {
        text.counter(
            "segue_stalls_total", "How often a song had to wait for its sound since the start.",
            partitions.map { (["partition": $0.name], Double($0.failures.stalls)) })
        text.counter(
            "segue_stream_interruptions_total", "How often a station was lost and connected again since the start.",
            partitions.map { (["partition": $0.name], Double($0.failures.interruptions)) })
        text.counter(
            "segue_play_failures_total", "Songs and stations that could not be played since the start.",
            partitions.map { (["partition": $0.name], Double($0.failures.failures)) })
    }

    private func writeOutputs(to text: inout MetricsText) {
        let outputs = partitions.flatMap { $0.outputs.filter { !$0.isMovedAway } }
        var seen: Set<String> = []
        let shown = outputs.filter { seen.insert($0.name).inserted }
        text.gauge(
            "segue_output_enabled", "Whether an output should play.",
            shown.map { (["output": $0.name, "type": $0.plugin], $0.isEnabled ? 1 : 0) })
        text.gauge(
            "segue_output_failing", "Whether an output has a problem.",
            shown.map { (["output": $0.name, "type": $0.plugin], $0.problem == nil ? 0 : 1) })
        text.counter(
            "segue_underruns_total", "How often an output had nothing to play in the middle of sound since the start.",
            shown.map { (["output": $0.name], Double($0.underruns)) })
        text.counter(
            "segue_output_failures_total", "How often an output got a problem since the start.",
            shown.map { (["output": $0.name], Double($0.failures)) })
        text.gauge(
            "segue_listeners", "Listeners of outputs that are streams.",
            shown.compactMap { output in output.listeners.map { (["output": output.name], Double($0)) } })
    }
}

/// Figures of the process, under the names that all programs use.
private enum ProcessFigures {
    static func write(to text: inout MetricsText) {
        let page = Double(sysconf(Int32(_SC_PAGESIZE)))
        if let fields = contents("/proc/self/statm")?.split(separator: " "), fields.count > 1 {
            text.gauge(
                "process_virtual_memory_bytes", "Virtual memory size in bytes.",
                [([:], (Double(fields[0]) ?? 0) * page)])
            text.gauge(
                "process_resident_memory_bytes", "Resident memory size in bytes.",
                [([:], (Double(fields[1]) ?? 0) * page)])
        }
        let fields = statistics
        if fields.count > 19, let user = Double(fields[11]), let system = Double(fields[12]) {
            text.counter(
                "process_cpu_seconds_total", "Total user and system CPU time spent in seconds.",
                [([:], (user + system) / ticks)])
            text.gauge("process_threads", "How many threads there are.", [([:], Double(fields[17]) ?? 0)])
        }
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        text.gauge(
            "process_open_fds", "Number of open file descriptors.", [([:], Double(descriptors?.count ?? 0))])
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.gauge(
                "process_max_fds", "Maximum number of open file descriptors.",
                [([:], limit.rlim_cur == .max ? .infinity : Double(limit.rlim_cur))])
        }
        if let startTime {
            text.gauge(
                "process_start_time_seconds", "Start time of the process since unix epoch in seconds.",
                [([:], startTime)])
        }
    }

    private static let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))

    /// When the process began. Found out once: a clock that is set later would move it.
    ///
    /// From its age, as the service's sandbox hides when the machine began.
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
    /// The lines so far.
    private(set) var buffer = ByteBuffer()

    /// Writes something that goes up and down, with a value for each set of labels.
    mutating func gauge(_ name: String, _ help: String, _ values: [([String: String], Double)]) {
        write(name, "gauge", help, values)
    }

    /// Writes something that only grows.
    mutating func counter(_ name: String, _ help: String, _ values: [([String: String], Double)]) {
        write(name, "counter", help, values)
    }

    /// Writes how often something took how long.
    ///
    /// - Parameters:
    ///   - bounds: the classes' upper bounds in seconds, ascending.
    ///   - classes: how many fell into each class, and into the one above all bounds.
    ///   - sum: all durations together in seconds.
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

    private mutating func write(_ name: String, _ type: String, _ help: String, _ values: [([String: String], Double)])
    {
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

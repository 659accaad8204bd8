import AudioFiles
import AudioOutputs
import Coordination
import Foundation
import Logging
import MusicModel
import NIOCore
import NIOPosix
import Outputs
import SegueConfiguration
import UserLibrary

/// A radio station on this machine that plays music made on the spot, for as long as someone listens.
/// - Isolation: any thread that may wait; the music is made and sent by a thread of its own.
final class DemoStation: Sendable {
    enum Programme: String, CaseIterable, Sendable {
        case harbour = "Radio Harbour"
        case meadow = "Meadow FM"

        fileprivate var usualPort: Int { self == .harbour ? 8010 : 8011 }

        var genre: String { self == .harbour ? "Ambient" : "Folk" }

        var picture: [UInt8] { DemoCover.png(self == .harbour ? .night : .noon) }

        fileprivate var songs: [Song] {
            switch self {
            case .harbour:
                [
                    ("Tide Table", .init(70, 55, true, [0, 5, 3, 6], 211)),
                    ("Lighthouse Keeper", .init(82, 52, false, [0, 3, 5, 4], 223)),
                ]
            case .meadow:
                [
                    ("Clover", .init(104, 60, false, [0, 4, 5, 3], 227)),
                    ("Hay Bales", .init(96, 57, false, [0, 3, 0, 4], 229)),
                ]
            }
        }
    }

    fileprivate typealias Song = (title: String, piece: DemoComposer.Piece)

    private struct Air {
        var listeners = 0
        var isOver = false
    }

    let url: String
    private let server: HTTPStreamServer
    private let air: Monitor<Air>

    init(_ programme: Programme, log: Logger) throws {
        let encoding = StreamEncoding(DemoEncoder.isAvailable(DemoEncoder.vorbis) ? .vorbis : .wave)
        let air = Monitor(Air())
        var settings = HTTPStreamServer.Settings(
            name: programme.rawValue, contentType: encoding.contentType(inOgg: false))
        (settings.output.address, settings.output.genre) = ("127.0.0.1", programme.genre)
        settings.output.maxClients = 16
        settings.hasTitlesBetween = !encoding.hasChapters(inOgg: false)
        settings.listenersChanged = { count in air.update { $0.listeners = count } }
        settings.output.port = programme.usualPort
        do {
            let first = try? HTTPStreamServer(settings, log: log)
            settings.output.port = 0
            server = try first ?? HTTPStreamServer(settings, log: log)
        } catch { throw AudioFileError(message: "no port is left for \(programme.rawValue): \(error)", cause: error) }
        self.air = air
        url = "http://127.0.0.1:\(server.port)/"
        let transmitter = Transmitter(
            name: programme.rawValue, songs: programme.songs, encoding: encoding, server: server, air: air)
        guard BlockingThread.start("demo station", { transmitter.run() }) else {
            server.stop()
            throw AudioFileError(message: BlockingThread.missing)
        }
        server.open()
    }

    func stop() {
        air.update { $0.isOver = true }
        server.stop()
    }

    /// The thread's part: makes a song when it is its turn, and sends it as fast as it is heard.
    private struct Transmitter: Sendable {
        private static let layout = SampleLayout(rate: 44100, channels: 2)
        /// How much listeners get before they need it.
        private static let ahead: Nanoseconds = .seconds(4)

        let name: String
        let songs: [Song]
        let encoding: StreamEncoding
        let server: HTTPStreamServer
        let air: Monitor<Air>

        func run() {
            // Nothing is made before it is wanted for the first time.
            while true {
                let state = air.wait(milliseconds: 3_600_000) { $0.isOver || $0.listeners > 0 ? $0 : nil }
                guard let state else { continue }
                guard !state.isOver else { return }
                do { try broadcast() } catch { return server.hangUp() }
            }
        }

        private func broadcast() throws(OutputProblem) {
            let stream = EncodedStream(encoding, inOgg: false, format: encoding.format(nil, for: Self.layout))
            let begin = Monotonic.now
            var frames = 0
            while true {
                for song in songs {
                    let tags = [TagValue(.artist, name), TagValue(.title, song.title)]
                    send(stream.startChapter(tags))
                    server.setTitle(tags.line)
                    let samples = DemoComposer.play(song.piece)
                    for start in stride(from: 0, to: samples.count, by: 8820) {
                        let part = samples[start..<min(start + 8820, samples.count)].map { Float($0) / 32768 }
                        send(try stream.write(part, Self.layout))
                        frames += part.count / 2
                        guard isHeard(until: begin + Self.layout.length(frames: frames) - Self.ahead) else {
                            return send(stream.finish())
                        }
                    }
                }
            }
        }

        /// Waits for a moment; whether it came with a listener still there.
        private func isHeard(until moment: Nanoseconds) -> Bool {
            let state = air.wait(milliseconds: 60_000) { state, again in
                again = moment
                return state.isOver || state.listeners == 0 || Monotonic.now >= moment ? state : nil
            }
            guard let state, !state.isOver else { return false }
            // One may have joined a moment ago, and have the header of what plays.
            return state.listeners > 0 || !server.forgetHeader()
        }

        private func send(_ pieces: [EncodedPiece]) {
            for piece in pieces { server.send(piece.bytes, isHeader: piece.isHeader) }
        }
    }
}

/// The house that `segue demo` shows: two rooms and two stations, all on this machine.
/// - Isolation: any thread that may wait.
struct DemoHouse: Sendable {
    /// The stations on air; they end with the process, or when they are stopped.
    let stations: [DemoStation]

    init() throws {
        // The program's log doesn't exist yet, and the stations have nothing to say that users could mend.
        let log = Logger(label: "segue.demo") { _ in SwiftLogNoOpLogHandler() }
        stations = try DemoStation.Programme.allCases.map { try DemoStation($0, log: log) }
    }

    /// Adds rooms and stations to the demonstration's configuration, and writes the stations' pictures into a folder.
    func furnish(_ configuration: inout Configuration, picturesIn folder: String) throws {
        configuration.outputs = Self.rooms()
        configuration.stations = try zip(DemoStation.Programme.allCases, stations).map { programme, station in
            let picture = "\(folder)/\(programme.rawValue).png"
            try Data(programme.picture).write(to: URL(fileURLWithPath: picture))
            return Station(
                name: programme.rawValue, url: station.url, picture: .file(picture), country: "Segue",
                genre: programme.genre)
        }
    }

    /// The room with this machine's sound, and one that browsers hear ("listen here").
    private static func rooms() -> [OutputSpecification] {
        var kitchen = OutputSpecification(type: .httpd, name: "Kitchen")
        kitchen.httpd.address = "127.0.0.1"
        kitchen.httpd.port = freePort(8000)
        kitchen.isAlwaysOn = true
        return [OutputSpecification(type: .auto, name: "Living room"), kitchen]
    }

    /// A port of this machine that no program uses now: the usual one if that is free.
    static func freePort(_ usual: Int) -> Int { port(bound: usual) ?? port(bound: 0) ?? usual }

    private static func port(bound port: Int) -> Int? {
        let server = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        guard let bound = try? server.bind(host: "127.0.0.1", port: port).wait() else { return nil }
        defer { try? bound.close().wait() }
        return bound.localAddress?.port
    }
}

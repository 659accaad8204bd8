import AsyncHTTPClient
import Coordination
package import Foundation
import Glibc
package import MPDSessions
import MusicModel
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Subsonic
import Supervision

/// Asks a running server whether it answers, as a client does.
package enum RunningServer {
    private static let maxLine = 4096
    private static let connectTimeout = TimeAmount.milliseconds(2500)

    /// Checks that the server at an address greets and answers a ping in time.
    package static func finding(
        at address: ListenerAddress, within limit: Duration = .milliseconds(2500)
    ) async -> Finding {
        let start = ContinuousClock.now
        let answer = await withTimeLimit(limit) { () -> Result<String, any Error> in
            do { return .success(try await greeting(of: address.forClients)) } catch { return .failure(error) }
        }
        switch answer {
        case .success(let greeting):
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            return Finding("server", .ok, "\(address) answers as \(greeting) after \(milliseconds) ms")
        case .failure(let error):
            return Finding("server", .failure, "\(address) doesn't serve: \(LocalRequestError.reason(error))")
        case nil: return Finding("server", .failure, "\(address) doesn't serve: \(LocalRequestError.tooLate.message)")
        }
    }

    /// The server's greeting, once it has also answered a ping.
    private static func greeting(of address: ListenerAddress) async throws -> String {
        let encryption = try address.encryption
        let channel = try await connect(to: address) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let encryption {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: encryption, serverHostname: nil))
                }
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var received: [UInt8] = []
            var greeting: String?
            for try await part in inbound {
                received += part.readableBytesView
                while let end = received.firstIndex(of: 0x0A) {
                    let line = String(decoding: received[..<end], as: UTF8.self)
                    received.removeSubrange(...end)
                    if let greeting {
                        guard line == "OK" else {
                            throw LocalRequestError("it answers a ping with \(line.quotable(utf8: 200))")
                        }
                        return greeting
                    }
                    guard line.hasPrefix("OK MPD ") else { throw LocalRequestError.noMPDServer }
                    greeting = String(line.dropFirst(3))
                    try await outbound.write(ByteBuffer(string: "ping\n"))
                }
                guard received.count <= maxLine else { throw LocalRequestError.noMPDServer }
            }
            throw LocalRequestError("it closed the connection, perhaps because max_connections is reached")
        }
    }

    private static func connect(
        to address: ListenerAddress,
        _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>>
    ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(connectTimeout)
        switch address {
        case .tcp(let host, let port), .tls(let host, let port):
            return try await bootstrap.connect(host: host, port: port, channelInitializer: prepare)
        case .unix(let path):
            let socket = try UnixSocket.connect(to: path)
            return try await bootstrap.withConnectedSocket(socket, channelInitializer: prepare)
        }
    }
}

/// Sockets of this machine that have a name.
enum UnixSocket {
    /// A new descriptor that is connected to a socket, which never waits; the caller closes it.
    /// - Throws: `IOError`.
    static func connect(to path: String) throws(IOError) -> CInt {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, CInt(kind), 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        guard let name = SocketName(path) else {
            close(descriptor)
            throw IOError(errnoCode: ENAMETOOLONG, reason: "connect")
        }
        guard name.withSocketAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw IOError(errnoCode: code, reason: "connect")
        }
        return descriptor
    }
}

extension ListenerAddress {
    /// Where a client on this machine reaches a server that listens here.
    package var forClients: ListenerAddress {
        switch self {
        case .tcp("0.0.0.0", let port), .tcp("*", let port): .tcp(host: "127.0.0.1", port: port)
        case .tcp("::", let port): .tcp(host: "::1", port: port)
        case .tls("0.0.0.0", let port), .tls("*", let port): .tls(host: "127.0.0.1", port: port)
        case .tls("::", let port): .tls(host: "::1", port: port)
        default: self
        }
    }

    /// How to encrypt; nil for addresses where nothing is. This asks one's own server whether it answers, and tells it
    /// nothing, so its certificate is not checked.
    fileprivate var encryption: NIOSSLContext? {
        get throws {
            guard case .tls = self else { return nil }
            var settings = TLSConfiguration.makeClientConfiguration()
            settings.certificateVerification = .none
            return try NIOSSLContext(configuration: settings)
        }
    }
}

/// One request to a server on this machine.
package enum LocalRequest {
    /// A server's response.
    package struct Answer: Sendable {
        /// The status of HTTP.
        package var status: Int
        /// The body, whatever the status.
        package var content: Data

        /// The body of an answer that has one.
        package func body(of address: (host: String, port: Int)) throws(LocalRequestError) -> Data {
            guard status == 200 else {
                throw LocalRequestError("\(address.host):\(address.port) answers with status \(status)")
            }
            return content
        }
    }

    private static let maxSize = 4 << 20

    /// Fetches a path, in three seconds at most.
    package static func get(
        _ path: String, at address: (host: String, port: Int), token: String? = nil
    ) async throws -> Answer {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        var request = HTTPClientRequest(url: "http://\(host):\(address.port)\(path)")
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(3))
        let body = try await response.body.collect(upTo: maxSize)
        return Answer(status: Int(response.status.code), content: Data(body.readableBytesView))
    }
}

/// A server on this machine that doesn't answer as it should.
package struct LocalRequestError: Error {
    /// The cause, in a sentence without its end.
    package let message: String

    init(_ message: String) { self.message = message }

    static let tooLate = LocalRequestError("it does not answer in time")
    static let noMPDServer = LocalRequestError("what answers there is no MPD server")

    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as LocalRequestError: error.message
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as NIOConnectionError: error.connectionErrors.first.map { reason($0.error) } ?? "no such host"
        case ChannelError.connectTimeout: tooLate.message
        default: "\(error)"
        }
    }
}

/// The part of the status that people are shown.
package struct ShownStatus: Decodable {
    struct Player: Decodable {
        var state: String
        var elapsed: Double
        var duration: Double?
        var error: String?
    }
    struct Song: Decodable {
        var title: String
        var artist: String
        var album: String?
    }
    struct Queue: Decodable {
        var length: Int
        var position: Int?
    }
    struct Output: Decodable {
        var name: String
        var enabled: Bool
        var problem: String?
    }
    struct Connection: Decodable {
        var state: String
        var sentence: String
    }
    struct Waiting: Decodable {
        var plays: Int
        var edits: Int
    }
    struct Contents: Decodable {
        var songs: Int
        var albums: Int
    }

    var player: Player
    var song: Song?
    var queue: Queue
    var volume: Int?
    var outputs: [Output]
    var connection: Connection
    var waiting: Waiting
    var library: Contents

    /// Reads an answer of `GET /api/status`; nil for any other text.
    package init?(_ answer: Data) {
        guard let status = try? JSONDecoder().decode(ShownStatus.self, from: answer) else { return nil }
        self = status
    }

    /// A few lines; control characters of tags don't reach the terminal.
    package var text: String {
        var lines: [String] = []
        if let song, player.state != "stop" {
            let names = [song.artist, song.title].filter { !$0.isEmpty }.joined(separator: ": ")
            lines.append("\(player.state == "play" ? "Playing" : "Paused at") \(names)")
            if let album = song.album { lines.append("  from \(album)") }
            lines.append("  \(Self.time(player.elapsed))" + (player.duration.map { " of \(Self.time($0))" } ?? ""))
        } else {
            lines.append("Stopped")
        }
        if let error = player.error { lines.append("  \(error)") }
        let position = queue.position.map { ", at \($0 + 1)" } ?? ""
        lines.append("Queue: \(queue.length) songs\(position)" + (volume.map { "; volume \($0) %" } ?? ""))
        lines.append("Library: \(library.songs) songs, \(library.albums) albums")
        lines.append("Server: \(connection.sentence.isEmpty ? connection.state : connection.sentence)")
        if waiting.plays + waiting.edits > 0 {
            lines.append("Waiting for it: \(waiting.plays) plays, \(waiting.edits) edits")
        }
        for output in outputs {
            lines.append("Output \(output.name): \(output.problem ?? (output.enabled ? "on" : "off"))")
        }
        return lines.map(\.onOneLine).joined(separator: "\n")
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds, 0), 1e7))
        return String(format: "%d:%02d", whole / 60, whole % 60)
    }
}

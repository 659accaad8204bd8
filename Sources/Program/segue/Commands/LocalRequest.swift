import Foundation
import NIOCore
import NIOPosix

/// One request to a server on this machine, without a library for it: the answer is short and never compressed.
enum LocalRequest {
    struct Answer {
        var status: Int
        var content: Data

        /// The body of an answer that has one.
        ///
        /// - Throws: `CommandFailure`.
        func body(of address: (host: String, port: Int)) throws -> Data {
            guard status == 200 else {
                throw CommandFailure("\(address.host):\(address.port) answers with status \(status)")
            }
            return content
        }
    }

    private static let limit = 4 << 20

    /// Fetches a path, in three seconds at most.
    ///
    /// - Throws: the system's error, or `CommandFailure` for what is no HTTP.
    static func get(_ path: String, at address: (host: String, port: Int), token: String? = nil) async throws -> Answer
    {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(3))
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let limit = channel.channel.eventLoop.scheduleTask(in: .seconds(3)) { channel.channel.close(promise: nil) }
        defer { limit.cancel() }
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        var request = "GET \(path) HTTP/1.1\r\nHost: \(host):\(address.port)\r\nConnection: close\r\n"
        if let token { request += "Authorization: Bearer \(token)\r\n" }
        let bytes = ByteBuffer(string: request + "\r\n")
        let answer = try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(bytes)
            var answer = Data()
            for try await part in inbound {
                answer.append(contentsOf: part.readableBytesView)
                guard answer.count < Self.limit else { break }
            }
            return answer
        }
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)), answer.starts(with: Data("HTTP/1.1 ".utf8)),
            let status = Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self))
        else { throw CommandFailure("\(address.host):\(address.port) doesn't answer as Segue does") }
        return Answer(status: status, content: Data(answer[end.upperBound...]))
    }
}

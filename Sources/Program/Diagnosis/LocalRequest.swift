package import Foundation
import NIOCore
import NIOPosix

/// One request to a server on this machine, without a library for it: the answer is short and never compressed.
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
    ///
    /// - Throws: the system's error, or `LocalRequestError` for what is no HTTP.
    package static func get(
        _ path: String, at address: (host: String, port: Int), token: String? = nil
    ) async throws -> Answer {
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
                guard answer.count < Self.maxSize else { break }
            }
            return answer
        }
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)), answer.starts(with: Data("HTTP/1.1 ".utf8)),
            let status = Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self))
        else { throw LocalRequestError("\(address.host):\(address.port) doesn't answer as Segue does") }
        return Answer(status: status, content: Data(answer[end.upperBound...]))
    }
}

/// A server on this machine that doesn't answer as it should.
package struct LocalRequestError: Error {
    /// The cause, in a sentence without its end.
    package let message: String

    init(_ message: String) { self.message = message }

    static let tooLate = LocalRequestError("it does not answer in time")
    static let noMPDServer = LocalRequestError("what answers there is no MPD server")

    /// The cause in the system's words.
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

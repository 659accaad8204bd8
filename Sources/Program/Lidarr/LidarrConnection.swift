import AsyncHTTPClient
import Coordination
import Foundation
import Logging
import MusicModel
import NIOCore
import NIOHTTP1
import Subsonic
import WebAPI

/// Sends calls to Lidarr's API, version 1, and turns whatever goes wrong into an `AlbumRequestError`.
final class LidarrConnection: Sendable {
    /// The maximum size of an answer, unpacked: a search brings whole artists with all their pictures' addresses.
    private static let maxAnswerSize = 8 << 20

    private let settings: LidarrSettings
    private let connections: HTTPConnections
    private let log: Logger

    init(_ settings: LidarrSettings, log: Logger) {
        (self.settings, self.log) = (settings, log)
        connections = Self.connections(settings)
    }

    private static func connections(_ settings: LidarrSettings) -> HTTPConnections {
        HTTPConnections(connect: .seconds(5), read: settings.timeout, idle: .seconds(20))
    }

    /// A refusal of Lidarr with its complaints, for callers that know a way around one of them.
    struct Refusal: Error {
        var failures: [LidarrResource.ValidationFailure]
        var error: AlbumRequestError
    }

    func get<Answer: Decodable>(
        _ type: Answer.Type, _ path: String, _ query: [(name: String, value: String)] = []
    ) async throws -> Answer {
        let data = try await getData(path, query)
        do { return try JSONDecoder().decode(type, from: data) } catch {
            log.debug(
                "an answer of Lidarr's can't be read", metadata: ["call": "\(path)", "error": "\(ErrorChain(error))"])
            throw AlbumRequestError(
                .misconfigured, "The server at \(settings.url) is not Lidarr, or another version.", cause: error)
        }
    }

    /// Fetches something as it is.
    func getData(_ path: String, _ query: [(name: String, value: String)] = []) async throws -> Data {
        var parts = URLComponents()
        parts.queryItems = query.isEmpty ? nil : query.map { URLQueryItem(name: $0.name, value: $0.value) }
        // A plus sign would be read as a space.
        let text = parts.percentEncodedQuery.map { "?" + $0.replacing("+", with: "%2B") } ?? ""
        do {
            return try await send(HTTPClientRequest(url: "\(settings.url)/api/v1/\(path)\(text)"), path)
        } catch let refusal as Refusal {
            // There is no way around a complaint about a question.
            throw refusal.error
        }
    }

    /// Sends something; throws a `Refusal` where Lidarr has complaints.
    func send(_ method: HTTPMethod, _ path: String, _ body: [String: Any]) async throws {
        var request = HTTPClientRequest(url: "\(settings.url)/api/v1/\(path)")
        request.method = method
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: body)))
        _ = try await send(request, path)
    }

    private func send(_ request: HTTPClientRequest, _ path: String) async throws -> Data {
        var request = request
        request.headers.add(name: "x-api-key", value: settings.key.reveal())
        request.headers.add(name: "user-agent", value: "segue")
        do {
            let (status, data) = try await answer(to: request, again: request.method == .GET)
            if let refusal = Self.refusal(status, data, from: settings.url) { throw refusal }
            return data
        } catch  where error is AlbumRequestError || error is Refusal || error is CancellationError {
            throw error
        } catch  where Task.isCancelled {
            throw CancellationError()
        } catch {
            log.debug("a call of Lidarr's failed", metadata: ["call": "\(path)", "error": "\(ErrorChain(error))"])
            throw Self.failure(error, settings.url)
        }
    }

    /// The whole answer, within the time that it may take: the client's own limit ends with the answer's head. A
    /// question is asked once more where the connection is lost: one that was kept may be closed at the very moment in
    /// which a call takes it, and so may all others that were kept; the second call has a new one.
    private func answer(
        to request: HTTPClientRequest, again: Bool
    ) async throws -> (status: HTTPResponseStatus, body: Data) {
        do {
            return try await answer(to: request, over: connections)
        } catch  where again && Self.isLostConnection(error) {
            return try await answer(to: request, over: Self.connections(settings))
        }
    }

    private static func isLostConnection(_ error: any Error) -> Bool {
        if let error = error as? IOError { return [ECONNRESET, EPIPE].contains(error.errnoCode) }
        return error as? HTTPClientError == .remoteConnectionClosed || error as? ChannelError == .ioOnClosedChannel
    }

    private func answer(
        to request: HTTPClientRequest, over connections: HTTPConnections
    ) async throws -> (status: HTTPResponseStatus, body: Data) {
        let (client, limit) = (connections.client, settings.timeout)
        let answer = try await withTimeLimit(limit) {
            let response = try await client.execute(request, timeout: TimeAmount(limit))
            let body = try await response.body.gathered(upTo: Self.maxAnswerSize)
            return (status: response.status, body: Data(body.readableBytesView))
        }
        try Task.checkCancellation()
        guard let answer else { throw HTTPClientError.deadlineExceeded }
        return answer
    }

    private static func failure(_ error: any Error, _ url: String) -> AlbumRequestError {
        let isSlow = (error as? HTTPClientError).map { [.readTimeout, .deadlineExceeded].contains($0) } ?? false
        if isSlow || error is TinyPieces {
            return AlbumRequestError(.unavailable, "Lidarr takes too long to answer; try again later.", cause: error)
        }
        if error is NIOTooManyBytesError {
            return AlbumRequestError(
                .refused, "Lidarr found too much for one answer; search for something more specific.", cause: error)
        }
        return AlbumRequestError(.unavailable, "Lidarr can't be reached at \(url). Is it running?", cause: error)
    }

    /// The error that an answer is, a `Refusal` or a `AlbumRequestError`; nil for a success.
    static func refusal(_ status: HTTPResponseStatus, _ body: Data, from url: String) -> (any Error)? {
        switch status.code {
        case 200..<300: return nil
        case 300..<400:
            return AlbumRequestError(
                .misconfigured,
                "Lidarr at \(url) redirects elsewhere. Does the address under [lidarr] lack its URL base, or "
                    + "https?")
        case 401, 403:
            return AlbumRequestError(
                .misconfigured, "Lidarr refuses the key; copy api_key under [lidarr] from its settings, General.")
        case 404: return AlbumRequestError(.notFound, "Lidarr does not know that album.")
        case 400:
            guard let failures = try? JSONDecoder().decode([LidarrResource.ValidationFailure].self, from: body) else {
                return AlbumRequestError(.refused, "Lidarr refuses the request.\(words(body))")
            }
            let words = failures.compactMap(\.errorMessage).prefix(3).map { $0.quotable(utf8: 200) }
            let error = AlbumRequestError(.refused, "Lidarr refuses the album: \(words.joined(separator: " "))")
            return Refusal(failures: failures, error: error)
        case 502, 503, 504:
            return AlbumRequestError(.unavailable, "Lidarr's catalogue does not answer at present; try again later.")
        case let code: return AlbumRequestError(.unavailable, "Lidarr failed (HTTP \(code)).\(words(body))")
        }
    }

    /// Lidarr's own message, as a sentence behind another one.
    private static func words(_ body: Data) -> String {
        guard let message = (try? JSONDecoder().decode(LidarrResource.Failure.self, from: body))?.message else {
            return ""
        }
        return " It says: \(message.quotable(utf8: 200))"
    }
}

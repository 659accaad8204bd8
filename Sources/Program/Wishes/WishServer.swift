import AsyncHTTPClient
import Coordination
import Discovery
import Foundation
import Logging
import MusicModel
import NIOCore
import NIOHTTP1
import Subsonic
import Synchronization

/// A language model on the listener's own machine that reads wishes, behind OpenAI's interface for chats. Its calls
/// throw `WishReadingError`, or `CancellationError`.
/// It gets the wish and names of genres and moods, and what it answers counts only if the library has it. Of all
/// partitions it reads two wishes at a time; others wait for their turn, which counts as the server's time.
final class WishServer: WishReading {
    private static let maxAnswerSize = 64 << 10
    /// The time after a warning in which further ones are left out.
    private static let quiet = Duration.seconds(600)

    private let settings: WishServerSettings
    private let connections: HTTPConnections
    /// A model on a listener's machine is not made for many at once, and each partition may ask.
    private let slots = ConcurrencyLimit(2)
    private let log: Logger
    private let lastWarning = Mutex<ContinuousClock.Instant?>(nil)
    /// False once the server has refused a schema for its answers.
    private let takesSchemas = Mutex(true)

    init(_ settings: WishServerSettings, log: Logger) {
        (self.settings, self.log) = (settings, log)
        connections = HTTPConnections(connect: .seconds(5), read: settings.timeout, idle: .seconds(20))
    }

    func read(_ wish: String, _ vocabulary: WishVocabulary) async throws -> PickWish {
        let question = WishQuestion(wish, vocabulary)
        do {
            let body = try await inTime {
                try await self.slots.acquire()
                defer { self.slots.release() }
                return try await self.answer(to: question)
            }
            guard let answer = WishAnswer.read(body) else { throw Self.nonsense }
            return answer.wish(vocabulary)
        } catch let error as WishReadingError {
            warn(error)
            throw error
        }
    }

    /// Asks for the server's list of models, as the cheapest sign that it is there and takes the key. Returns whether
    /// the configured model is among them; nil where that can't be told.
    func check() async throws -> Bool? {
        let body = try await inTime { try await self.data(HTTPClientRequest(url: "\(self.settings.url)/models")) }
        struct Models: Decodable {
            struct Model: Decodable {
                var id: String?
            }
            var data: [Model]?
        }
        guard let model = settings.model, let models = try? JSONDecoder().decode(Models.self, from: body).data else {
            return nil
        }
        return models.contains { $0.id == model || $0.id == "\(model):latest" }
    }

    // MARK: Requests

    /// The body of the answer; servers that refuse the schema are asked once more without it.
    private func answer(to question: WishQuestion) async throws -> Data {
        let hasSchema = takesSchemas.withLock { $0 }
        do {
            return try await post(question.body(model: settings.model, hasSchema: hasSchema))
        } catch let refusal as Refusal where hasSchema && [400, 422].contains(refusal.status) {
            let body = try await post(question.body(model: settings.model, hasSchema: false))
            takesSchemas.withLock { $0 = false }
            return body
        }
    }

    private func post(_ body: Data) async throws -> Data {
        var request = HTTPClientRequest(url: "\(settings.url)/chat/completions")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        return try await data(request)
    }

    private func data(_ request: HTTPClientRequest) async throws -> Data {
        var request = request
        request.headers.add(name: "accept", value: "application/json")
        request.headers.add(name: "user-agent", value: "segue")
        if let key = settings.key { request.headers.add(name: "authorization", value: "Bearer \(key.reveal())") }
        let response = try await connections.client.execute(request, timeout: TimeAmount(settings.timeout))
        guard response.status.code == 200 else { throw Refusal(status: response.status.code) }
        return Data(try await response.body.gathered(upTo: Self.maxAnswerSize).readableBytesView)
    }

    /// Runs a request for as long as all of it may take.
    private func inTime(_ request: @escaping @Sendable () async throws -> Data) async throws -> Data {
        do {
            if let answer = try await withTimeLimit(settings.timeout, request) { return answer }
        } catch {
            try Task.checkCancellation()
            log.debug("the prompt server gives no answer", metadata: ["because": "\(ErrorChain(error))"])
            throw Self.failure(error)
        }
        try Task.checkCancellation()
        throw Self.slow
    }

    // MARK: Failures

    private struct Refusal: Error {
        var status: UInt
    }

    private static let slow = WishReadingError("the prompt server takes too long")
    private static let nonsense = WishReadingError("the prompt server sends an invalid answer")

    private static func failure(_ error: any Error) -> WishReadingError {
        switch error {
        case let refusal as Refusal:
            switch refusal.status {
            case 300..<400: return WishReadingError("the prompt server redirects elsewhere")
            case 401, 403: return WishReadingError("the prompt server refuses the key")
            case 404: return WishReadingError("the prompt server does not know the model, or its address is wrong")
            case let status: return WishReadingError("the prompt server fails (HTTP \(status))")
            }
        case is NIOTooManyBytesError, is TinyPieces:
            return WishReadingError("the prompt server sends too large an answer", cause: error)
        case let error as HTTPClientError
        where [.readTimeout, .deadlineExceeded, .connectTimeout].contains(error):
            return slow
        default: return WishReadingError("the prompt server can't be reached", cause: error)
        }
    }

    /// Writes a failure into the log, unless one was written a short time ago.
    private func warn(_ error: WishReadingError) {
        let isFirst = lastWarning.withLock { last in
            if let last, .now - last < Self.quiet { return false }
            last = .now
            return true
        }
        if isFirst {
            log.warning("a wish was interpreted by rules: \(chain: error)", metadata: ["url": "\(settings.url)"])
        }
    }
}

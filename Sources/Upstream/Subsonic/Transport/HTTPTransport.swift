import AsyncHTTPClient
import Coordination
import Logging
import MusicModel
import NIOCore
import NIOHTTP1
import Synchronization

/// Sends calls over HTTP and finds out which form of them the server takes.
final class HTTPTransport: Sendable {
    /// The server's abilities as they were found out.
    struct Manners: Hashable, Sendable {
        /// How the credential is sent.
        var form = Credentials.Form.token
        var isConfirmed = false
        /// True if parameters go in the body, which keeps them out of the logs of servers and proxies.
        var postsForms = true
        /// True if compressed answers are welcome.
        var acceptsGzip = true
    }

    /// The largest answer that is taken, after it was unpacked; a list of 40,000 songs in one page.
    static let maxAnswerSize = 64 << 20
    /// Larger answers wait for each other, so that many of them don't take many times the limit.
    static let ordinaryAnswer = 4 << 20
    /// The largest picture that is taken.
    static let maxPictureSize = 16 << 20

    /// How many times more often a call is repeated after a refusal because of too many than after a failure.
    private static let rateLimitFactor = 3

    let settings: SubsonicSettings
    let log: Logger
    let address: ServerAddress?
    private let connections: HTTPConnections
    /// Closes those of a lost address.
    let openConnections = OpenConnections()
    private let secret: Mutex<Credentials>
    private let manners = Mutex(Manners())
    let reachability = Reachability()
    /// Slows calls down while there are too many of them.
    let pace = RequestPace()
    /// Lets one large answer after the other into memory.
    let largeAnswers = ConcurrencyLimit(1)

    init(_ settings: SubsonicSettings, log: Logger) {
        self.settings = settings
        self.log = log
        address = ServerAddress(settings.url)
        secret = Mutex(Credentials(settings))
        connections = HTTPConnections(connect: settings.timeouts.connect, read: settings.timeouts.idle) {
            [address, openConnections] in
            $0.connectionPool.retryConnectionEstablishment = false
            $0.noticeDeadConnections(openConnections)
            $0.trust(settings.certificate)
            if let address { $0.use(settings.proxy, for: address.host) }
        }
    }

    func shutDown() async { await connections.shutDown() }
    var http: HTTPClient { connections.client }
    var credentials: Credentials { secret.withLock { $0 } }

    /// Sends another credential of the same user from now on.
    func use(_ credential: SubsonicSettings.Credential) {
        var changed = settings
        changed.credential = credential
        secret.withLock { $0 = Credentials(changed) }
        manners.withLock { ($0.form, $0.isConfirmed) = (.token, false) }
    }

    var shownAddress: String { address?.shown ?? "an invalid address" }

    // MARK: Sending

    /// Sends a call and returns what comes back, with errors of HTTP and of the server's envelope already thrown.
    /// - Parameter read: takes the response; its errors may make the transport change its manners and send again.
    func send<Answer>(
        _ call: SubsonicCall, read: (HTTPClientResponse) async throws -> Answer
    ) async throws -> Answer {
        var repetition = 0
        while true {
            do {
                return try await sendAdapting(call, read)
            } catch {
                let error = failure(from: error)
                // The caller that asked for a file decides what a refusal of it means.
                guard let error = error as? SubsonicError, call.isRepeatable, error.isTransient,
                    !(call.isMedia && error.isRefusal),
                    repetition < settings.retries.count * (error.code == .rateLimited ? Self.rateLimitFactor : 1)
                else { throw error }
                let pause = settings.retries.pause(beforeRepetition: repetition, asked: error.retryAfter)
                log.debug(
                    "retrying a call",
                    metadata: ["call": "\(call.name)", "because": "\(ErrorChain(error))", "in": "\(pause)"])
                try await Task.sleep(for: pause)
                repetition += 1
            }
        }
    }

    /// Sends a call; when the server turns out to want it in another form, sends it again in that.
    private func sendAdapting<Answer>(
        _ call: SubsonicCall, _ read: (HTTPClientResponse) async throws -> Answer
    ) async throws -> Answer {
        while true {
            let used = manners.withLock { $0 }
            do {
                let answer = try await read(try await exchange(call, used))
                if !used.isConfirmed { manners.withLock { if $0.form == used.form { $0.isConfirmed = true } } }
                reachability.answered()
                pace.answered()
                return answer
            } catch {
                let error = paced(failure(from: error))
                reachability.failed(error, isPing: call.name == "ping")
                guard let error = error as? SubsonicError, let better = try adapted(used, to: error, call) else {
                    throw error
                }
                log.info(
                    "adapting to the server", metadata: ["call": "\(call.name)", "because": "\(ErrorChain(error))"])
                manners.withLock { if $0 == used { $0 = better } }
            }
        }
    }

    /// Slows down after a refusal because of too many calls. That is also what a server means by 503 while it answers
    /// others, as limits of nginx do.
    private func paced(_ error: any Error) -> any Error {
        guard var refused = error as? SubsonicError else { return error }
        if refused.code == .server(status: 503), refused.retryAfter != nil || pace.wasAnswered {
            let asked = refused.retryAfter
            refused = SubsonicError(
                .rateLimited, "\(shownAddress) accepts no more requests at once (HTTP 503).", retryAfter: asked,
                cause: refused)
        }
        if refused.code == .rateLimited { pace.refused() }
        if refused.isRefusal { pace.answered() }
        return refused
    }

    /// The form to try instead; nil where the error stands.
    private func adapted(_ used: Manners, to error: SubsonicError, _ call: SubsonicCall) throws -> Manners? {
        var better = used
        switch error.code {
        case .credentialNotSupported where used.form == .token,
            .refused(code: 10) where used.form == .token && !used.isConfirmed:
            // supysonic, from before tokens, misses the parameter `p`.
            guard credentials.knowsPassword else { throw SubsonicError.tokensUnknown(shownAddress) }
            better.form = .encodedPassword
        case .unsupported
        where error.cause == .methodNotAllowed && used.postsForms && !call.isMedia && call.json == nil:
            better.postsForms = false
        case .badAnswer where error.cause == .compression && used.acceptsGzip && call.isRepeatable:
            better.acceptsGzip = false
        default: return nil
        }
        return better
    }

    private func exchange(_ call: SubsonicCall, _ manners: Manners) async throws -> HTTPClientResponse {
        guard let address else {
            throw SubsonicError(.badSettings, "The server's address must look like http://host:4533 or https://host.")
        }
        let parameters =
            credentials.parameters(manners.form)
            + [("v", "1.16.1"), ("c", settings.clientName(of: call.room)), ("f", "json")] + call.parameters
        let form = FormEncoding.encode(parameters)
        var request: HTTPClientRequest
        if let json = call.json {
            request = HTTPClientRequest(url: "\(address.url(of: call.name))?\(form)")
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        } else if manners.postsForms && !call.isMedia {
            request = HTTPClientRequest(url: address.url(of: call.name))
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: form))
        } else {
            request = HTTPClientRequest(url: "\(address.url(of: call.name))?\(form)")
        }
        let isCompressible = manners.acceptsGzip && !call.isMedia
        request.headers.add(name: "Accept-Encoding", value: isCompressible ? "gzip" : "identity")
        addOwnHeaders(to: &request)
        if let range = call.range { request.headers.add(name: "Range", value: range) }
        try await pace.takeTurn()
        let doubt = Task { [reachability, wait = settings.timeouts.doubt] in
            try await Task.sleep(for: wait)
            reachability.doubt()
        }
        defer { doubt.cancel() }
        let response = try await http.execute(request, timeout: TimeAmount(call.timeout ?? settings.timeouts.answer))
        log.trace("answer", metadata: ["call": "\(call.name)", "status": "\(response.status.code)"])
        return response
    }

    /// Names the client, and what a proxy before the server wants to know.
    func addOwnHeaders(to request: inout HTTPClientRequest) {
        request.headers.add(name: "User-Agent", value: "segue")
        for header in settings.headers { request.headers.replaceOrAdd(name: header.name, value: header.value) }
    }

    // MARK: Errors

    /// The error as callers see it: `CancellationError`, or a `SubsonicError`.
    func failure(from error: any Error) -> any Error {
        if error is CancellationError || error is SubsonicError { return error }
        if Task.isCancelled { return CancellationError() }
        return SubsonicError(transport: error, address: shownAddress)
    }
}

/// One call of the API, such as `search3`.
struct SubsonicCall: Sendable {
    let name: String
    var parameters: [(name: String, value: String)]
    /// False if it does harm to send it twice.
    let isRepeatable: Bool
    /// The room that it tells of, from 1.
    let room: Int
    /// True if it returns a file, which is asked for by GET and without compression.
    let isMedia: Bool
    /// A body, which is sent by POST; the parameters stand in the address then.
    let json: String?
    /// How long the answer may take; nil as the settings say.
    let timeout: Duration?
    /// The part of the file that is wanted, as a header's value.
    var range: String?

    init(
        _ name: String, _ parameters: KeyValuePairs<String, String> = [:], isRepeatable: Bool = true, room: Int = 1,
        isMedia: Bool = false, json: String? = nil, timeout: Duration? = nil
    ) {
        self.name = name
        self.parameters = parameters.map { ($0.key, $0.value) }
        (self.isRepeatable, self.room, self.isMedia) = (isRepeatable, room, isMedia)
        (self.json, self.timeout) = (json, timeout)
    }

    func with(_ name: String, _ values: [String]) -> SubsonicCall {
        var call = self
        call.parameters += values.map { (name, $0) }
        return call
    }

    func with(_ name: String, _ value: String?) -> SubsonicCall { with(name, value.map { [$0] } ?? []) }
}

extension SubsonicSettings.Retries {
    /// The pause before a repetition, counted from 0: doubled each time, varied by up to a half, so that many
    /// clients don't come back at the same moment.
    func pause(beforeRepetition repetition: Int, asked: Duration?) -> Duration {
        let doubled = firstDelay * (1 << min(repetition, 16))
        let varied = doubled * Double.random(in: 0.75...1.25)
        return min(max(varied, asked ?? .zero), maxDelay)
    }
}

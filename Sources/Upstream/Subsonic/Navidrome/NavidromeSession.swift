import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// A sign-in to Navidrome's own API, which tells more than the Subsonic API: above all, when something changes.
///
/// Its token lasts for two days, and every answer brings a fresh one. It is had for the password; where only a Subsonic
/// token is known, one that was kept since `segue login` stays valid while Segue runs at least every other day. Other
/// servers have nothing of the kind: calls throw `unsupported`.
package final class NavidromeSession: Sendable {
    private struct State {
        var token: String?
        var lastSignIn: ContinuousClock.Instant?
        /// True if the last attempt to sign in found another server than a Navidrome.
        var isElsewhere = false
    }

    /// Five sign-ins in 20 seconds are the most that Navidrome takes from one address; web players need theirs, too.
    private static let pauseBetweenSignIns = Duration.seconds(10)
    private static let maxAnswerSize = 1 << 20

    let transport: HTTPTransport
    private let state: Mutex<State>
    private let renewed: @Sendable (_ token: String) -> Void

    /// Makes a session with the same server and user, and a token from before, if there is one; nothing is sent.
    /// `renewed` is given each fresh token, to keep it; called from any thread.
    package init(
        _ client: SubsonicClient, token: String? = nil,
        renewed: @escaping @Sendable (_ token: String) -> Void = { _ in }
    ) {
        transport = client.transport
        state = Mutex(State(token: token))
        self.renewed = renewed
    }

    /// True if there is anything to sign in with.
    package var canSignIn: Bool { transport.credentials.knowsPassword || state.withLock { $0.token != nil } }

    /// Signs in with the password.
    /// - Returns: the token, as good as a password for two days.
    /// - Throws: `SubsonicError`: `unauthorized` where the password is wrong or only a token is known, `unsupported` on
    ///   servers that are no Navidrome, `rateLimited` where it would be too often.
    package func signIn() async throws -> String {
        guard let body = transport.credentials.signInBody else {
            throw SubsonicError(.unauthorized, "The session with \(transport.shownAddress) has ended.")
        }
        try state.withLock { state in
            let now = ContinuousClock.now
            if let last = state.lastSignIn, now - last < Self.pauseBetweenSignIns {
                if state.isElsewhere { throw noNavidrome }
                throw SubsonicError(
                    .rateLimited, "\(transport.shownAddress) was asked for a session only recently.",
                    retryAfter: Self.pauseBetweenSignIns - (now - last))
            }
            state.lastSignIn = now
        }
        do {
            let token = try await requestToken(body)
            keep(token)
            return token
        } catch let error as SubsonicError where error.code == .unsupported {
            state.withLock { $0.isElsewhere = true }
            throw error
        }
    }

    private var noNavidrome: SubsonicError {
        SubsonicError(.unsupported, "\(transport.shownAddress) is not Navidrome.")
    }

    private func requestToken(_ body: [UInt8]) async throws -> String {
        var request = try request("/auth/login")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await execute(request)
        try check(response)
        let answer = try await response.body.gathered(upTo: Self.maxAnswerSize)
        var token: String?
        do {
            try answer.withUnsafeReadableBytes { bytes in
                var reader = JSONReader(bytes)
                try reader.member("token") { token = try $0.nonEmptyText() }
            }
        } catch { throw SubsonicError(.unsupported, noNavidrome.message, cause: error) }
        guard let token else { throw noNavidrome }
        return token
    }

    /// Sends a request of the native API to what follows the server's address, signing in where that is needed; after
    /// `unauthorized` the token is forgotten. Events may not come packed: they would come late.
    func open(_ path: String, accept: String, isCompressible: Bool = false) async throws -> HTTPClientResponse {
        do {
            let isOld = state.withLock { $0.token != nil }
            let response = try await openOnce(path, accept, isCompressible)
            guard response.status == .unauthorized, isOld, transport.credentials.knowsPassword else {
                try check(response)
                return response
            }
            // An old token: with a new one it works, or the password is wrong, too.
            let second = try await openOnce(path, accept, isCompressible)
            try check(second)
            return second
        } catch { throw transport.failure(from: error) }
    }

    private func openOnce(
        _ path: String, _ accept: String, _ isCompressible: Bool
    ) async throws -> HTTPClientResponse {
        let known = state.withLock { $0.token }
        let token = if let known { known } else { try await signIn() }
        var request = try request(path)
        request.headers.add(name: "Accept", value: accept)
        if isCompressible { request.headers.add(name: "Accept-Encoding", value: "gzip") }
        request.headers.add(name: "X-Nd-Authorization", value: "Bearer \(token)")
        let response = try await execute(request)
        if response.status == .unauthorized {
            state.withLock { if $0.token == token { $0.token = nil } }
        } else if let fresh = response.headers.first(name: "X-Nd-Authorization"), fresh != token, !fresh.isEmpty {
            keep(fresh)
        }
        return response
    }

    private func keep(_ token: String) {
        state.withLock { ($0.token, $0.isElsewhere) = (token, false) }
        renewed(token)
    }

    private func request(_ path: String) throws -> HTTPClientRequest {
        guard let address = transport.address else {
            throw SubsonicError(.badSettings, "The server's address must look like http://host:4533 or https://host.")
        }
        var request = HTTPClientRequest(url: address.shown + path)
        transport.addOwnHeaders(to: &request)
        return request
    }

    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await transport.http.execute(request, timeout: TimeAmount(transport.settings.timeouts.answer))
        } catch { throw transport.failure(from: error) }
    }

    /// Throws what a status means; a redirection leads to Navidrome's web page or to another program's.
    private func check(_ response: HTTPClientResponse) throws {
        let address = transport.shownAddress
        switch response.status.code {
        case 200..<300: return
        case 401: throw SubsonicError(.unauthorized, "\(address) does not accept the session or the password.")
        case 403, 429, 500...:
            throw SubsonicError(status: response.status, headers: response.headers, address: address)
                ?? SubsonicError(.unsupported, "\(address) has no sessions.")
        default: throw SubsonicError(.unsupported, "\(address) is not Navidrome (HTTP \(response.status.code)).")
        }
    }
}

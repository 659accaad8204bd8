import Foundation
import MPDCommands
import MPDProtocol
import MPDSessions
import NIOHTTP1
import WebServer

struct WebClient: Sendable {
    var permission: Permission
    var peer: PeerAddress
    var session: WebSession?
    /// True if it has shown a password, a session or a token.
    var isSignedIn = false
    private var token: String?
    private var password: PasswordEntry?

    /// True if the session, token or password that it has shown still counts.
    @concurrent
    func isWelcome(_ parts: WebParts) async -> Bool {
        if let session { return parts.sessions.contains(session) && Self.hasItsToken(session, parts) }
        if let token { return parts.issued?.hasToken(id: token) ?? false }
        if let password { return await parts.passwords.fingerprints.contains(password.fingerprint) }
        return true
    }

    /// In front of a token's id, in the origin of a session that began with a code which the token's program had made.
    private static let tokenOrigin = "token "

    /// True if what it has shown is a token, or came of one; a command that takes one back tells no server.
    var hasToken: Bool { token != nil || session?.origin.hasPrefix(Self.tokenOrigin) == true }

    /// Those by whom sessions are let in that begin with a code of this client's, the first one first.
    var makers: [String] {
        if let session { return (session.makers ?? []) + [session.id] }
        if let token { return [Self.tokenOrigin + token] }
        if let password { return ["password " + password.fingerprint] }
        return ["address \(peer)"]
    }

    /// True if what one had shown who made a code, by the origin of sessions that begin with it, still counts.
    static func stands(_ origin: String, _ parts: WebParts) async -> Bool {
        if origin == SessionStore.madeHere { return true }
        if origin.hasPrefix(tokenOrigin) { return isToken(origin, parts) }
        if await parts.passwords.fingerprints.contains(origin) { return true }
        return await parts.server.access.fingerprint == origin
    }

    /// The origin of sessions that begin with a code of this client's: they end when what it has shown does.
    func origin(_ parts: WebParts) async -> String {
        if let session { return session.origin }
        if let token { return Self.tokenOrigin + token }
        if let password { return password.fingerprint }
        return await parts.server.access.fingerprint
    }

    /// True if the token by which a session began, if one did, was not taken back.
    private static func hasItsToken(_ session: WebSession, _ parts: WebParts) -> Bool {
        !session.origin.hasPrefix(tokenOrigin) || isToken(session.origin, parts)
    }

    private static func isToken(_ origin: String, _ parts: WebParts) -> Bool {
        parts.issued?.hasToken(id: String(origin.dropFirst(tokenOrigin.count))) ?? false
    }
}

extension WebClient {
    /// Throws `APIError` 401 for a token or password that is wrong, while a cookie that is too old only counts as none.
    static func sender(of request: HTTPRequest, _ parts: WebParts) async throws -> WebClient {
        let peer = request.connection.peer.map { PeerAddress($0) } ?? .unknown
        var client = WebClient(permission: await parts.server.access.permission(for: peer), peer: peer)
        if let field = request.headers.first(name: "authorization") {
            return try await client.signedIn(by: field, parts)
        }
        if let secret = request.cookie(cookieName(request)), let session = parts.sessions.session(of: secret),
            hasItsToken(session, parts)
        {
            client.take(session)
        }
        return client
    }

    /// The name of the cookie; other services of this machine have other ports, which cookies don't tell apart.
    static func cookieName(_ request: HTTPRequest) -> String { "segue-\(request.connection.localPort ?? 0)" }

    /// The cookie that keeps a session; without a secret the one that ends it.
    static func cookie(_ request: HTTPRequest, _ secret: String?) -> String {
        let age = secret == nil ? 0 : 7_776_000
        let secure = request.connection.isEncrypted ? "; Secure" : ""
        return "\(cookieName(request))=\(secret ?? ""); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(age)\(secure)"
    }

    private mutating func take(_ session: WebSession) {
        self.session = session
        isSignedIn = true
        permission = Permission(rawValue: session.permissions)
    }

    private func signedIn(by field: String, _ parts: WebParts) async throws -> WebClient {
        let words = field.split(separator: " ", maxSplits: 1).map(String.init)
        var client = self
        switch (words.first?.lowercased(), words.last) {
        case ("bearer", let secret?) where words.count == 2:
            if let session = parts.sessions.session(of: secret), Self.hasItsToken(session, parts) {
                client.take(session)
                return client
            }
            if let token = parts.issued?.token(secret) {
                (client.permission, client.isSignedIn) = (Permission(rawValue: token.permissions), true)
                client.token = token.id
                return client
            }
        case ("basic", let text?) where words.count == 2:
            guard let data = Data(base64Encoded: text), let pair = String(data: data, encoding: .utf8),
                let colon = pair.firstIndex(of: ":")
            else { break }
            let password = String(pair[pair.index(after: colon)...])
            if let entry = try await parts.passwords.entry(for: password, from: peer) {
                client.permission = entry.permission
                client.password = entry
                client.isSignedIn = true
                return client
            }
        default: break
        }
        throw APIError(.unauthorized, code: .password, "The token or password is wrong.")
    }
}

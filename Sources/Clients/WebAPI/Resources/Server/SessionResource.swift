import MPDProtocol
import MPDSessions
import NIOCore
import NIOHTTP1
import WebServer

enum SessionResource {
    static let routes = [
        Route(.POST, "/api/session", .none) { request in
            let body = try await request.body()
            guard let password = try body.text("password"), password.utf8.count <= 1024 else {
                throw APIError.wrong("password", "It needs a password.")
            }
            let parts = request.api.parts
            guard let entry = try await parts.passwords.entry(for: password, from: request.client.peer) else {
                throw APIError(.unauthorized, code: .password, "The password is wrong.", field: "password")
            }
            let device = try body.text("device") ?? request.http.headers.first(name: "user-agent") ?? "browser"
            return try begin(request, entry.permission, origin: entry.fingerprint, device)
        },
        Route(.DELETE, "/api/session", .none) { request in
            if let session = request.client.session {
                _ = try request.api.parts.sessions.remove(id: session.id)
                request.api.pairing.forget(madeBy: session.id)
                request.api.parts.pageEvents.report(.access)
            }
            return HTTPResponse(.noContent, headers: ["set-cookie": WebClient.cookie(request.http, nil)])
        },
        Route(.GET, "/api/sessions", .admin) { request in
            let sessions = request.api.parts.sessions.all
            return .object { json in
                json.field("total", sessions.count)
                json.objects("items", sessions) { json, session in
                    json.field("id", session.id)
                    json.field("name", session.name)
                    json.field("permissions", Permission(rawValue: session.permissions).names)
                    json.field("created", JSONWriter.time(session.created))
                    json.field("lastUsed", JSONWriter.time(session.lastUsed))
                    json.field("paired", session.isPaired)
                    json.field("current", session.id == request.client.session?.id)
                }
            }
        },
        Route(.DELETE, "/api/sessions/{id}", .admin) { request in
            guard try request.api.parts.sessions.remove(id: request.parameter("id")) else {
                throw APIError.missing("There is no such session.")
            }
            request.api.pairing.forget(madeBy: request.parameter("id"))
            request.api.parts.pageEvents.report(.access)
            return .done
        },
    ]

    static func begin(
        _ request: APIRequest, _ permission: Permission, origin: String, _ device: String, isPaired: Bool = false,
        makers: [String] = []
    ) throws -> HTTPResponse {
        let made: (secret: String, session: WebSession)
        do {
            made = try request.api.parts.sessions.add(
                permissions: permission.rawValue, origin: origin, name: device, isPaired: isPaired, makers: makers)
        } catch is SessionStore.Full {
            throw APIError(
                .serviceUnavailable, code: .system, "Too many browsers are signed in; end some of them in the settings."
            )
        }
        return .object(headers: ["set-cookie": WebClient.cookie(request.http, made.secret)]) {
            $0.field("permissions", permission.names)
        }
    }
}

/// Letting another device in with a code that is good once, instead of typing a password there.
enum PairingResource {
    static let routes = [
        Route(.POST, "/api/pair", .none) { request in
            let body = try await request.body()
            if let code = body["code"] { return try await redeem(code, body, request) }
            return try await make(body, request)
        },
        Route(.DELETE, "/api/guests", .admin) { request in
            request.api.pairing.forget()
            let ended = try request.api.parts.sessions.removePaired(except: request.client.session)
            request.api.parts.pageEvents.report(.access)
            return .object { $0.field("ended", ended) }
        },
    ]

    /// Makes a code that allows no more than who asks may.
    private static func make(_ body: JSONValue, _ request: APIRequest) async throws -> HTTPResponse {
        // A client that may only read can't hand on more than that, but without a password no one needs a code.
        try request.need(.read)
        var permission = request.client.permission
        if let wanted = body["permissions"] {
            // One that is misunderstood must not become a code for everything.
            let names = wanted.array?.map { $0.text ?? "" } ?? [""]
            guard let asked = Permission(names: names) else {
                throw APIError.wrong("permissions", "permissions are of read, add, player, control and admin.")
            }
            guard permission.isSuperset(of: asked) else {
                throw APIError.forbidden(asked.subtracting(permission), isSignedIn: request.client.isSignedIn)
            }
            permission = asked
        }
        let code = try await code(permission, request)
        let url = address(request) + (code.map { "/#pair=" + $0 } ?? "/")
        return .object { json in
            json.field("code", code)
            json.field("url", url)
            json.field("svg", QRCode(url)?.svg)
            json.field("expires", code.map { _ in Int(PairingCode.lifetime) })
            json.field("permissions", permission.names)
        }
    }

    /// How many may stand between a session and the first one that let others in.
    private static let maxLineLength = 8

    /// A new code; nil for a client that may do no more than everybody: another device needs none for that.
    private static func code(_ permission: Permission, _ request: APIRequest) async throws -> String? {
        let (client, parts) = (request.client, request.api.parts)
        let forAll = await parts.server.access.defaultPermission
        guard client.isSignedIn || !forAll.isSuperset(of: client.permission) else { return nil }
        let makers = client.makers
        guard makers.count <= maxLineLength else {
            throw APIError(
                .forbidden, code: .permission,
                "This browser was let in by one that was let in itself, and so on; sign in with a password to let in more."
            )
        }
        let grant = PairingCodes.Grant(
            permissions: permission.rawValue, origin: await client.origin(parts), makers: makers)
        guard let code = request.api.pairing.make(grant) else {
            throw APIError(.tooManyRequests, code: .system, "Too many codes are shown; wait five minutes.")
        }
        return code
    }

    /// The address by which other devices reach the page: this browser's, unless that is only good here.
    private static func address(_ request: APIRequest) -> String {
        let scheme = request.http.connection.isEncrypted ? "https" : "http"
        let host = request.http.headers.first(name: "host") ?? "localhost"
        let isLocal = ["localhost", "127.", "[::1]"].contains { host.hasPrefix($0) }
        guard isLocal, let other = request.api.parts.facts.addresses().first else { return "\(scheme)://\(host)" }
        return other
    }

    /// Begins a session for a client with a code, and tells the page that shows the code, which is used then.
    private static func redeem(
        _ code: JSONValue, _ body: JSONValue, _ request: APIRequest
    ) async throws -> HTTPResponse {
        guard let code = code.text.flatMap(PairingCode.normalized) else {
            throw APIError.wrong("code", "A code has eight letters and digits, such as K7QF-93XD.")
        }
        let api = request.api
        let address = request.http.connection.peer?.household ?? []
        guard api.pairing.mayTry(from: address) else {
            throw APIError(.tooManyRequests, code: .password, "Too many wrong codes; wait a minute.")
        }
        // `segue pair` shows codes, too.
        let grant =
            api.pairing.take(code)
            ?? api.parts.issued?.takeCode(code).map {
                PairingCodes.Grant(permissions: $0.permissions, origin: SessionStore.madeHere)
            }
        guard let grant, await WebClient.stands(grant.origin, api.parts) else {
            throw APIError(.unauthorized, code: .password, "The code is wrong, was used, or is too old.", field: "code")
        }
        api.pairing.wasRight(from: address)
        let device = try body.text("device") ?? request.http.headers.first(name: "user-agent") ?? "browser"
        let answer = try SessionResource.begin(
            request, Permission(rawValue: grant.permissions), origin: grant.origin, device, isPaired: true,
            makers: grant.makers)
        await api.feed.tell("paired") { $0.field("code", code) }
        return answer
    }
}

/// QR codes of texts that the page shows and alone knows, for phones' cameras. Passwords and one-time codes never come
/// this way, as a request line may be logged.
enum QRCodeResource {
    /// The maximum length of the text, in characters; cameras can hardly read larger codes.
    static let maxLength = 240

    static let routes = [
        Route(.GET, "/api/qr") { request in
            let text = request.http.query["text"] ?? ""
            guard (1...maxLength).contains(text.unicodeScalars.count), let code = QRCode(text) else {
                throw APIError.wrong("text", "text has to have 1 to \(maxLength) characters.")
            }
            return HTTPResponse(
                .ok, ByteBuffer(string: code.svg), type: "image/svg+xml",
                headers: ["cache-control": "private, max-age=86400"])
        }
    ]
}

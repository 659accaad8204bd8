import MPDProtocol
import MPDSessions
import NIOHTTP1
import ServerLoop
import WebServer

/// Signing in with one of the passwords, and what is signed in.
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
            return HTTPResponse(.noContent, headers: ["set-cookie": WebAccess.cookie(request.http, nil)])
        },
        Route(.GET, "/api/sessions", .admin) { request in
            let sessions = request.api.parts.sessions.all
            return .object { json in
                json.field("total", sessions.count)
                json.array("items", sessions) { json, session in
                    json.object { json in
                        json.field("id", session.id)
                        json.field("name", session.name)
                        json.field("permissions", Permission(rawValue: session.permissions).names)
                        json.field("created", JSONWriter.time(session.created))
                        json.field("lastUsed", JSONWriter.time(session.lastUsed))
                        json.field("paired", session.wasPaired)
                        json.field("current", session.id == request.client.session?.id)
                    }
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
        return .json(headers: ["set-cookie": WebAccess.cookie(request.http, made.secret)]) { json in
            json.object { $0.field("permissions", permission.names) }
        }
    }
}

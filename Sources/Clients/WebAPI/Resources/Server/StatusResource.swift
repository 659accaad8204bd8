import MPDProtocol
import MPDSessions
import NIOCore
import NIOHTTP1
import ServerLoop
import WebServer

enum StatusResource {
    static let routes = [
        Route(.GET, "/api/status") { request in
            let snapshot = try await StatusSnapshot(request.partition(), request.api.parts)
            let hasPasswords = await request.api.parts.passwords.hasPasswords
            let writer = StatusWriter(parts: request.api.parts, rows: request.api.rows)
            let status = try await writer.status(snapshot, request.client, hasPasswords: hasPasswords)
            return HTTPResponse(.ok, status, type: "application/json")
        }
    ]
}

/// Events as they happen: a WebSocket for pages, events for scripts.
enum SocketResource {
    static let routes = [
        Route(.GET, "/api/socket") { request in
            guard request.http.wantsWebSocket else {
                var response = APIError(.upgradeRequired, code: .argument, "This is a WebSocket.").response
                response.headers.add(name: "upgrade", value: "websocket")
                return response
            }
            let offered = request.http.headers[canonicalForm: "sec-websocket-protocol"]
            if offered.contains("mpd") {
                return HTTPResponse(.switchingProtocols, body: .webSocket(try MPDSocket(request), subprotocol: "mpd"))
            }
            let partition = try await request.partition()
            return HTTPResponse(.switchingProtocols, body: .webSocket(PageSocket(request, partition), subprotocol: nil))
        },
        Route(.GET, "/api/events") { request in
            let partition = try await request.partition()
            return HTTPResponse(body: .events(PageSocket(request, partition)))
        },
    ]
}

enum HealthResource {
    static let routes = [
        Route(.GET, "/healthz", .none) { request in
            // An answer shows that both loops turn; the client has a limit of time.
            await turn()
            return HTTPResponse(.ok, ByteBuffer(string: "ok\n"), type: "text/plain; charset=utf-8")
        },
        Route(.GET, "/readyz", .none) { request in
            let isReady = await request.api.parts.server.isAccepting
            return .object(isReady ? .ok : .serviceUnavailable) { $0.field("ready", isReady) }
        },
    ]

    @ServerActor private static func turn() {}
}

/// The description of this interface for other programs, which a test compares with the routes.
enum OpenAPIResource {
    static let routes = [
        Route(.GET, "/api/openapi.json", .none) { request in
            guard let file = request.api.parts.files.file(named: "openapi.json") else {
                throw APIError.missing("The description is not part of this page.")
            }
            return HTTPResponse(.ok, file, type: "application/json", headers: ["cache-control": "no-cache"])
        }
    ]
}

import MPDSessions
import NIOCore
import NIOHTTP1
import WebServer

/// The state of the player, and all around it.
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

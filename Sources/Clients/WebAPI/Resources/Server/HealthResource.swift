import MPDProtocol
import MPDSessions
import NIOCore
import NIOHTTP1
import ServerLoop
import WebServer

/// Whether the process is well, for whatever looks after it.
enum HealthResource {
    static let routes = [
        Route(.GET, "/healthz", .none) { request in
            // An answer shows that both loops turn; the client has a limit of time.
            await turn()
            return HTTPResponse(.ok, ByteBuffer(string: "ok\n"), type: "text/plain; charset=utf-8")
        },
        Route(.GET, "/readyz", .none) { request in
            let isReady = await request.api.parts.server.isAccepting
            return .json(isReady ? .ok : .serviceUnavailable) { json in
                json.object { $0.field("ready", isReady) }
            }
        },
    ]

    @ServerActor private static func turn() {}
}

import MPDProtocol
import NIOHTTP1
import WebServer

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
                return HTTPResponse(
                    .switchingProtocols, body: .webSocket(try MPDSocket(request), subprotocol: "mpd"))
            }
            let partition = try await request.partition()
            return HTTPResponse(.switchingProtocols, body: .webSocket(PageSocket(request, partition), subprotocol: nil))
        },
        Route(.GET, "/api/events") { request in
            let partition = try await request.partition()
            return HTTPResponse(body: .events(EventListener(request, partition)))
        },
    ]
}

import MPDProtocol
import NIOCore
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// The stream of an httpd output, under the page's own address and password.
enum ListenResource {
    static let routes = [
        Route(.GET, "/listen/{output}") { request in
            let name = request.parameter("output")
            guard let address = request.api.parts.facts.stream(name) else {
                throw APIError.missing("There is no output of this name that can be listened to.")
            }
            // The stream's own server sees this machine's address of all of them.
            guard let place = request.api.listening.take(request.http.connection.peer) else {
                throw APIError(.serviceUnavailable, code: .system, "Too many listen, or too many from this address.")
            }
            let relay = StreamRelay(address, for: request.http.connection)
            guard let head = await relay.connect() else {
                throw APIError(.serviceUnavailable, code: .system, "The stream doesn't answer; does anything play?")
            }
            var headers: HTTPHeaders = ["cache-control": "no-store"]
            for field in ["content-type", "icy-name", "icy-genre"] {
                if let value = head.headers.first(name: field) { headers.add(name: field, value: value) }
            }
            guard head.status == .ok else {
                relay.cancel()
                throw APIError(.serviceUnavailable, code: .system, "Nothing plays on this output now.")
            }
            let feed = request.api.feed
            relay.whenEnded {
                place.release()
                Task { await feed.remove(relay) }
            }
            await feed.watch(relay, request.client) { relay.cancel() }
            return HTTPResponse(.ok, headers: headers, body: .stream(relay))
        }
    ]
}

import AsyncHTTPClient
import Foundation
import MusicModel
import NIOCore
import NIOHTTP1

/// Files that a server keeps elsewhere, mostly in a storage of objects.
extension HTTPTransport {
    /// An answer with a file, and the connections over which it comes where these are not the server's.
    typealias Media = (response: HTTPClientResponse, connections: HTTPConnections?)

    private static let maxRedirections = 3

    /// The answer to a request for a file, from wherever the server sends it.
    ///
    /// Nothing of the login and no header of the configuration goes elsewhere, and nowhere but to the hosts that the
    /// settings allow.
    func media(_ answer: HTTPClientResponse, range: String?) async throws -> Media {
        var media: Media = (answer, nil)
        var current = address.flatMap { URL(string: $0.shown) }
        for _ in 0..<Self.maxRedirections {
            guard (300..<400).contains(media.response.status.code), let from = current,
                let location = media.response.headers.first(name: "Location"),
                let target = URL(string: location, relativeTo: from)?.absoluteURL, let host = target.host(),
                target.scheme == "https" || target.scheme == "http" && from.scheme == "http"
            else { return media }
            var request = HTTPClientRequest(url: target.absoluteString)
            request.headers.add(name: "Accept-Encoding", value: "identity")
            if let range { request.headers.add(name: "Range", value: range) }
            let own = address.flatMap { URL(string: $0.shown) }
            if target.scheme == own?.scheme, target.host() == own?.host(), target.port == own?.port {
                addOwnHeaders(to: &request)
                let response = try await http.execute(request, timeout: TimeAmount(settings.timeouts.answer))
                media = (response, nil)
            } else {
                request.headers.add(name: "User-Agent", value: "segue")
                media = try await elsewhere(request, on: host)
            }
            current = target
        }
        return media
    }

    private func elsewhere(_ request: HTTPClientRequest, on host: String) async throws -> Media {
        let checked = try await settings.placeOfMedia(host)
        let connections = HTTPConnections(connect: settings.timeouts.connect, read: settings.timeouts.idle) {
            // The address that was checked; the name could lead to another one the next time.
            $0.dnsOverride = [host: checked]
            $0.use(settings.proxy, for: host)
        }
        let response = try await connections.client.execute(request, timeout: TimeAmount(settings.timeouts.answer))
        let code = response.status.code
        guard code < 400 || code == 416 else {
            throw SubsonicError(
                .server(status: Int(code)),
                "\(host.quotable(utf8: 200)), where \(shownAddress) redirects its files, answers HTTP \(code).")
        }
        return (response, connections)
    }
}

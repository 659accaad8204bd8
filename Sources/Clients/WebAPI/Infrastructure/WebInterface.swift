package import Logging
import MPDCommands
import MPDProtocol
package import MPDSessions
import MusicModel
import NIOHTTP1
import Playback
package import ServerLoop
package import WebServer

/// The HTTP interface: finds out who asks for what, and lets the route answer.
package final class WebInterface: RequestAnswering {
    let parts: WebParts
    let runner: CommandRunner
    let rows: SongRows
    let feed: ChangeFeed
    let lyrics: (any LyricsProviding)?
    let pairing = PairingCodes()
    let listening = AddressShares(64)
    let snapshots = QueueSnapshots()
    let log: Logger

    /// Puts the interface together.
    @ServerActor
    package init(_ parts: WebParts, hub: IdleHub, log: Logger) {
        self.parts = parts
        self.log = log
        runner = CommandRunner(parts.context)
        rows = SongRows(parts.context.library)
        lyrics = parts.context.parts.lyrics
        feed = ChangeFeed(parts, rows, log: log)
        feed.follow(hub)
        Task { [feed] in await feed.follow(parts.pageEvents) }
    }

    @concurrent
    package func answer(to request: HTTPRequest) async -> HTTPResponse {
        do {
            return try await routed(request)
        } catch is CancellationError {
            return APIError(.serviceUnavailable, code: .system, "The request was given up.").response
        } catch {
            let refusal = APIError(error)
            if refusal.code == .system, !(error is APIError) {
                log.warning(
                    "a request failed",
                    metadata: ["path": "\(request.path.first ?? "")", "error": "\(ErrorChain(error))"])
            }
            return refusal.response
        }
    }

    /// Files of the page that are a part of the program, where no route has the address.
    package func answerAtOnce(to request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .GET, request.path.first != "api", parts.files.areInMemory,
            !RouteTable.routes.contains(where: { $0.match(request.path) != nil })
        else { return nil }
        return parts.files.answer(to: request)
    }

    package func answer(to refusal: RequestRefusal) -> HTTPResponse {
        APIError(refusal.status, code: .argument, refusal.message).response
    }

    private func routed(_ request: HTTPRequest) async throws -> HTTPResponse {
        let method: HTTPMethod = request.method == .HEAD ? .GET : request.method
        var allowed: [String] = []
        for route in RouteTable.routes {
            guard let values = route.match(request.path) else { continue }
            guard route.method == method else {
                allowed.append(route.method.rawValue)
                continue
            }
            return try await run(route, request, values)
        }
        guard allowed.isEmpty else {
            var response = APIError(
                .methodNotAllowed, code: .unknown, "This address takes \(allowed.joined(separator: ", "))."
            ).response
            response.headers.add(name: "allow", value: allowed.joined(separator: ", "))
            return response
        }
        if method == .GET, request.path.first != "api", let file = parts.files.answer(to: request) { return file }
        throw APIError.missing("There is nothing at this address.")
    }

    private func run(_ route: Route, _ request: HTTPRequest, _ values: [String: String]) async throws -> HTTPResponse {
        let client = try await WebClient.sender(of: request, parts)
        let api = APIRequest(http: request, parameters: values, client: client, api: self)
        try api.need(route.permission)
        try route.check(request.body, of: client)
        return try await route.run(api)
    }

    /// Makes sure that a partition that was asked for earlier is still there; it may have another name since.
    @ServerActor func check(_ partition: Partition) throws(APIError) {
        guard parts.context.partitions.contains(where: { $0 === partition }) else {
            throw .missing("The partition is gone.")
        }
    }

    @ServerActor func partition(named name: String?) throws(APIError) -> Partition {
        let partitions = parts.context.partitions
        guard let found = name == nil ? partitions.first : partitions.first(where: { $0.name == name }) else {
            throw .missing("There is no partition of this name.")
        }
        return found
    }
}

import MPDProtocol
package import WebServer

@testable import WebAPI

/// Reads requests without carrying them out.
package enum RequestReading {
    /// Finds the route, and reads path, parameters and body as every resource that takes some would.
    package static func readEverything(_ request: HTTPRequest) -> HTTPResponse {
        let found = RouteTable.routes.filter { $0.match(request.path) != nil }
        do {
            let body = try JSONValue(request.body)
            _ = try? CommandsResource.commands(body)
            _ = try? QueueAddition(body)
            _ = try? PlayerResource.options(body)
            _ = try? QueueEditResource.ids(body)
            _ = try? SettingsResource.changes(body)
            for name in ["start", "count", "q", "sort"] { _ = APIRequest.words(request.query[name]) }
            guard !found.isEmpty else { throw APIError.missing("There is nothing at this address.") }
            return .object { json in
                json.field("routes", found.map(\.template))
                json.field("path", request.path)
                json.field("cookie", request.cookie("segue-6610"))
            }
        } catch { return APIError(error).response }
    }

    /// The answer to a request that was refused.
    package static func answer(to refusal: RequestRefusal) -> HTTPResponse {
        APIError(refusal.status, code: .argument, refusal.message).response
    }
}

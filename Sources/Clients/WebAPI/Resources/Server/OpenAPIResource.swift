import MPDProtocol
import NIOHTTP1
import WebServer

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

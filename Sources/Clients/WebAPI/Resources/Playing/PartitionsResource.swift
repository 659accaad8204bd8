import MPDCommands
import MPDProtocol
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// Partitions: players with a queue and outputs of their own.
enum PartitionsResource {
    static let routes = [
        Route(.GET, "/api/partitions") { request in
            let names = await names(request)
            return .object { $0.field("items", names) }
        },
        Route(.POST, "/api/partitions", .admin) { request in
            guard let name = try await request.body()["name"]?.text else {
                throw APIError.wrong("name", "It needs a name.")
            }
            try await request.run([["newpartition", name]])
            return HTTPResponse.object(.created) { $0.field("name", name) }
        },
        Route(.PUT, "/api/partitions/{name}", .admin) { request in
            guard let name = try await request.body()["name"]?.text else {
                throw APIError.wrong("name", "It needs a new name.")
            }
            try await request.run([["renamepartition", request.parameter("name"), name]])
            return .object { $0.field("name", name) }
        },
        Route(.DELETE, "/api/partitions/{name}", .admin) { request in
            try await request.run([["delpartition", request.parameter("name")]])
            return .done
        },
        Route(.POST, "/api/sync", .control) { request in
            try await request.run([["update"]])
            return HTTPResponse(.accepted)
        },
    ]

    @ServerActor
    private static func names(_ request: APIRequest) -> [String] { request.api.parts.context.partitions.map(\.name) }
}

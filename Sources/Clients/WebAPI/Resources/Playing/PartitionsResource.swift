import MPDCommands
import MPDProtocol
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// Partitions: players, each with its queue and outputs.
enum PartitionsResource {
    static let routes: [Route] = [
        Route(.GET, "/api/partitions") { request in
            let names = await names(request)
            return .object { $0.field("items", names) }
        },
        Route(.POST, "/api/partitions", .admin) { request in
            let name = try await request.body().required("name", "It needs a name.")
            try await request.run([["newpartition", name]])
            return HTTPResponse.object(.created) { $0.field("name", name) }
        },
        Route(.PUT, "/api/partitions/{name}", .admin) { request in
            let name = try await request.body().required("name", "It needs a new name.")
            try await request.run([["renamepartition", request.parameter("name"), name]])
            return .object { $0.field("name", name) }
        },
        .running(.DELETE, "/api/partitions/{name}", .admin) { [["delpartition", $0.parameter("name")]] },
        Route(.POST, "/api/sync", .control) { request in
            try await request.run([["update"]])
            return HTTPResponse(.accepted)
        },
    ]

    @ServerActor
    private static func names(_ request: APIRequest) -> [String] { request.api.parts.context.partitions.map(\.name) }
}

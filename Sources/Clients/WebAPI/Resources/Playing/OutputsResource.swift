import MPDCommands
import MPDProtocol
import NIOCore
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// Outputs and rooms: on and off, volume, attributes, and to which partition they belong. MPD leaves all of that to
/// `admin`; here `control` switches outputs and sets their volumes, as it changes what the house hears and no more.
enum OutputsResource {
    static let routes = [
        Route(.GET, "/api/outputs") { request in
            let snapshot = try await StatusSnapshot(request.partition(), request.api.parts)
            let writer = StatusWriter(parts: request.api.parts, rows: request.api.rows)
            return .object { json in
                json.field("total", snapshot.outputs.count)
                json.array("items", snapshot.outputs) { writer.output($1, to: &$0) }
            }
        },
        Route(.PATCH, "/api/outputs/{id}", .control) { request in
            let body = try await request.body()
            // How an output is built, and whose it is, stays with the administrator.
            if body["attributes"] != nil || body["partition"] != nil { try request.need(.admin) }
            let output = try await ShownOutput.find(request.parameter("id"), request)
            let id = String(output.status.id)
            var commands: [[String]] = []
            if let isEnabled = try body.bool("enabled") {
                commands.append([isEnabled ? "enableoutput" : "disableoutput", id])
            }
            if let volume = try body.integer("volume") {
                guard (0...100).contains(volume) else { throw APIError.wrong("volume", "A volume is from 0 to 100.") }
                commands.append(["outputset", id, "volume", String(volume)])
            }
            if case .object(let attributes)? = body["attributes"] {
                for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
                    guard let text = value.text else { throw APIError.wrong("attributes", "Attributes are texts.") }
                    commands.append(["outputset", id, key, text])
                }
            }
            if let partition = try body.text("partition") {
                commands += [["partition", partition], ["moveoutput", output.status.name]]
            }
            guard !commands.isEmpty else {
                throw APIError.wrong("enabled", "Say what to change: enabled, volume, attributes or partition.")
            }
            try await request.run(commands, with: .everything, in: output.partition)
            return .done
        },
    ]
}

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
                // The place is free when this was called.
                withExtendedLifetime(place) {}
                Task { await feed.remove(relay) }
            }
            await feed.watch(relay, request.client) { relay.cancel() }
            return HTTPResponse(.ok, headers: headers, body: .stream(relay))
        }
    ]
}

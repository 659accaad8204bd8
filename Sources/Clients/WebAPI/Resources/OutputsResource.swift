import MPDProtocol
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// Outputs and rooms: on and off, volume, attributes, and to which partition they belong.
enum OutputsResource {
    static let routes = [
        Route(.GET, "/api/outputs") { request in
            let snapshot = try await StatusSnapshot(request.partition(), request.api.parts)
            let writer = StatusWriter(parts: request.api.parts, rows: request.api.rows)
            return .json { json in
                json.object { json in
                    json.field("total", snapshot.outputs.count)
                    json.array("items", snapshot.outputs) { writer.output($1, snapshot.partition, to: &$0) }
                }
            }
        },
        Route(.PATCH, "/api/outputs/{id}", .admin) { request in
            let body = try request.body()
            let id = request.parameter("id")
            let name = try await name(of: id, request)
            var commands: [[String]] = []
            if let isEnabled = body["enabled"]?.bool {
                commands.append([isEnabled ? "enableoutput" : "disableoutput", id])
            }
            if let volume = body["volume"]?.integer {
                guard (0...100).contains(volume) else { throw APIError.wrong("volume", "A volume is from 0 to 100.") }
                commands.append(["outputset", id, "volume", String(volume)])
            }
            if case .object(let attributes)? = body["attributes"] {
                for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
                    guard let text = value.text else { throw APIError.wrong("attributes", "Attributes are texts.") }
                    commands.append(["outputset", id, key, text])
                }
            }
            if let partition = body["partition"]?.text {
                commands += [["partition", partition], ["moveoutput", name]]
            }
            guard !commands.isEmpty else {
                throw APIError.wrong("enabled", "Say what to change: enabled, volume, attributes or partition.")
            }
            try await request.run(commands)
            return .done
        },
    ]

    /// The name of an output.
    ///
    /// - Throws: `APIError` 404.
    @ServerActor
    private static func name(of id: String, _ request: APIRequest) throws -> String {
        let outputs = try request.partition().player.outputs
        guard let output = outputs.first(where: { String($0.id) == id }) else {
            throw APIError.missing("There is no such output.")
        }
        return output.name
    }
}

import MPDProtocol
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

import MusicModel
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// The song that plays and those that follow, in windows.
enum QueueResource {
    static let routes = [
        Route(.GET, "/api/queue") { request in
            if request.http.query["since"] != nil { return try await changes(request) }
            let (start, count) = try request.window()
            let (entries, version) = try await snapshot(request)
            let window = start..<start + min(count, max(0, entries.count - start))
            let rows = try await request.api.rows.rows(of: entries, in: window)
            return .json(capacity: 512 * rows.count) { json in
                json.object { json in
                    json.field("version", Int(version))
                    json.field("length", entries.count)
                    json.field("start", start)
                    json.array("items", rows) { $0.queueRow($1) }
                }
            }
        }
    ]

    @ServerActor
    private static func snapshot(_ request: APIRequest) throws -> (QueueEntries, UInt32) {
        let player = try request.partition().player
        return (player.entries, player.status.queueVersion)
    }

    /// Places that are other ones than at a version, in the whole queue unless a window is named.
    private static func changes(_ request: APIRequest) async throws -> HTTPResponse {
        let since = try request.number("since", default: 0, in: 0...Int(UInt32.max))
        let (start, count) = try request.window()
        let isWhole = request.http.query["start"] == nil && request.http.query["count"] == nil
        let window = isWhole ? 0..<Int(Int32.max) : start..<start + count
        let (entries, version, places) = try await changed(request, since: UInt32(clamping: since), in: window)
        return .json(capacity: 32 * places.count) { json in
            json.object { json in
                json.field("version", Int(version))
                json.field("length", entries.count)
                json.array("changes", places) { json, place in
                    json.object { json in
                        json.field("position", place)
                        json.field("queueId", String(entries.id(at: place).rawValue))
                        json.field("priority", entries[place].priority)
                    }
                }
            }
        }
    }

    @ServerActor
    private static func changed(
        _ request: APIRequest, since: UInt32, in window: Range<Int>
    ) async throws -> (QueueEntries, UInt32, [Int]) {
        let player = try request.partition().player
        let places = await player.changes(since: since, in: window.clamped(to: 0..<player.count))
        let entries = player.entries
        return (entries, player.status.queueVersion, places.filter { $0 < entries.count })
    }
}

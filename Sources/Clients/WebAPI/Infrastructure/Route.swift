import MPDCommands
import Playback
import MPDProtocol
import NIOCore
import NIOHTTP1
import ServerLoop
import WebServer

/// One thing that can be asked for: a method and a path, who may, and what answers.
struct Route: Sendable {
    let method: HTTPMethod
    /// The path, with names in braces for what changes: `/api/songs/{id}/star`.
    let template: String
    /// The permission that a client needs; empty for requests that are open to all.
    let permission: Permission
    /// The maximum body size of a client with any permission, in bytes.
    let maxBodySize: Int
    let run: @Sendable (APIRequest) async throws -> HTTPResponse
    private let parts: [Substring]

    init(
        _ method: HTTPMethod, _ template: String, _ permission: Permission = .read, maxBodySize: Int? = nil,
        run: @escaping @Sendable (APIRequest) async throws -> HTTPResponse
    ) {
        (self.method, self.template, self.permission, self.run) = (method, template, permission, run)
        self.maxBodySize = maxBodySize ?? (permission.isEmpty ? Self.maxAnonymousBodySize : .max)
        parts = template.split(separator: "/")
    }

    /// A route that runs commands, and whose answer says no more than that they ran.
    static func running(
        _ method: HTTPMethod, _ template: String, _ permission: Permission,
        _ commands: @escaping @Sendable (APIRequest) async throws -> [[String]]
    ) -> Route {
        Route(method, template, permission) { request in
            try await request.run(try await commands(request))
            return HTTPResponse(.noContent)
        }
    }

    /// The maximum body size of a client without permissions, in bytes: more than a password or a code needs.
    private static let maxAnonymousBodySize = 4 << 10

    func check(_ body: ByteBuffer, of client: WebClient) throws(APIError) {
        let limit = client.permission.isEmpty ? min(maxBodySize, Self.maxAnonymousBodySize) : maxBodySize
        guard body.readableBytes <= limit else {
            throw APIError(
                .payloadTooLarge, code: .argument, "The body is too large; here it has \(limit) bytes at most.")
        }
    }

    /// The values of the names in braces; nil where the path is another one.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count == parts.count else { return nil }
        var values: [String: String] = [:]
        for (part, found) in zip(parts, path) {
            if part.first == "{" {
                guard !found.isEmpty else { return nil }
                values[String(part.dropFirst().dropLast())] = found
            } else if part != found[...] {
                return nil
            }
        }
        return values
    }
}

struct APIRequest: Sendable {
    let http: HTTPRequest
    let parameters: [String: String]
    let client: WebClient
    let api: WebInterface

    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    func body() async throws -> JSONValue {
        let value = try await JSONValue.read(http.body)
        guard value.isObject else { throw APIError(.badRequest, code: .argument, "The body has to be a JSON object.") }
        return value
    }

    func number(_ name: String, default standard: Int, in range: ClosedRange<Int>) throws(APIError) -> Int {
        guard let text = http.query[name] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw .wrong(name, "\(name) has to be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func wantsStarred() throws(APIError) -> Bool {
        guard let text = http.query["starred"] else { return false }
        guard text == "1" else { throw .wrong("starred", "starred is 1, or it is left out.") }
        return true
    }

    func window() throws(APIError) -> (start: Int, count: Int) {
        (try number("start", default: 0, in: 0...Int(Int32.max)), try number("count", default: 200, in: 0...1000))
    }

    @ServerActor func partition() throws(APIError) -> Partition { try api.partition(named: http.query["partition"]) }

    /// Runs commands as MPD's port would, with the client's permission and in the partition of the request, or others.
    @ServerActor
    @discardableResult
    func run(
        _ commands: [[String]], with permission: Permission? = nil, in partition: Partition? = nil,
        collector: SongCollector? = nil
    ) async throws -> [CommandRunner.Answer] {
        let partition = if let partition { partition } else { try self.partition() }
        let state = ClientState(
            permission: permission ?? client.permission, partition: partition, isLocal: false, peer: client.peer)
        return try await api.runner.run(commands, as: state, collector: collector)
    }

    func need(_ permission: Permission) throws(APIError) {
        guard client.permission.isSuperset(of: permission) else {
            throw .forbidden(permission.subtracting(client.permission), isSignedIn: client.isSignedIn)
        }
    }
}

extension HTTPResponse {
    static func json(
        _ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], capacity: Int = 1024,
        _ body: (inout JSONWriter) throws -> Void
    ) rethrows -> HTTPResponse {
        var json = JSONWriter(capacity: capacity)
        try body(&json)
        return HTTPResponse(status, json.buffer, type: "application/json", headers: headers)
    }

    static func object(
        _ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], capacity: Int = 1024,
        _ body: (inout JSONWriter) throws -> Void
    ) rethrows -> HTTPResponse {
        try .json(status, headers: headers, capacity: capacity) { try $0.object(body) }
    }

    static var done: HTTPResponse { HTTPResponse(.noContent) }
}

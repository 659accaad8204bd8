import MPDProtocol
import NIOHTTP1
import WebServer

/// Letting another device in with a code that is good once, instead of typing a password there.
enum PairingResource {
    static let routes = [
        Route(.POST, "/api/pair", .none) { request in
            let body = try request.body()
            if let code = body["code"] { return try redeem(code, body, request) }
            return try make(body, request)
        }
    ]

    /// Makes a code that allows no more than who asks may.
    private static func make(_ body: JSONValue, _ request: APIRequest) throws -> HTTPResponse {
        // A client that may only read can't hand on more than that, but without a password no one needs a code.
        try request.need(.read)
        var permission = request.client.permission
        if let names = body["permissions"]?.array {
            guard let asked = Permission(names: names.compactMap(\.text)) else {
                throw APIError.wrong("permissions", "permissions are of read, add, player, control and admin.")
            }
            guard permission.isSuperset(of: asked) else {
                throw APIError.forbidden(asked.subtracting(permission), isSignedIn: request.client.isSignedIn)
            }
            permission = asked
        }
        let code = request.api.pairing.make(permissions: permission.rawValue)
        let url = address(request) + "/#pair=" + code
        return .json { json in
            json.object { json in
                json.field("code", code)
                json.field("url", url)
                json.field("svg", QRCode(url)?.svg)
                json.field("expires", Int(PairingCode.lifetime))
                json.field("permissions", permission.names)
            }
        }
    }

    /// The address by which other devices reach the page: the one that this browser uses, unless that is only good
    /// here.
    private static func address(_ request: APIRequest) -> String {
        let scheme = request.http.connection.isEncrypted ? "https" : "http"
        let host = request.http.headers.first(name: "host") ?? "localhost"
        let isLocal = ["localhost", "127.", "[::1]"].contains { host.hasPrefix($0) }
        guard isLocal, let other = request.api.parts.facts.addresses().first else { return "\(scheme)://\(host)" }
        return other
    }

    /// Begins a session for a client with a code.
    private static func redeem(_ code: JSONValue, _ body: JSONValue, _ request: APIRequest) throws -> HTTPResponse {
        guard let code = code.text.flatMap(PairingCode.normalized) else {
            throw APIError.wrong("code", "A code has eight letters and digits, such as K7QF-93XD.")
        }
        let api = request.api
        let handed = api.pairing.take(code) ?? api.parts.handed?.takeCode(code)?.permissions
        guard let handed else {
            guard api.pairing.countMiss() else {
                throw APIError(.tooManyRequests, code: .password, "Too many wrong codes; wait a minute.")
            }
            throw APIError(.unauthorized, code: .password, "The code is wrong, was used, or is too old.", field: "code")
        }
        let device = body["device"]?.text ?? request.http.headers.first(name: "user-agent") ?? "browser"
        return try SessionResource.begin(
            request, Permission(rawValue: handed), origin: SessionStore.madeHere, device)
    }
}

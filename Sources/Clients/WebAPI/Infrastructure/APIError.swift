import MPDCommands
import MPDProtocol
import NIOHTTP1
import WebServer

/// Why a request was not carried out, as the answer says it.
struct APIError: Error, Hashable {
    var status: HTTPResponseStatus
    var code: AckError.Code
    /// A word for the kind of error that stays the same in every version: programs translate by it.
    var name: String
    var message: String
    /// The field or parameter that is wrong; nil where it is none.
    var field: String?
    /// The permission that is missing; nil where that isn't the reason.
    var permission: String?
    /// The queue's version, where the request named an old one.
    var version: Int?

    /// Composes one without a permission or a version.
    init(_ status: HTTPResponseStatus, code: AckError.Code, _ message: String, field: String? = nil) {
        (self.status, self.code, self.message, self.field) = (status, code, message, field)
        name = Self.names[message] ?? (status == .tooManyRequests ? "too_many" : code.web.name)
    }

    /// The names of what commands say in MPD's words, where these tell more than their number.
    private static let names = [
        "bad name": "bad_player_name", "name already exists": "player_exists",
        "Bad playlist name": "bad_playlist_name", "Playlist already exists": "playlist_exists",
        "Playlist exists already": "playlist_exists", "No such directory": "not_in_library",
        "No such song": "not_in_library", "No such playlist": "not_in_library",
    ]

    static func missing(_ message: String) -> APIError { APIError(.notFound, code: .noExist, message) }

    static func wrong(_ field: String, _ message: String) -> APIError {
        APIError(.badRequest, code: .argument, message, field: field)
    }

    static func forbidden(_ permission: Permission, isSignedIn: Bool) -> APIError {
        let name = permission.names.first ?? "read"
        var error = APIError(
            isSignedIn ? .forbidden : .unauthorized, code: .permission,
            "This needs the permission \"\(name)\"\(isSignedIn ? "" : "; sign in").")
        error.permission = name
        return error
    }

    /// The answer to an error of a command or of the index, with the status that fits.
    init(_ error: any Error) {
        if let error = error as? APIError {
            self = error
            return
        }
        let ack = AckError.mapping(error)
        self.init(ack.code.web.status, code: ack.code, ack.message)
    }

    var response: HTTPResponse {
        var json = JSONWriter()
        json.object { $0.object("error") { write(to: &$0) } }
        var response = HTTPResponse(status, json.buffer, type: "application/json")
        if status == .unauthorized { response.headers.add(name: "www-authenticate", value: "Bearer realm=\"Segue\"") }
        if status == .tooManyRequests { response.headers.add(name: "retry-after", value: "1") }
        return response
    }

    func write(to json: inout JSONWriter) {
        json.field("code", code.rawValue)
        json.field("name", name)
        json.field("message", message)
        json.field("field", field)
        json.field("permission", permission)
        if let version { json.field("version", version) }
    }
}

extension AckError.Code {
    fileprivate var web: (name: String, status: HTTPResponseStatus) {
        switch self {
        case .notList: ("not_a_list", .badRequest)
        case .argument: ("bad_argument", .badRequest)
        case .password: ("wrong_password", .unauthorized)
        case .permission: ("not_permitted", .forbidden)
        case .unknown: ("unknown_command", .badRequest)
        case .noExist: ("not_found", .notFound)
        case .playlistMax: ("too_large", .payloadTooLarge)
        case .system: ("failed", .serviceUnavailable)
        case .playlistLoad: ("playlist_unreadable", .notFound)
        case .updateAlready: ("update_running", .conflict)
        case .playerSync: ("not_playing", .conflict)
        case .exist: ("exists", .conflict)
        }
    }
}

import Coordination
import Foundation
import Glibc

/// How far one gets with a stream's server, where the web source can only say that it had no answer.
///
/// - Isolation: any thread, which waits.
enum ServerReach: Hashable {
    /// Its name leads to no address.
    case unknown
    /// Connections are refused there.
    case unreachable
    /// A connection can be made, but not a secure one.
    case insecure(TLSProblem)
    /// It takes connections and says nothing of use.
    case mute
    /// It sends to another server, with which one gets so far.
    indirect case elsewhere(ServerReach)

    /// Looks how far one gets with the server of a URL; nil for a URL without one.
    init?(_ url: String, milliseconds: Int) { self.init(url, milliseconds: milliseconds, hops: 5) }

    private init?(_ url: String, milliseconds: Int, hops: Int) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")), !host.isEmpty
        else { return nil }
        let isSecure = scheme == "https"
        let port = parts.port ?? (isSecure ? 443 : 80)
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, nil, nil, &found)
        if found != nil { freeaddrinfo(found) }
        guard failure == 0 else {
            self = .unknown
            return
        }
        guard let connection = try? TCPConnection(host: host, port: port, milliseconds: milliseconds) else {
            self = .unreachable
            return
        }
        do throws(TLSProblem) {
            if isSecure { try connection.encrypt(host: host, port: port) }
        } catch {
            self = .insecure(error)
            return
        }
        guard hops > 0, let target = Self.redirection(of: parts, over: connection, milliseconds: milliseconds),
            let reach = ServerReach(target, milliseconds: milliseconds, hops: hops - 1)
        else {
            self = .mute
            return
        }
        if case .elsewhere = reach { self = reach } else { self = .elsewhere(reach) }
    }

    /// Where the server sends one that asks for the stream; nil if nowhere.
    private static func redirection(of url: URLComponents, over connection: TCPConnection, milliseconds: Int) -> String?
    {
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
        let port = url.port.map { ":\($0)" } ?? ""
        let question =
            "GET \(path)\(query) HTTP/1.1\r\nHost: \(url.percentEncodedHost ?? "")\(port)\r\nUser-Agent: segue\r\n"
            + "Connection: close\r\n\r\n"
        var text: [UInt8] = []
        let deadline = Monotonic.now + .milliseconds(milliseconds)
        guard (try? connection.send(Array(question.utf8))) != nil else { return nil }
        while Monotonic.now < deadline, text.count < 16384 {
            guard let piece = try? connection.receive(milliseconds: 100) else { break }
            text += piece
            guard let head = String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n\r\n").dropLast().first
            else { continue }
            let lines = head.components(separatedBy: "\r\n")
            let status = lines[0].split(separator: " ").dropFirst().first
            guard let status, status.hasPrefix("3") else { return nil }
            let field = lines.first { $0.lowercased().hasPrefix("location:") }
            guard let target = field?.dropFirst(9).trimmingCharacters(in: .whitespaces), let base = url.url else {
                return nil
            }
            return URL(string: target, relativeTo: base)?.absoluteString
        }
        return nil
    }

    /// For a person.
    var message: String {
        switch self {
        case .unknown: "its server is not known"
        case .unreachable: "its server can't be reached"
        case .insecure(let problem): problem.message
        case .mute: "its server doesn't answer"
        case .elsewhere(let reach): "it is elsewhere now, and there: \(reach.message)"
        }
    }
}

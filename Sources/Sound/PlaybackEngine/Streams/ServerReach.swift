import AudioOutputs
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
        let head = ServerHead(of: parts, over: connection, milliseconds: milliseconds)
        guard hops > 0, let target = head?.redirection(from: parts),
            let reach = ServerReach(target, milliseconds: milliseconds, hops: hops - 1)
        else {
            self = .mute
            return
        }
        if case .elsewhere = reach { self = reach } else { self = .elsewhere(reach) }
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

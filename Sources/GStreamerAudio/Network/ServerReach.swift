import Foundation
import Glibc

/// How far one gets with a stream's server, where the web source can only say that it had no answer.
///
/// - Isolation: any thread, which waits.
enum ServerReach: Hashable {
    /// Its name leads to no address.
    case unknown
    /// Nobody takes connections there.
    case unreachable
    /// A connection can be made, but not a secure one.
    case insecure
    /// It takes connections and says nothing of use.
    case mute

    /// Looks how far one gets with the server of a URL; nil for a URL without one.
    init?(_ url: String, milliseconds: Int) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")), !host.isEmpty
        else { return nil }
        let isSecure = scheme == "https"
        let port = parts.port ?? (isSecure ? 443 : 80)
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, nil, nil, &found)
        if found != nil { freeaddrinfo(found) }
        if failure != 0 {
            self = .unknown
        } else if (try? TCPConnection(host: host, port: port, milliseconds: milliseconds)) == nil {
            self = .unreachable
        } else {
            self = isSecure ? .insecure : .mute
        }
    }

    /// For a person.
    var message: String {
        switch self {
        case .unknown: "its server is not known"
        case .unreachable: "its server can't be reached"
        case .insecure:
            "no secure connection can be made: its server's certificate may be self-signed or out of date"
        case .mute: "its server doesn't answer"
        }
    }
}

import AudioOutputs
import Coordination
import Foundation

/// The lines before a server's answer, with their bytes as they came: libsoup puts replacement characters into those
/// that are no UTF-8.
struct ServerHead {
    /// The status, such as 200.
    let status: Int
    /// The answer came from another server, to which the first one redirected.
    private(set) var isElsewhere = false
    private let fields: [(name: String, value: [UInt8])]

    /// Takes lines apart.
    init?(_ head: ArraySlice<UInt8>) {
        let lines = head.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
        let words = lines.first.map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        self.status = status
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: 0x3A) else { return nil }
            let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), Array(value))
        }
    }

    /// The bytes of a field by its name in lower case.
    func field(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

    private func redirection(from url: URLComponents) -> String? {
        guard (300..<400).contains(status), let place = field("location"), let base = url.url else { return nil }
        return URL(string: String(decoding: place, as: UTF8.self), relativeTo: base)?.absoluteString
    }

    /// Asks for what is at a URL of the web and hangs up behind the head of the answer, after all redirections; nil
    /// where the URL names no server, and where a proxy would have to be asked.
    ///
    /// - Isolation: any thread, which waits.
    static func read(_ url: String, milliseconds: Int, hops: Int = 5) throws(ServerReach) -> ServerHead? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host?.trimmingCharacters(in: ["[", "]"]),
            !host.isEmpty, !WebSources.usesProxy(forURL: url)
        else { return nil }
        let head = try ask(parts, host, parts.port ?? (scheme == "https" ? 443 : 80), scheme == "https", milliseconds)
        guard let target = head.redirection(from: parts) else { return head }
        guard hops > 0 else { throw .mute }
        do {
            var found = try read(target, milliseconds: milliseconds, hops: hops - 1)
            found?.isElsewhere = true
            return found ?? head
        } catch {
            if case .elsewhere = error { throw error }
            throw .elsewhere(error)
        }
    }

    private static func ask(
        _ url: URLComponents, _ host: String, _ port: Int, _ isSecure: Bool, _ milliseconds: Int
    ) throws(ServerReach) -> ServerHead {
        let connection: TCPConnection
        do throws(OutputProblem) {
            connection = try TCPConnection(host: host, port: port, milliseconds: milliseconds)
        } catch { throw TCPConnection.knows(host) ? .unreachable : .unknown }
        do throws(TLSProblem) {
            if isSecure { try connection.encrypt(host: host, port: port) }
        } catch { throw .insecure(error) }
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
        let named = (url.percentEncodedHost ?? "") + (url.port.map { ":\($0)" } ?? "")
        let question = "GET \(path)\(query) HTTP/1.1\r\nHost: \(named)\r\nUser-Agent: segue\r\nConnection: close\r\n"
        do throws(OutputProblem) {
            try connection.send(Array((question + "\r\n").utf8))
            let head = try connection.receiveHead(milliseconds: milliseconds)
            if let head = head.flatMap(ServerHead.init) { return head }
        } catch {}
        throw .mute
    }
}

/// How far one gets with a stream's server, where the web source can only say that it had no answer.
enum ServerReach: Error, Hashable {
    /// Its name leads to no address.
    case unknown
    /// Connections are refused there.
    case unreachable
    /// A connection can be made, but not a secure one.
    case insecure(TLSProblem)
    /// It takes connections and says nothing of use.
    case mute
    /// It redirects to another server, with which one gets this far.
    indirect case elsewhere(ServerReach)

    /// Checks how far one gets with the server of a URL; nil for a URL without one.
    ///
    /// - Isolation: any thread, which waits.
    init?(_ url: String, milliseconds: Int) {
        do throws(ServerReach) {
            guard let head = try ServerHead.read(url, milliseconds: milliseconds) else { return nil }
            self = head.isElsewhere ? .elsewhere(.mute) : .mute
        } catch { self = error }
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

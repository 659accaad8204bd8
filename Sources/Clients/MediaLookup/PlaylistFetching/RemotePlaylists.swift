import AsyncHTTPClient
package import Coordination
import Foundation
import Logging
import MPDCommands
import MPDProtocol
import MusicModel
import NIOCore
import NIOHTTP1
package import NetworkAddresses
import Subsonic

/// Reads playlists of web servers for clients, who must not reach this machine's networks through it. Each host that a
/// request or a redirection names is resolved first, has to be the internet's or named in the configuration, and is
/// connected to by that address (decision 27). A playlist may have 1 MiB, a feed 16, and all together 15 seconds.
package final class RemotePlaylists: Sendable {
    /// A playlist, and whether the server that sent it is in a private network.
    typealias Answer = (playlist: RemotePlaylist, isPrivate: Bool)

    private static let maxRedirections = 5
    private static let connectTimeout = Duration.seconds(5)

    private let hosts: PlaylistHosts
    private let timeout: Duration
    private let memoryBudget: MemoryBudget?
    private let proxy: WebProxy?
    private let log = Logger(label: "segue.playlists")

    /// Makes a reader; without a budget for memory each playlist alone is bounded.
    package init(
        hosts: PlaylistHosts, memoryBudget: MemoryBudget? = nil, proxy: WebProxy? = nil,
        timeout: Duration = .seconds(15)
    ) {
        (self.hosts, self.proxy, self.memoryBudget, self.timeout) = (hosts, proxy, memoryBudget, timeout)
    }

    /// Reads a playlist; nil without one. `limit` is the maximum size of one of this type at this URL, if it is one.
    /// - Parameter mayBePrivate: whether the first host may be in a private network, because sound is played from there
    ///   anyway; the hosts that such a one redirects to may be, too.
    /// - Throws: `AckError` as `OutsideFiles`, or `CancellationError`.
    func read(
        _ url: String, mayBePrivate: Bool, limit: @escaping @Sendable (_ mimeType: String?, _ url: String) -> Int?
    ) async throws -> Answer? {
        do {
            // Whatever takes too long: name server, connection or body.
            let answer = try await withTimeLimit(timeout) {
                try await self.follow(url, mayBePrivate: mayBePrivate, limit: limit)
            }
            guard let answer else { throw Self.tookTooLong }
            return answer
        } catch let error where error is AckError || error is MemoryShortage || error is CancellationError {
            throw error
        } catch is NIOTooManyBytesError {
            throw AckError(.system, "The playlist is too large")
        } catch is TinyPieces {
            throw AckError(.system, "The server of the playlist sends it in pieces of a few bytes, or too slowly")
        } catch let error as HTTPClientError where error == .readTimeout || error == .connectTimeout {
            throw Self.tookTooLong
        } catch {
            log.info("a playlist at \(PlaylistTarget(url)?.host ?? "a wrong address") can't be read: \(chain: error)")
            throw AckError(.system, "The server of the playlist can't be reached")
        }
    }

    /// Fetches a picture of `largest` bytes at most; nil without one now. Private hosts have to be configured.
    package func picture(at url: String, mayBePrivate: Bool, largest: Int) async -> [UInt8]? {
        let answer = try? await read(url, mayBePrivate: mayBePrivate) { type, _ in
            type?.lowercased().hasPrefix("image/") ?? true ? largest : nil
        }
        return answer?.playlist.bytes
    }

    /// Those of a playlist's streams that may be opened: a playlist of the internet leads to none in a private network
    /// that the configuration doesn't name. A name without an address stays, as the connection says best what is wrong
    /// with it; one that is not looked up in time does not.
    /// - Parameter mayBePrivate: whether the playlist itself is in a private network.
    func allowed(_ streams: [String], mayBePrivate: Bool) async -> [String] {
        if mayBePrivate { return streams }
        let names = Set(streams.compactMap { PlaylistTarget($0)?.host })
        let allowed = await withTaskGroup(of: String?.self) { group in
            for name in names {
                group.addTask { [self] in
                    let verdict = await withTimeLimit(timeout) { await self.isAllowed(name) }
                    if verdict == nil { log.notice("the address of a stream in a playlist can't be found out in time") }
                    return verdict == true ? name : nil
                }
            }
            return await group.reduce(into: Set<String>()) { found, name in if let name { found.insert(name) } }
        }
        return streams.filter { stream in
            guard let host = PlaylistTarget(stream)?.host else { return false }
            return allowed.contains(host)
        }
    }

    private func isAllowed(_ host: String) async -> Bool {
        do {
            _ = try await hosts.address(
                of: host, mayBePrivate: false, isResolvedElsewhere: proxy?.isUsed(for: host) == true)
        } catch let error as AckError where error.code == .permission {
            log.notice(
                """
                A playlist of the internet names a stream in a private network, which is not opened; private_hosts in \
                [playlists] can allow it
                """)
            return false
        } catch {
            log.debug("A stream of a playlist can't be resolved: \(chain: error)")
        }
        return true
    }

    private static var tookTooLong: AckError {
        AckError(.system, "The server of the playlist takes too long to answer")
    }

    private func follow(
        _ url: String, mayBePrivate: Bool, limit: @Sendable (_ mimeType: String?, _ url: String) -> Int?
    ) async throws -> Answer? {
        guard var target = PlaylistTarget(url) else { throw AckError(.argument, "Malformed URL") }
        var mayBePrivate = mayBePrivate
        for _ in 0...Self.maxRedirections {
            let place = try await hosts.address(
                of: target.host, mayBePrivate: mayBePrivate,
                isResolvedElsewhere: proxy?.isUsed(for: target.host) == true)
            // Only a server of the private network may lead to others there.
            mayBePrivate = mayBePrivate && place.isPrivate
            switch try await request(target, at: place.address, limit: limit) {
            case .playlist(let playlist): return (playlist, place.isPrivate)
            case .elsewhere(let next): target = next
            case nil: return nil
            }
        }
        throw AckError(.system, "The server of the playlist redirects too often")
    }

    private enum Reply {
        case playlist(RemotePlaylist)
        case elsewhere(PlaylistTarget)
    }

    private func request(
        _ target: PlaylistTarget, at address: String, limit: @Sendable (_ mimeType: String?, _ url: String) -> Int?
    ) async throws -> Reply? {
        let connections = HTTPConnections(connect: Self.connectTimeout, read: Self.connectTimeout) {
            // The address that was checked; another check of the name could find another one.
            $0.dnsOverride = [target.host: address]
            $0.use(proxy, for: target.host)
        }
        do {
            let reply = try await self.reply(of: connections.client, to: target, limit: limit)
            await connections.shutDown()
            return reply
        } catch {
            await connections.shutDown()
            throw error
        }
    }

    private func reply(
        of http: HTTPClient, to target: PlaylistTarget, limit: @Sendable (_ mimeType: String?, _ url: String) -> Int?
    ) async throws -> Reply? {
        let response = try await http.execute(target.request, timeout: .seconds(15))
        switch response.status.code {
        case 200..<300: break
        case 301, 302, 303, 307, 308:
            guard let next = response.headers.first(name: "location").flatMap({ target.redirected(to: $0) }) else {
                throw AckError(.system, "The server of the playlist redirects to something else than http or https")
            }
            return .elsewhere(next)
        case 404, 410: return nil
        case let code: throw AckError(.unknown, "got HTTP status \(code)")
        }
        let type = response.headers.first(name: "content-type")
        // A radio station's answer is endless; it stays unread.
        guard let most = limit(type, target.url) else { return nil }
        let room = try await memoryBudget?.reserve(most, for: "a playlist of a web server")
        defer { room?.release() }
        let body = try await response.body.gathered(upTo: most)
        return .playlist((bytes: Array(body.readableBytesView), mimeType: type, url: target.url))
    }
}

/// Where a playlist may stand: an http or https URL, with the user's name and password apart from it.
struct PlaylistTarget: Sendable {
    /// The URL without user, password and fragment.
    let url: String
    /// The host's name or address, without brackets.
    let host: String
    private let credentials: (user: String, password: String)?
    private let origin: WebOrigin

    init?(_ text: String) { self.init(URLComponents(string: text)) }

    private init?(_ parts: URLComponents?) {
        guard var parts, let written = parts.percentEncodedHost?.lowercased(),
            let origin = WebOrigin(scheme: parts.scheme, host: written, port: parts.port),
            // An invalid port would crash in the connection.
            parts.port.map({ (1...65_535).contains($0) }) ?? true,
            // Anything that needs an escape could be read otherwise by the connection than by the check.
            written.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789.-_:[]".utf8.contains($0) })
        else { return nil }
        parts.percentEncodedHost = written
        let host = written.trimmingCharacters(in: ["[", "]"])
        credentials = parts.user.map { ($0, parts.password ?? "") }
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        guard let url = parts.string else { return nil }
        (self.url, self.host, self.origin) = (url, host, origin)
    }

    private init(_ target: PlaylistTarget, credentials: (user: String, password: String)?) {
        (url, host, origin, self.credentials) = (target.url, target.host, target.origin, credentials)
    }

    /// Where a redirection leads; nil for what is no http or https URL. Another origin gets no credentials.
    func redirected(to location: String) -> PlaylistTarget? {
        guard let here = URL(string: url), let there = URL(string: location, relativeTo: here),
            let target = PlaylistTarget(URLComponents(url: there, resolvingAgainstBaseURL: true))
        else { return nil }
        let kept = target.credentials ?? (target.origin == origin ? credentials : nil)
        return PlaylistTarget(target, credentials: kept)
    }

    var request: HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "user-agent", value: "segue")
        if let credentials { request.setBasicAuth(username: credentials.user, password: credentials.password) }
        return request
    }
}
